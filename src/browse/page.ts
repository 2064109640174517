import type { ErrorObject, Identifier, ResourceObject } from '../document/types.ts'
import { find } from '../read/find.ts'
import type { Browsed, ShownDocument } from './browsed.ts'
import { controls } from './controls.ts'
import { docsHref } from './docs.ts'
import { groupLinks, groupsShown, type ShownGroup } from './groups.ts'
import { heldIds } from './held-ids.ts'
import { type Content, type Html, html } from './html.ts'
import { layout } from './layout.ts'
import { hrefOf } from './links.ts'
import { resourceMap } from './map.ts'
import { raw } from './raw.ts'
import { identifierList, includedCards, resourceCard, resourceTable } from './resources.ts'
import { shownValue } from './values.ts'
import { createForm, relationshipForms, resourceForms } from './write-forms.ts'

/** In: a document that was answered. Out: the page that shows it, and what can be done next. */
export async function page(browsed: Browsed, user: unknown): Promise<string> {
  const { server, path, search, document, seal } = browsed
  const content: Content = [
    document.errors ? errorList(document.errors) : await found(browsed),
    raw(server.baseUrl + path.slice(server.basePath.length) + search, document, { isSignedIn: user !== null }),
  ]
  return layout({
    server,
    title: titleOf(browsed),
    content,
    user,
    seal,
    back: path + search,
    docs: await docsHref(server),
  })
}

function titleOf({ status, operation, path, server }: Browsed): string {
  if (status >= 400) return `Error ${status}`
  if (!operation) return path === server.basePath ? 'Map of the resources' : path
  const { schema } = operation
  if (operation.kind === 'viewStats') return `Statistics of ${schema.type}`
  const id = 'id' in operation && operation.id !== null ? ` ${operation.id}` : ''
  if ('relation' in operation) {
    const what = operation.kind === 'viewRelationship' ? ' (relationship)' : ''
    return `${operation.relation.name} of ${schema.type}${id}${what}`
  }
  return `${schema.type}${id}`
}

/** The errors of a document; each says what it is about, if that is a part of the request. */
const errorList = (errors: readonly ErrorObject[]): Html =>
  html`<div role="alert"><ul class="errors">${errors.map(
    ({ title, detail, source = {}, code }) =>
      html`<li><strong>${title}</strong>${detail && html`: ${detail}`}${Object.entries(source).map(
        ([kind, value]) => html` <code>${kind} ${value}</code>`,
      )}${code && html` <code>${code}</code>`}</li>`,
  )}</ul></div>`

async function found(browsed: Browsed): Promise<Content> {
  const { caller, operation, server, path, document } = browsed
  if (caller && !operation && path === server.basePath) return resourceMap(caller.told)
  return [
    breadcrumbs(browsed),
    caller && operation && controls(caller.told, operation, browsed),
    operation?.kind === 'viewAny' && groupLinks(server, operation.schema),
    shown(browsed),
    pageLinks(browsed),
    await forms(browsed),
    document.included && document.included.length > 0 && includedCards(server, document.included),
  ]
}

/** The way here from the collection of the type. */
function breadcrumbs({ server, operation }: Browsed): Content {
  if (!operation) return null
  const type = `${server.basePath}/${operation.schema.type}`
  if (operation.kind === 'viewStats')
    return html`<nav class="crumbs" aria-label="Breadcrumbs"><a href="${type}">${operation.schema.type}</a></nav>`
  if (!('id' in operation) || operation.id === null) return null
  const own = `${type}/${encodeURIComponent(operation.id)}`
  const isBelow = 'relation' in operation || 'action' in operation
  return html`<nav class="crumbs" aria-label="Breadcrumbs"><a href="${type}">${operation.schema.type}</a>${isBelow && html` › <a href="${own}">${operation.id}</a>`}</nav>`
}

function shown({ server, operation, document }: Browsed): Content {
  const { data } = document
  if (operation?.kind === 'viewStats' && document.meta)
    return groupsShown(server, document.meta.groups as readonly ShownGroup[])
  const meta = document.meta && html`<p class="meta">meta ${shownValue(document.meta)}</p>`
  if (data === undefined) return meta
  if (data === null) return [meta, html`<p class="none">It leads nowhere.</p>`]
  const isLinkage = operation?.kind === 'viewRelationship'
  if (Array.isArray(data))
    return [
      meta,
      isLinkage ? identifierList(server, data) : resourceTable(server, data, operation?.schema.type ?? 'resources'),
    ]
  return [meta, isLinkage ? identifierList(server, [data as Identifier]) : resourceCard(server, data as ResourceObject)]
}

const pages = ['first', 'prev', 'next', 'last']

function pageLinks({
  server,
  document,
}: {
  readonly server: Browsed['server']
  readonly document: ShownDocument
}): Content {
  const links = pages.flatMap((name) => {
    const href = hrefOf(server, document.links?.[name])
    return href === null ? [] : [html`<a href="${href}" rel="${name}">${name}</a> `]
  })
  return links.length > 0 && html`<nav class="pages" aria-label="Pages">${links}</nav>`
}

async function forms(browsed: Browsed): Promise<Content> {
  const { caller, operation, path, document, etag } = browsed
  const schema = operation && caller?.told.schemas.byType.get(operation.schema.type)
  if (!caller || !schema) return null
  if (operation.kind === 'viewAny') return createForm(caller, schema)
  if (operation.kind !== 'view' && operation.kind !== 'viewRelationship') return null
  const row = await find(caller.ctx, operation.schema, operation.id)
  if (!row) return null
  const shown = { path, row, etag }
  if (!('relation' in operation)) return resourceForms(caller, { ...operation, schema }, shown)
  const relation = schema.relations.get(operation.relation.name)
  const linkage = { ...shown, isSet: document.data !== null, held: heldIds(browsed) }
  return relation ? relationshipForms(caller, { ...operation, schema, relation }, linkage) : null
}
