import type { CompiledServer } from '@prismapi/core/server/compile'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { asMark, densityPath, type PageRequest, type SavedView, shownSchema, viewsPath } from '../data/page-request.ts'
import { type Content, hidden, html } from '../html/html.ts'
import { fromStart, withParameters } from '../html/links.ts'
import { density, more as words } from '../texts/asking.ts'
import { groupLinks } from './groups.ts'

type Listed = Pick<PageRequest, 'parts' | 'server' | 'operation' | 'caller' | 'path' | 'search' | 'isCompact' | 'kept'>

/** What else can be done with a list: what features offer, statistics, how close rows stand, and saving the view. */
export function moreMenu(listed: Listed, ofFeatures: Content): Content {
  const { server, operation, path, search, isCompact } = listed
  const schema = shownSchema(listed)
  if (!schema || (operation?.kind !== 'viewAny' && operation?.kind !== 'viewRelated')) return null
  const isAll = operation.kind === 'viewAny'
  return html`<details class="menu" id="more"><summary class="icon more" aria-label="${words.title}" title="${words.title}"></summary><div class="sheet">${downloads(listed)}${ofFeatures}${isAll && groupLinks(server, operation.schema)}
<form method="post" action="${server.basePath}${densityPath}">${hidden('back', path + search)}<button name="density" value="${isCompact ? 'comfortable' : 'compact'}">${isCompact ? density.comfortable : density.compact}</button></form>
${isAll && saving(listed, schema)}</div></details>`
}

/** The whole list, as what features send it. */
const downloads = ({ parts, path, search }: Listed): Content =>
  parts.flatMap(({ downloads = {} }) =>
    Object.entries(downloads).map(([name, mediaType]) => {
      const query = new URLSearchParams([...new URLSearchParams(search)].filter(([each]) => !ofPages.test(each)))
      return html`<a href="${path}${withParameters(String(query), { [asMark]: mediaType })}" download>${words.download(name)}</a>`
    }),
  )

/** What a page has in addition to its rows, or of them. */
const ofPages = /^(?:page\b|include\b|withCount$|withStats$|-)/

/** A view is without the page of it that is shown. */
const queryOf = (search: string): string => withParameters(fromStart(search), {}).slice(1)

const viewsOf = ({ kept: { views } }: Listed, { type }: ResourceSchema): readonly SavedView[] =>
  views.filter((view) => view.type === type)

const isShown = ({ search }: Listed, { query }: SavedView): boolean => query === queryOf(search)

function saving(listed: Listed, schema: ResourceSchema): Content {
  const { server, search } = listed
  const shown = viewsOf(listed, schema).find((view) => isShown(listed, view))
  const query = queryOf(search)
  const fields = [hidden('type', schema.type), hidden('query', query)]
  if (shown)
    return html`<form method="post" action="${to(server)}">${fields}${hidden('remove', shown.name)}<button>${words.forget(shown.name)}</button></form>`
  return (
    query !== '' &&
    html`<form class="named" method="post" action="${to(server)}">${fields}<label>${words.name} <input name="name" required maxlength="60" autocomplete="off"></label> <button>${words.save}</button></form>`
  )
}

const to = ({ basePath }: CompiledServer): string => basePath + viewsPath

/** The views of the type that this browser has saved, as tabs. */
export function viewTabs(listed: Listed): Content {
  const schema = listed.operation?.kind === 'viewAny' ? shownSchema(listed) : null
  const views = schema ? viewsOf(listed, schema) : []
  if (!schema || views.length === 0) return null
  const { path } = listed
  const tab = (href: string, title: Content, isHere: boolean) =>
    html`<a href="${href}"${isHere && html` aria-current="page"`}>${title}</a>`
  return html`<nav class="tabs" aria-label="${words.views}">${tab(path, words.all, queryOf(listed.search) === '')}${views.map((view) => tab(`${path}?${view.query}`, view.name, isShown(listed, view)))}</nav>`
}
