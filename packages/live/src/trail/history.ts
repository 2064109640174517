import type { PageContent, PageNames, PagePart, ResourcePage } from '@prismapi/core/server/page-part'
import { say, type Text } from '@prismapi/jsonapi/document/text'
import type { Identifier, ResourceObject } from '@prismapi/jsonapi/document/types'
import type { User } from '@prismapi/jsonapi/model/register'
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
  undo: say`Undo`,
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
export const history = (options: LiveOptions): PagePart => ({
  tab: { name: 'history', title: words.title },
  resource: (page) => readHistory(page, options),
  undo: (page) => undoLast(page, options),
})

/** What the last request has changed of a resource is taken back by who made it. */
async function undoLast(page: ResourcePage, { callerOf }: LiveOptions): Promise<PageContent> {
  const changes = await changesOf(page, shownChanges)
  const [last] = changes
  const reader = page.user == null ? null : String(callerOf(page.user as User))
  if (!last || last.user !== reader) return null
  // Not every server gives its requests names: then what was written within a second belongs together.
  const isOther = ({ request, at, user }: Change) =>
    request !== last.request || user !== last.user || (request === null && Date.parse(last.at) - Date.parse(at) > 1000)
  const end = changes.findIndex((change, i) => i > 0 && isOther(change))
  const own = end < 0 ? changes : changes.slice(0, end)
  if (own.some(({ action }) => !undone.has(action))) return null
  const values = Object.assign(
    {},
    ...own.map(({ action, before }) => (action === 'update' ? ownFields(page, before ?? {}) : {})),
  )
  const links = linksOf(own)
  if (Object.keys(values).length + Object.keys(links).length === 0) return null
  return page.revert(values, { button: words.undo, links })
}

const undone: ReadonlySet<string> = new Set(['update', 'attach', 'detach'])

type Links = Record<string, { readonly linked: string[]; readonly unlinked: string[] }>

/** What changes have linked and unlinked, by the relation. */
function linksOf(changes: readonly Change[]): Links {
  const links: Links = {}
  for (const { action, before, after } of changes) {
    if (action === 'update') continue
    const isNew = action === 'attach'
    for (const [name, one] of Object.entries((isNew ? after : before) ?? {})) {
      links[name] ??= { linked: [], unlinked: [] }
      links[name][isNew ? 'linked' : 'unlinked'].push((one as Identifier).id)
    }
  }
  return links
}

/** The last changes of a resource that the API lists to the reader of its page, the latest first. */
async function changesOf(page: ResourcePage, most: number): Promise<readonly Change[]> {
  const log = page.typeOf('Change')
  if (!log || page.schema.type === log.type) return []
  const found: readonly ResourceObject[] = await page.list(log, { query: filterOf(page), most })
  return found.map(({ attributes }) => attributes as unknown as Change)
}

const filterOf = ({ resource }: ResourcePage) => ({ 'filter[resource]': `${resource.type}:${resource.id}` })

/** Without what the database writes by itself. */
const ownFields = ({ schema }: ResourcePage, fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).filter(([name]) => schema.attributes.get(name)?.column?.isUpdatedAt !== true),
  )

async function readHistory(page: ResourcePage, options: LiveOptions): Promise<PageContent> {
  const { html, schema } = page
  const log = page.typeOf('Change')
  const changes = await changesOf(page, shownChanges)
  if (!log || changes.length === 0) return null
  const usersType = options.callerOf === defaultLive.callerOf ? (page.typeOf(options.users)?.type ?? null) : null
  const userIn = ({ user }: Change) => (usersType !== null && user !== null ? { type: usersType, id: user } : null)
  const names = await page.names(
    changes.flatMap((change) => [userIn(change) ?? [], ...linkedIn(schema, change)].flat()),
  )
  const shown: Shown = { page, names, log, userIn }
  const told = changes.filter((change) => change.action !== 'update' || hasDifferences(page, change))
  const rows: PageContent[] = []
  for (const change of told) rows.push(await row(shown, change))
  return html`<section class="history"><h2>${words.title}</h2>
<div class="scroll" role="region" aria-label="${words.title}" tabindex="0"><table class="rows">
<thead><tr>${Object.values(words.columns).map((title) => html`<th scope="col">${title}</th>`)}<td></td></tr></thead>
<tbody>${rows}</tbody></table></div>
<p><a href="${page.urlOf(log, filterOf(page))}">${words.all}</a></p></section>`
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

async function row(shown: Shown, change: Change): Promise<PageContent> {
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
  const restore = action === 'update' && change.before ? await page.revert(ownFields(page, change.before)) : null
  return html`<tr><th scope="row">${page.value(at)}</th><td data-label="${columns.action}">${actions[action] ?? action}</td><td data-label="${columns.user}">${told}</td><td data-label="${columns.fields}">${differences(shown, change)}</td><td data-label="${columns.request}">${ofRequest}</td><td>${restore}</td></tr>
`
}

const hasDifferences = (page: ResourcePage, { after }: Change): boolean =>
  Object.keys(ownFields(page, after ?? {})).length > 0

/** What an update made of what, as far as the log has that; of a new resource, the fields say it themselves. */
function differences({ page, names }: Shown, { action, before, after }: Change): PageContent {
  if (action === 'create' || action === 'delete') return null
  const { html, schema } = page
  const value = (fields: Fields, name: string) => {
    const linkage = linkageOf(schema, name, fields[name])
    return linkage ? names.link(linkage) : page.value(fields[name], schema.attributes.get(name))
  }
  const was = (name: string) => before && Object.hasOwn(before, name) && html`<del>${value(before, name)}</del> → `
  return Object.keys(ownFields(page, after ?? {})).map(
    (name) => html`<div>${page.title(name)}: ${was(name)}<ins>${value(after ?? {}, name)}</ins></div>`,
  )
}
