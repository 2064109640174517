import type { PageContent, PageNames, PagePart, ResourcePage } from '@prismapi/core/server/page-part'
import { say, type Text } from '@prismapi/jsonapi/document/text'
import type { Identifier, ResourceObject } from '@prismapi/jsonapi/document/types'
import { defaultLive, type LiveOptions } from '@prismapi/jsonapi/request/features'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'

/** How many changes a page tells of. */
const shownChanges = 20

const words = {
  title: say`History`,
  columns: { at: say`When`, action: say`What`, user: say`By`, fields: say`Fields`, request: say`Request` },
  actions: {
    create: say`Created`,
    update: say`Updated`,
    delete: say`Deleted`,
    attach: say`Linked`,
    detach: say`Link removed`,
  } as Readonly<Record<string, Text>>,
  all: say`All changes`,
} as const

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
export const history = (options: LiveOptions): PagePart => ({ resource: (page) => readHistory(page, options) })

async function readHistory(page: ResourcePage, options: LiveOptions): Promise<PageContent> {
  const { html, schema, resource } = page
  const log = page.typeOf('Change')
  if (!log || schema.type === log.type) return null
  const filter = { 'filter[resource]': `${resource.type}:${resource.id}` }
  const found: readonly ResourceObject[] = await page.list(log, { query: filter, most: shownChanges })
  if (found.length === 0) return null
  const changes = found.map(({ attributes }) => attributes as unknown as Change)
  const usersType = options.callerOf === defaultLive.callerOf ? (page.typeOf(options.users)?.type ?? null) : null
  const userIn = ({ user }: Change) => (usersType !== null && user !== null ? { type: usersType, id: user } : null)
  const names = await page.names(
    changes.flatMap((change) => [userIn(change) ?? [], ...linkedIn(schema, change)].flat()),
  )
  const shown: Shown = { page, names, log, userIn }
  return html`<section class="history"><h2>${words.title}</h2>
<div class="scroll" role="region" aria-label="${words.title}" tabindex="0"><table class="rows">
<thead><tr>${Object.values(words.columns).map((title) => html`<th scope="col">${title}</th>`)}</tr></thead>
<tbody>${changes.map((change) => row(shown, change))}</tbody></table></div>
<p><a href="${page.urlOf(log, filter)}">${words.all}</a></p></section>`
}

const linkedIn = (schema: ResourceSchema, { before, after }: Change): readonly Identifier[] =>
  [...Object.entries(before ?? {}), ...Object.entries(after ?? {})].flatMap(
    ([name, value]) => linkageOf(schema, name, value) ?? [],
  )

/** The resource that a relation had or has; null for none, and for attributes, whatever their values look like. */
const linkageOf = ({ relations }: ResourceSchema, name: string, value: unknown): Identifier | null =>
  relations.has(name) ? (value as Identifier | null) : null

interface Shown {
  readonly page: ResourcePage
  readonly names: PageNames
  readonly log: ResourceSchema
  /** The resource that the user of a change is; null where the log has no id of one. */
  readonly userIn: (change: Change) => Identifier | null
}

function row(shown: Shown, change: Change): PageContent {
  const { page, names, log, userIn } = shown
  const { html } = page
  const { columns, actions } = words
  const { at, action, user, request } = change
  const by = userIn(change)
  const told = by !== null && names.isKnown(by) ? names.link(by) : (user ?? page.value(null))
  const ofRequest =
    request === null
      ? page.value(null)
      : html`<a href="${page.urlOf(log, { 'filter[request]': request })}">${request}</a>`
  return html`<tr><th scope="row">${page.value(at)}</th><td data-label="${columns.action}">${actions[action] ?? action}</td><td data-label="${columns.user}">${told}</td><td data-label="${columns.fields}">${differences(shown, change)}</td><td data-label="${columns.request}">${ofRequest}</td></tr>
`
}

/** What an update made of what, as far as the log has that; of a new resource, the fields say it themselves. */
function differences({ page, names }: Shown, { action, before, after }: Change): PageContent {
  if (action === 'create' || action === 'delete') return null
  const { html, schema } = page
  const isOwn = (name: string) => schema.attributes.get(name)?.column?.isUpdatedAt !== true
  const value = (fields: Fields, name: string) => {
    const linkage = linkageOf(schema, name, fields[name])
    return linkage ? names.link(linkage) : page.value(fields[name], schema.attributes.get(name))
  }
  const was = (name: string) => before && Object.hasOwn(before, name) && html`${value(before, name)} → `
  return Object.keys(after ?? {})
    .filter(isOwn)
    .map((name) => html`<div>${page.title(name)}: ${was(name)}${value(after ?? {}, name)}</div>`)
}
