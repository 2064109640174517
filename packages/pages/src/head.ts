import { say } from '@prismapi/jsonapi/document/text'
import type { PageRequest } from './data/page-request.ts'
import { labelIn, nameOf, type Showing, typeAndId } from './data/showing.ts'
import { createAnchor, createLink } from './forms/create-link.ts'
import { type Links, typeToCreate } from './forms/creation.ts'
import { resourceToDelete } from './forms/deletion.ts'
import { type Content, html } from './html/html.ts'
import { resourceHref } from './html/links.ts'
import { isRefused } from './many/sent.ts'
import { page as words } from './texts/reading.ts'
import { capital, fieldWords, oneOf, titleOf, type Words } from './texts/words.ts'
import { deletion as deletionWords, forms as formWords, many as manyWords } from './texts/writing.ts'

// What stands above the content of a page: the way here, the title, and what is beside it.

/** What the page is called. */
export function pageTitle(browsed: PageRequest, showing: Showing): Words {
  const { status, operation, path, server } = browsed
  const created = typeToCreate(browsed)
  if (created) return formWords.create(oneOf(created))
  if (isRefused(browsed)) return manyWords.nothing
  if (status >= 400 && !browsed.refusal) return words.error(status)
  if (!operation) return path === server.basePath ? words.map : path
  const { type } = operation.schema
  if (operation.kind === 'viewStats') return words.statisticsOf(fieldWords(type))
  const deleted = resourceToDelete(browsed)
  if (deleted) return deletionWords.title(nameOf(showing, { type, id: deleted.id }))
  const isOne = 'id' in operation && operation.id !== null
  const one = isOne ? { type, id: operation.id as string } : null
  if (!('relation' in operation))
    return (one && labelIn(showing, one)) ?? (one ? capital(nameOf(showing, one)) : titleOf(type))
  const title = words.relationOf(titleOf(operation.relation.name), one ? nameOf(showing, one) : fieldWords(type))
  return operation.kind === 'viewRelationship' ? say`${title} (${words.ids})` : title
}

/** The way here from the collection of the type. */
export function breadcrumbs(browsed: PageRequest, showing: Showing): Content {
  const { server, operation } = browsed
  if (!operation) return null
  const { type } = operation.schema
  const isCreating = typeToCreate(browsed) !== null
  const collection = html`<a href="${server.basePath}/${type}">${titleOf(type)}</a>`
  const crumbs = (way: Content) => html`<nav class="crumbs" aria-label="${words.way}">${way}</nav>`
  if (operation.kind === 'viewStats' || isCreating) return crumbs(collection)
  if (!('id' in operation) || operation.id === null) return null
  const own = { type, id: operation.id }
  const isDeleting = operation.kind === 'delete' || resourceToDelete(browsed) !== null
  const isBelow = 'relation' in operation || 'action' in operation || isDeleting
  return crumbs([collection, isBelow && html` › <a href="${resourceHref(server, own)}">${nameOf(showing, own)}</a>`])
}

/** What else a resource is called, or the way to a new one of a collection. */
export async function besideTitle(
  { caller, operation }: PageRequest,
  showing: Showing,
  links: Links,
): Promise<Content> {
  const schema = operation && caller?.api.schemas.byType.get(operation.schema.type)
  if (!caller || !schema) return null
  const { kind } = operation
  if (kind === 'view') {
    const one = { type: schema.type, id: operation.id }
    return labelIn(showing, one) !== null && html`<p class="sub">${typeAndId(showing, one)}</p>`
  }
  const link =
    kind === 'viewAny'
      ? await createLink(caller, schema, { given: '', back: null })
      : kind === 'viewRelated' && links.get(operation.relation.name)
  return link && html`<p>${createAnchor(link)}</p>`
}
