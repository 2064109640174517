import type { Link, Links } from '@prismapi/jsonapi/document/types'
import { boundedCache, memo } from '@prismapi/jsonapi/model/memo'
import type { Page, PageParams } from '@prismapi/jsonapi/pagination/paginator'
import type { Query } from '@prismapi/jsonapi/query/query'
import type { RequestUrl } from '@prismapi/jsonapi/request/hook-context'
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
export function selfLink({ at: { search, link } }: Pick<DocumentContext, 'at'>, url: string): Link {
  if (search === '') return url
  const text = `${url}?${sorted.get(search, () => queryText(encoded([...new URLSearchParams(search)])))}`
  return link ? link(text) : text
}

// What a query looks like in a link follows from its text alone.
const sorted = boundedCache<string>(500)

/** The links of a page: the same collection, the same parameters, other page parameters. */
export function pageLinks(
  url: string,
  { params }: Pick<Query, 'params'>,
  page: Pick<Page, 'links'>,
  { link }: Pick<RequestUrl, 'link'> = plain,
): Links {
  const links: Record<string, Link | null> = {}
  const kept = encodedParams(params)
  for (const [name, params] of Object.entries(page.links)) {
    const text = params && `${url}?${queryText([...kept, ...encoded(pagePairs(params))])}`
    links[name] = text && link ? link(text) : text
  }
  return links
}

const plain = Object.freeze({ link: null })

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
