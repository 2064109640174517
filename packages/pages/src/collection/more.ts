import type { Operation } from '@prismapi/jsonapi/request/operation'
import { isToMany } from '@prismapi/jsonapi/schema/relation-kinds'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { asMark, densityPath, type PageRequest, type SavedView, shownSchema, viewsPath } from '../data/page-request.ts'
import { shortHref } from '../feature-parts.ts'
import { type Content, hidden, html } from '../html/html.ts'
import { fromStart, withParameters } from '../html/links.ts'
import { density, more as words } from '../texts/asking.ts'
import { groupLinks } from './groups.ts'

type Listed = Pick<PageRequest, 'parts' | 'server' | 'operation' | 'caller' | 'path' | 'search' | 'isCompact' | 'kept'>

/** What else can be done with a list: what features offer, statistics, how close rows stand, and saving the view. */
export function moreMenu(listed: Listed, ofFeatures: Content): Content {
  const { server, operation, path, search, isCompact } = listed
  if (!isList(operation)) return null
  const schema = operation.kind === 'viewAny' && shownSchema(listed)
  return html`<details class="menu" id="more"><summary class="icon more" aria-label="${words.title}" title="${words.title}"></summary><div class="sheet">${downloads(listed)}${ofFeatures}${schema && groupLinks(server, operation.schema)}
<form method="post" action="${server.basePath}${densityPath}">${hidden('back', path + search)}<button name="density" value="${isCompact ? 'comfortable' : 'compact'}">${isCompact ? density.comfortable : density.compact}</button></form>
${schema && saving(listed, schema)}</div></details>`
}

const isList = (operation: Operation | null): operation is Operation =>
  operation?.kind === 'viewRelated'
    ? isToMany(operation.relation)
    : operation?.kind === 'viewAny' || operation?.kind === 'viewStats'

/** The whole list, as what features send it. */
const downloads = ({ parts, operation, path, search }: Listed): Content =>
  parts.flatMap(({ downloads = {} }) =>
    Object.entries(downloads).map(([name, mediaType]) => {
      const others = operation?.kind === 'viewStats' ? ofPages : ofDocuments
      const query = new URLSearchParams([...new URLSearchParams(search)].filter(([each]) => !others.test(each)))
      return html`<a href="${path}${withParameters(String(query), { [asMark]: mediaType })}" download>${words.download(name)}</a>`
    }),
  )

/** What a page has of the rows, or in addition to them. */
const ofPages = /^(?:page\b|-)/
const ofDocuments = /^(?:page|include|includePage|withCount|withStats)\b|^-/

/** A view is without the page of it that is shown. */
const queryOf = (listed: Listed): string =>
  shortHref(listed, listed.path + withParameters(fromStart(listed.search), {})).split('?')[1] ?? ''

const viewsOf = ({ kept: { views } }: Listed, { type }: ResourceSchema): readonly SavedView[] =>
  views.filter((view) => view.type === type)

const isShown = (listed: Listed, { query }: SavedView): boolean => query === queryOf(listed)

function saving(listed: Listed, schema: ResourceSchema): Content {
  const { server } = listed
  const shown = viewsOf(listed, schema).find((view) => isShown(listed, view))
  const query = queryOf(listed)
  const fields = [hidden('type', schema.type), hidden('query', query)]
  if (shown)
    return html`<form method="post" action="${server.basePath}${viewsPath}">${fields}${hidden('remove', shown.name)}<button>${words.forget(shown.name)}</button></form>`
  return (
    query !== '' &&
    html`<form class="named" method="post" action="${server.basePath}${viewsPath}">${fields}<label>${words.name} <input name="name" required maxlength="60" autocomplete="off"></label> <button>${words.save}</button></form>`
  )
}

/** The views of the type that this browser has saved, as tabs. */
export function viewTabs(listed: Listed): Content {
  const schema = listed.operation?.kind === 'viewAny' ? shownSchema(listed) : null
  const views = schema ? viewsOf(listed, schema) : []
  if (!schema || views.length === 0) return null
  const { path } = listed
  const tab = (href: string, title: Content, isHere: boolean) =>
    html`<a href="${href}"${isHere && html` aria-current="page"`}>${title}</a>`
  return html`<nav class="tabs" aria-label="${words.views}">${tab(path, words.all, queryOf(listed) === '')}${views.map((view) => tab(`${path}?${view.query}`, view.name, isShown(listed, view)))}</nav>`
}
