import type { Identifier, ResourceObject } from '@prismapi/jsonapi/document/types'
import { groupsHtml } from './collection/groups.ts'
import { pageLinks } from './collection/pager.ts'
import { sortNames } from './collection/sort-links.ts'
import { type Listed, resourceTable } from './collection/table.ts'
import type { PageRequest } from './data/page-request.ts'
import type { ShownGroup } from './data/read-labels.ts'
import type { Showing } from './data/showing.ts'
import { withoutLinks } from './filters/filter-form.ts'
import type { Links } from './forms/creation.ts'
import { type Content, type Html, html } from './html/html.ts'
import { valueHtml } from './html/values.ts'
import { identifierList, resourceFields } from './resource/resources.ts'
import { table as tableWords, page as words } from './texts/reading.ts'

interface Listing {
  readonly links: Links
  /** Can rows be chosen, for what is done with many. */
  readonly isPicked: boolean
}

/** What the document is about: groups, a collection, a resource, identifiers, or `meta` alone. */
export function primaryData(browsed: PageRequest, showing: Showing, { links, isPicked }: Listing): Content {
  const { operation, document } = browsed
  const { data } = document
  if (operation?.kind === 'viewStats' && document.meta?.groups)
    return groupsHtml(showing, document.meta.groups as readonly ShownGroup[])
  const { page: _, ...others } = document.meta ?? {}
  const meta = Object.keys(others).length > 0 && html`<p class="meta">${words.meta} ${valueHtml(others)}</p>`
  if (data === undefined) return meta
  if (data === null) return [meta, html`<p class="empty">${words.noOne}</p>`]
  const isLinkage = operation?.kind === 'viewRelationship'
  if (Array.isArray(data))
    return [
      meta,
      isLinkage ? identifierList(showing, data) : collection(browsed, showing, { resources: data, isPicked }),
      pageLinks(browsed),
    ]
  if (isLinkage) return [meta, identifierList(showing, [data as Identifier])]
  return [
    meta,
    html`<article class="card">${resourceFields(showing, data as ResourceObject, { isWhole: true, created: links })}</article>`,
  ]
}

function collection(
  { caller, operation, path, search }: PageRequest,
  showing: Showing,
  { resources, isPicked }: Pick<Listed, 'resources' | 'isPicked'>,
): Html {
  if (resources.length === 0) {
    const isNarrowed = [...new URLSearchParams(search).keys()].some((name) => /^(?:filter|page)\b/.test(name))
    return isNarrowed
      ? html`<p class="empty">${tableWords.noneFound} <a href="${path}">${tableWords.showAll}</a></p>`
      : html`<p class="empty">${tableWords.empty}</p>`
  }
  const schema = operation?.kind === 'viewAny' ? caller?.api.schemas.byType.get(operation.schema.type) : null
  const names = caller && schema ? new Set(sortNames(caller.api, schema)) : null
  return resourceTable({
    showing,
    resources,
    isPicked,
    without: withoutLinks({ caller, operation, path, search }),
    sorted: names && { path, search, names },
  })
}
