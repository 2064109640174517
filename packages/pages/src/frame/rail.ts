import type { PageOptions } from '@prismapi/core/server/server'
import { type Message, named as toldName } from '@prismapi/jsonapi/document/text'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { ownPath, searchPath, type VisibleApi } from '../data/page-request.ts'
import { type Content, type Html, html } from '../html/html.ts'
import { map, frame as words } from '../texts/reading.ts'
import type { Words } from '../texts/words.ts'
import { declaredGroups, typeTitle } from './type-groups.ts'

interface Railed {
  /** The type that the page is about. */
  readonly type: string | null
  readonly look: PageOptions
}

/** More types than these are found by their names. */
const mostInOrder = 30

/**
 * All types that the reader may know, in their groups: on a desk beside each page, on a phone a drawer that its button
 * opens without a script. The pages' script adds how many resources each has, and the filter.
 */
export function rail(api: VisibleApi, { type: here, look }: Railed): Html {
  const { schemas, basePath, audience } = api
  const item = (schema: ResourceSchema): Html => {
    const { type } = schema
    return audience.has(`${type}.viewAny`)
      ? html`<li><a href="${basePath}/${type}"${type === here && html` aria-current="page"`}><span>${typeTitle(schema)}</span></a></li>`
      : html`<li class="soft"><span>${typeTitle(schema)}</span></li>`
  }
  const list = (some: readonly ResourceSchema[], label: Content = null) =>
    html`<ul class="plain"${label}>${some.map(item)}</ul>`
  const groups = declaredGroups(schemas, look)
  const all = [...schemas.byType.values()]
  const inOrder = all.length > mostInOrder ? all.toSorted((a, b) => (a.type < b.type ? -1 : 1)) : all
  return html`<nav class="rail" id="rail" popover aria-label="${words.types}"><form class="everywhere" method="get" action="${basePath}${searchPath}"><input type="search" name="q" placeholder="${words.searchAll}" aria-label="${words.searchAll}"></form>
${all.length > mostUnfiltered && html`<input type="search" data-find="#rail li" placeholder="${map.find}" aria-label="${map.find}" hidden>`}
<ul class="plain"><li><a href="${basePath}"${here === '' && html` aria-current="page"`}>${words.home}</a></li></ul>
${groups ? groups.map(({ title, schemas: own }, i) => html`<section><p class="group" id="rail-${i + 1}">${title}</p>${list(own, html` aria-labelledby="rail-${i + 1}"`)}</section>`) : list(inOrder)}${own(basePath, look)}</nav>`
}

const mostUnfiltered = 8

/** The title of a page or a link, which is a name where an application gives it. */
export const titleTold = (title: string | Message): Words => (typeof title === 'string' ? toldName(title) : title)

/** The pages and the links of the application, below the types. */
function own(basePath: string, { own: pages = {}, links = {} }: PageOptions): Content {
  const all = [
    ...Object.entries(pages).map(([name, { title }]) => [title, `${basePath}${ownPath}/${name}`] as const),
    ...Object.entries(links),
  ]
  return (
    all.length > 0 &&
    html`<hr><ul class="plain">${all.map(([title, href]) => html`<li><a href="${href}">${titleTold(title)}</a></li>`)}</ul>`
  )
}
