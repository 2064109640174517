import type { Links } from '@prismapi/jsonapi/document/types'
import { boundedCache, memo } from '@prismapi/jsonapi/model/memo'
import type { Page, PageParams } from '@prismapi/jsonapi/pagination/paginator'
import type { Query } from '@prismapi/jsonapi/query/query'
import type { ActionOperation } from '@prismapi/jsonapi/request/operation'
import type { Relation } from '@prismapi/jsonapi/schema/relation-kinds'
import { statsSegment } from '@prismapi/jsonapi/schema/statistics'
import type { Resource } from '../read/resource.ts'
import type { DocumentContext, DocumentServer } from './document-context.ts'

type Pair = readonly [key: string, value: string]

interface AtBase {
  readonly server: Pick<DocumentServer, 'baseUrl'>
}

export const typeUrl = (ctx: AtBase, type: string): string => `${ctx.server.baseUrl}/${type}`

/** Where groups of a type's rows are shown. */
export const statsUrl = (ctx: Pick<DocumentContext, 'server'>, type: string): string =>
  `${typeUrl(ctx, type)}/${statsSegment}`

export const resourceUrl = (ctx: AtBase, { schema, id }: Pick<Resource, 'schema' | 'id'>): string =>
  `${ctx.server.baseUrl}/${schema.type}/${encodeURIComponent(id)}`

export function actionUrl(ctx: AtBase, { schema, id, action }: ActionOperation): string {
  const base = id === null ? typeUrl(ctx, schema.type) : resourceUrl(ctx, { schema, id })
  return `${base}/-actions/${action.name}`
}

export const relatedUrl = (self: string, relation: Relation): string => `${self}/${relation.name}`
export const relationshipUrl = (self: string, relation: Relation): string => `${self}/relationships/${relation.name}`

/** An URL with the query that the client sent, its keys sorted as in every link. */
export const selfLink = ({ at: { search } }: Pick<DocumentContext, 'at'>, url: string): string =>
  search === '' ? url : `${url}?${sorted.get(search, () => queryText(encoded([...new URLSearchParams(search)])))}`

// What a query looks like in a link follows from its text alone.
const sorted = boundedCache<string>(500)

/** The links of a page: the same collection, the same parameters, other page parameters. */
export function pageLinks(url: string, query: Pick<Query, 'params'>, page: Pick<Page, 'links'>): Links {
  const links: Record<string, string | null> = {}
  const kept = encodedParams(query.params)
  for (const [name, params] of Object.entries(page.links))
    links[name] = params && `${url}?${queryText([...kept, ...encoded(pagePairs(params))])}`
  return links
}

const pagePairs = (params: PageParams): readonly Pair[] =>
  Object.entries(params).map(([key, value]) => [`page[${key}]`, String(value)])

/** A parameter by its name, and as a link has it. */
type Encoded = readonly [key: string, text: string]

const encoded = (pairs: readonly Pair[]): Encoded[] =>
  pairs.map(([key, value]) => [key, `${encodeURIComponent(key)}=${encodeURIComponent(value)}`])

const encodedParams = memo(encoded)

const queryText = (params: Encoded[]): string =>
  params
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([, text]) => text)
    .join('&')
