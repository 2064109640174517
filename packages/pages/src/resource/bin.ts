import { findEach } from '@prismapi/core/read/find'
import { isTrashed } from '@prismapi/core/write/write-row'
import type { ResourceObject } from '@prismapi/jsonapi/document/types'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { pageLinks } from '../collection/links.ts'
import type { Caller, PageRequest } from '../data/page-request.ts'
import type { Showing } from '../data/showing.ts'
import { shortHref } from '../feature-parts.ts'
import { type Content, html } from '../html/html.ts'
import { valueHtml } from '../html/values.ts'
import { bin as words } from '../texts/reading.ts'
import { titleOf } from '../texts/words.ts'
import { named } from './relationships.ts'
import { restoreForm } from './revert.ts'

const filter = 'filter[trashed]'

/** The way to the bin of a type; null where it has none, or the caller does not see it. */
export function binLink({ ctx, api }: Caller, schema: ResourceSchema): Content {
  const isSeen = schema.deletedAtAttribute !== null && ctx.served.trash.has(schema.model.name)
  return isSeen && html`<a class="bin" href="${api.basePath}/${schema.type}?${filter}=only">${words.title}</a>`
}

/** Is the page the bin of a type. */
export const isBin = ({ operation, search, document }: PageRequest): boolean =>
  operation?.kind === 'viewAny' &&
  new URLSearchParams(search).get(filter) === 'only' &&
  operation.schema.deletedAtAttribute !== null &&
  Array.isArray(document.data)

/** What was deleted, when, and the way back for each. */
export async function binHtml(browsed: PageRequest, showing: Showing): Promise<Content> {
  const { caller, operation, document, path, search, seal } = browsed
  if (!caller || operation?.kind !== 'viewAny') return null
  const { schema } = operation
  const resources = document.data as readonly ResourceObject[]
  const back = html`<p><a href="${path}">${words.back}</a></p>`
  if (resources.length === 0) return [html`<p class="empty">${words.empty}</p>`, back]
  const ids = resources.map(({ id }) => id)
  const rows = await findEach(caller.ctx, schema, ids)
  const here = { seal, back: shortHref(browsed, path + search) }
  const lines: Content[] = []
  for (const resource of resources) {
    const { id, attributes = {} } = resource
    const row = rows.get(id)
    const restore = row && isTrashed(schema, row) && (await restoreForm(caller, { schema, row, id }, here))
    const deletedAt = row?.[schema.deletedAt ?? ''] ?? attributes[schema.deletedAtAttribute ?? '']
    lines.push(
      html`<tr><th scope="row">${named(showing, resource)}</th><td data-label="${words.deletedAt}">${valueHtml(deletedAt instanceof Date ? deletedAt.toISOString() : deletedAt, null, { isCell: true })}</td><td>${restore}</td></tr>`,
    )
  }
  return [
    html`<div class="scroll" role="region" aria-label="${words.title}" tabindex="0"><table class="rows bin"><thead><tr><th scope="col">${titleOf(schema.type)}</th><th scope="col">${words.deletedAt}</th><td></td></tr></thead><tbody>${lines}</tbody></table></div>`,
    pageLinks(browsed, null),
    back,
  ]
}
