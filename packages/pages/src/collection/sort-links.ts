import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { sortParameter } from '@prismapi/openapi/sort-parameter'
import type { VisibleApi } from '../data/page-request.ts'
import { type Html, html } from '../html/html.ts'
import { fromStart, withParameters } from '../html/links.ts'
import { table as words } from '../texts/reading.ts'
import type { Words } from '../texts/words.ts'

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
