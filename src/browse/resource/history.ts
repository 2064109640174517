import type { Identifier, ResourceObject } from '../../document/types.ts'
import { defaultLive, liveKey } from '../../request/live.ts'
import type { ResourceOperation } from '../../request/operation.ts'
import type { ResourceSchema } from '../../schema/resource-schema.ts'
import { answerTo } from '../data/answer-to.ts'
import { firstPage } from '../data/first-page.ts'
import { pageDataFrom } from '../data/page-data.ts'
import type { Caller, PageRequest } from '../data/page-request.ts'
import { readLabels } from '../data/read-labels.ts'
import type { Showing } from '../data/showing.ts'
import { type Content, html } from '../html/html.ts'
import { withParameters } from '../html/urls.ts'
import { nothing, valueHtml } from '../html/values.ts'
import { history as words } from '../texts/reading.ts'
import { titleOf } from '../texts/words.ts'
import { named } from './relationships.ts'

/** How many changes a page tells of. */
const shownChanges = 20

type Fields = Readonly<Record<string, unknown>>

/** A change, as its attributes in the type `changes`. */
interface Change {
  readonly at: string
  readonly action: string
  readonly user: string | null
  readonly request: string | null
  readonly before: Fields | null
  readonly after: Fields | null
}

/** Who changed the resource of a page, when and how: what `changes` answers its reader about it. */
export async function history({ caller, operation, server }: PageRequest, showing: Showing): Promise<Content> {
  const log = server.schemas.byModel.get('Change')
  if (!caller || operation?.kind !== 'view' || !log || operation.schema.type === log.type) return null
  if (!caller.api.audience.has(`${log.type}.viewAny`)) return null
  const filter = { 'filter[resource]': `${operation.schema.type}:${operation.id}` }
  const query = new URLSearchParams({ ...filter, ...firstPage(log, shownChanges) })
  const document = await answerTo(caller.ctx, { kind: 'viewAny', schema: log }, query)
  const data = document && Array.isArray(document.data) ? (document.data as readonly ResourceObject[]) : []
  if (data.length === 0) return null
  const changes = data.slice(0, shownChanges).map(({ attributes }) => attributes as unknown as Change)
  const labels = await readLabels(
    caller,
    changes.flatMap((change) => namedIn(caller, operation.schema, change)),
  )
  const shown: Shown = {
    caller,
    operation,
    path: `${server.basePath}/${log.type}`,
    showing: { ...showing, beside: pageDataFrom(labels) },
  }
  return html`<section class="history"><h2>${words.title}</h2>
<div class="scroll" role="region" aria-label="${words.title}" tabindex="0"><table class="rows">
<thead><tr>${Object.values(words.columns).map((title) => html`<th scope="col">${title}</th>`)}</tr></thead>
<tbody>${changes.map((change) => row(shown, change))}</tbody></table></div>
<p><a href="${shown.path}${withParameters('', filter)}">${words.all}</a></p></section>`
}

/** The resource that the user of a change is; null where the log has no id of one. */
function userIn({ ctx: { server }, api }: Caller, { user }: Change): Identifier | null {
  const live = server.features.get(liveKey)
  const schema = live?.callerOf === defaultLive.callerOf ? api.schemas.byModel.get(live.users) : undefined
  return schema && user !== null ? { type: schema.type, id: user } : null
}

function namedIn(caller: Caller, schema: ResourceSchema, change: Change): readonly Identifier[] {
  const fields = [...Object.entries(change.before ?? {}), ...Object.entries(change.after ?? {})]
  const linked = fields.map(([name, value]) => linkageOf(schema, name, value) ?? [])
  return [userIn(caller, change) ?? [], ...linked].flat()
}

/** The resource that a relation had or has; null for none, and for attributes, whatever their values look like. */
const linkageOf = ({ relations }: ResourceSchema, name: string, value: unknown): Identifier | null =>
  relations.has(name) ? (value as Identifier | null) : null

interface Shown {
  readonly caller: Caller
  readonly operation: ResourceOperation
  /** Of the log. */
  readonly path: string
  readonly showing: Showing
}

function row(shown: Shown, change: Change): Content {
  const { columns, actions } = words
  const { at, action, user, request } = change
  const by = userIn(shown.caller, change)
  const isKnown = by !== null && shown.showing.beside.attributesOf(by) !== null
  return html`<tr><th scope="row">${valueHtml(at)}</th><td data-label="${columns.action}">${actions[action] ?? action}</td><td data-label="${columns.user}">${isKnown ? named(shown.showing, by) : (user ?? nothing)}</td><td data-label="${columns.fields}">${differences(shown, change)}</td><td data-label="${columns.request}">${request === null ? nothing : html`<a href="${shown.path}${withParameters('', { 'filter[request]': request })}">${request}</a>`}</td></tr>
`
}

/** What an update made of what, as far as the log has that; of a new resource, the fields say it themselves. */
function differences({ operation: { schema }, showing }: Shown, { action, before, after }: Change): Content {
  if (action === 'create' || action === 'delete') return null
  const isOwn = (name: string) => schema.attributes.get(name)?.column?.isUpdatedAt !== true
  const value = (fields: Fields, name: string) => {
    const linkage = linkageOf(schema, name, fields[name])
    return linkage ? named(showing, linkage) : valueHtml(fields[name], schema.attributes.get(name), { isCell: true })
  }
  const was = (name: string) => before && Object.hasOwn(before, name) && html`${value(before, name)} → `
  return Object.keys(after ?? {})
    .filter(isOwn)
    .map((name) => html`<div>${titleOf(name)}: ${was(name)}${value(after ?? {}, name)}</div>`)
}
