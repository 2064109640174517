import type { Links } from '../document/types.ts'
import type { Page, PageParams } from '../pagination/paginator.ts'
import type { Query } from '../query/query.ts'
import type { RequestContext } from '../request/context.ts'
import type { ActionOperation } from '../request/operation.ts'
import type { Relation } from '../schema/resource-schema.ts'
import type { Resource } from '../store/resource.ts'

type Pair = readonly [key: string, value: string]

export const typeUrl = (ctx: Pick<RequestContext, 'server'>, type: string): string => `${ctx.server.baseUrl}/${type}`

export const resourceUrl = (ctx: RequestContext, { schema, id }: Pick<Resource, 'schema' | 'id'>): string =>
  `${ctx.server.baseUrl}/${schema.type}/${encodeURIComponent(id)}`

export function actionUrl(ctx: RequestContext, { schema, id, action }: ActionOperation): string {
  const base = id === null ? typeUrl(ctx, schema.type) : resourceUrl(ctx, { schema, id })
  return `${base}/-actions/${action.name}`
}

export const relatedUrl = (self: string, relation: Relation): string => `${self}/${relation.name}`
export const relationshipUrl = (self: string, relation: Relation): string => `${self}/relationships/${relation.name}`

/** An URL with the query that the client sent, its keys sorted as in every link. */
export const selfLink = (ctx: Pick<RequestContext, 'url'>, url: string): string =>
  withQuery(url, [...ctx.url.searchParams].sort(byKey))

/** The links of a page: the same collection, the same parameters, other page parameters. */
export function pageLinks(url: string, query: Pick<Query, 'params'>, page: Pick<Page, 'links'>): Links {
  return Object.fromEntries(
    Object.entries(page.links).map(([name, params]) => [
      name,
      params && withQuery(url, [...query.params, ...pagePairs(params)].sort(byKey)),
    ]),
  )
}

const pagePairs = (params: PageParams): readonly Pair[] =>
  Object.entries(params).map(([key, value]) => [`page[${key}]`, String(value)])

const byKey = ([a]: Pair, [b]: Pair): number => (a < b ? -1 : a > b ? 1 : 0)

function withQuery(url: string, pairs: readonly Pair[]): string {
  if (pairs.length === 0) return url
  return `${url}?${pairs.map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`).join('&')}`
}
