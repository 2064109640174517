import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { sortParameter } from '@prismapi/openapi/sort-parameter'
import type { PageRequest, VisibleApi } from '../data/page-request.ts'
import { type Content, type Html, html } from '../html/html.ts'
import { fromStart, hrefOf, withParameters } from '../html/links.ts'
import { frame, table as words } from '../texts/reading.ts'
import type { Words } from '../texts/words.ts'

const pages = ['first', 'prev', 'next', 'last']

/** Which part of a collection it is, and the ways to the others. */
export function pageLinks(
  { server, document }: Pick<PageRequest, 'server' | 'document'>,
  counted: number | null,
): Content {
  const leads = (name: string) => hrefOf(server, document.links?.[name])
  const links = pages.flatMap((name) => {
    // Where nothing comes before a page, it is the first itself.
    const isHere = (name === 'first' && !leads('prev')) || (name === 'last' && !leads('next'))
    const href = isHere ? null : leads(name)
    return href === null ? [] : [html`<a href="${href}" rel="${name}">${words.pages[name]}</a> `]
  })
  const range = rangeOf(document.meta?.page, counted)
  if (links.length === 0 && range === null) return null
  return html`<nav class="pages" aria-label="${frame.pages}">${range && html`<span>${range}</span> `}${links}</nav>`
}

/** `16–30 of 60`, or of more than 10,000, where the page says so: how it is spelled is the application's choice. */
function rangeOf(meta: unknown, counted: number | null): Words | null {
  const { from, to, total = counted, totalMoreThan } = (meta ?? {}) as Readonly<Record<string, unknown>>
  if (typeof from !== 'number' || typeof to !== 'number') return counted === null ? null : words.inAll(counted)
  if (typeof totalMoreThan === 'number') return words.rangeOfMore(from, to, totalMoreThan)
  return words.range(from, to, typeof total === 'number' ? total : null)
}

interface Choices {
  readonly items: {
    readonly enum?: readonly string[]
    readonly anyOf?: readonly { readonly enum?: readonly string[] }[]
  }
}

/** By what a collection can be sorted: each name, and each with `-` before it. */
export function sortNames(api: VisibleApi, schema: ResourceSchema): readonly string[] {
  const [parameter] = Object.values(sortParameter(api, schema, api.audience))
  if (!parameter) return []
  const { items } = parameter.schema as unknown as Choices
  const names = items.enum ?? items.anyOf?.flatMap((each) => each.enum ?? []) ?? []
  return names.filter((name) => !name.includes(':'))
}

interface Sorted {
  readonly path: string
  readonly search: string
  readonly names: ReadonlySet<string>
}

/** The head of a column: a link that sorts by it, or the other way round where it does so already. */
export function sortLink({ name, title }: { readonly name: string; readonly title: Words }, sorted: Sorted): Html {
  const { path, search, names } = sorted
  if (!names.has(name)) return html`${title}`
  const [first = ''] = (new URLSearchParams(search).get('sort') ?? '').split(',')
  const next = first === name ? `-${name}` : name
  const href = path + withParameters(fromStart(search), { sort: next })
  return html`<a href="${href}" title="${words.sortBy(title)}">${title}</a>`
}
