import type { Context } from 'koa'
import { checkKeys, rowsDocument } from '../actions/rows-document.ts'
import { JsonApiError } from '../document/error.ts'
import { noExtensions } from '../document/profiles.ts'
import type { Document, Meta } from '../document/types.ts'
import type { ModelName, RowOf } from '../model/register.ts'
import type { Row } from '../model/where.ts'
import { checkQuery } from '../query/check-query.ts'
import type { Query } from '../query/query.ts'
import type { RequestContext } from '../request/context.ts'
import { requestedAt } from '../request/request-url.ts'
import { type ResourceSchema, schemaOf } from '../schema/resource-schema.ts'
import { metaDocument } from '../serialize/documents.ts'
import { serverBoundary } from './answering/error-boundary.ts'
import { respond } from './answering/respond.ts'
import { type Api, requestContext, userOf } from './build-context.ts'

/** What an answer of a `Responder` is told beside its content. */
export interface ResponderOptions {
  /** The HTTP status; by default 200. */
  readonly status?: number
}

/**
 * Answers a route of the application's own with documents of a server. It decides nothing: negotiation and permission are
 * the route's. What goes wrong while it answers becomes an error document, too.
 */
export interface Responder {
  /**
   * A row with its resource, several with a collection, null with `data: null`. The rows are read again through the
   * scopes that the serving phase registers for this caller; those that it hides are left out. `include`, `fields` and
   * `withCount` of the URL are honoured, its other parameters are the route's.
   */
  data<M extends ModelName>(
    model: M,
    rows: Partial<RowOf<M>> | readonly Partial<RowOf<M>>[] | null,
    options?: ResponderOptions,
  ): Promise<void>
  /**
   * A document that has nothing but `meta`.
   *
   * @see https://jsonapi.org/format/#document-meta
   */
  meta(meta: Meta, options?: ResponderOptions): Promise<void>
  /**
   * An error document, with the status that the errors share.
   *
   * @see https://jsonapi.org/format/#errors-processing
   */
  errors(...errors: readonly [JsonApiError, ...JsonApiError[]]): Promise<void>
}

export function responder(api: Api, koa: Context): Responder {
  const { server } = api
  const boundary = serverBoundary(server)
  const origin = new URL(server.baseUrl).origin
  const url = new URL(koa.originalUrl, origin)
  const self = origin + url.pathname
  const answer = (work: () => Promise<Document> | Document, { status = 200 }: ResponderOptions = {}): Promise<void> =>
    boundary(koa, async () => respond(koa, status, await work()))
  return {
    data: (model, rows, options) =>
      answer(async () => {
        const schema = schemaOf(server.schemas, model)
        checkKeys(schema, rows as Row | null)
        const ctx = await requestContext(koa, api, { user: await userOf(koa, api), body: undefined })
        return rowsDocument(ctx, schema, { rows: rows as Row | null, query: shownBy(ctx, schema), url: self })
      }, options),
    meta: (meta, options) =>
      answer(() => metaDocument({ server, at: requestedAt(url), applied: noExtensions }, { meta, url: self }), options),
    errors: (...errors) =>
      answer(() => {
        throw JsonApiError.all(errors)
      }),
  }
}

/** The part of the query that says how resources are shown. */
function shownBy(ctx: RequestContext, schema: ResourceSchema): Query {
  const url = new URL(ctx.at.url)
  for (const key of new Set(url.searchParams.keys())) {
    if (!/^(include|fields|withCount)(\[|$)/.test(key)) url.searchParams.delete(key)
  }
  return checkQuery(
    { ...ctx, at: requestedAt(url) },
    { schemas: [schema], isCollection: false, relation: null, isRelationship: false },
  )
}
