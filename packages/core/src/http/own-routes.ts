import { JsonApiError } from '@prismapi/jsonapi/document/error'
import { type Meta, noExtensions } from '@prismapi/jsonapi/document/types'
import type { ModelName, RowOf } from '@prismapi/jsonapi/model/register'
import type { Row } from '@prismapi/jsonapi/model/where'
import { checkQuery } from '@prismapi/jsonapi/query/check-query'
import { onlyFamilies } from '@prismapi/jsonapi/query/parameters'
import type { Query } from '@prismapi/jsonapi/query/query'
import { requestedAt, withParts } from '@prismapi/jsonapi/request/hook-context'
import { type ResourceSchema, schemaOf } from '@prismapi/jsonapi/schema/resource-schema'
import type { Context } from 'koa'
import { checkKeys, rowsDocument } from '../actions/rows-document.ts'
import { metaDocument } from '../serialize/documents.ts'
import type { ServerContext } from '../server/serving.ts'
import type { Api } from './api.ts'
import { authenticate } from './authentication.ts'
import { Call, contextOf } from './call.ts'
import { makeContext, respondWith } from './execution.ts'
import { compose, type HttpStage } from './plugin.ts'
import { answerErrors } from './response/error-boundary.ts'

/** What an answer of a `Responder` is told beside its content. */
export interface ResponderOptions {
  /** The HTTP status; by default 200. */
  readonly status?: number
}

/**
 * Answers a route of the application's own with documents of a server. It decides nothing: negotiation and permission
 * are the route's. What goes wrong while it answers becomes an error document, too.
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
  const origin = new URL(server.baseUrl).origin
  const url = new URL(koa.originalUrl, origin)
  const self = origin + url.pathname
  const answer = async (stages: readonly HttpStage[]): Promise<void> =>
    compose(api, [answerErrors, ...stages])(new Call(koa, api))
  return {
    data(model, rows, { status = 200 } = {}) {
      const shown = rows as Row | readonly Row[] | null
      const check: HttpStage = (next) => (call) => {
        checkKeys(schemaOf(server.schemas, model), shown)
        return next(call)
      }
      const document = respondWith(async (call) => {
        const ctx = contextOf(call)
        const schema = schemaOf(server.schemas, model)
        const query = shownBy(ctx, schema)
        return {
          status,
          document: await rowsDocument(ctx, schema, { rows: shown, query, url: self, isWritten: false }),
        }
      })
      return answer([check, authenticate, makeContext, document])
    },
    meta(meta, { status = 200 } = {}) {
      const about = { server, at: requestedAt(url), negotiatedExtensions: noExtensions }
      return answer([respondWith(() => ({ status, document: metaDocument(about, { meta, url: self }) }))])
    },
    errors: (...errors) =>
      answer([
        respondWith(() => {
          throw JsonApiError.all(errors)
        }),
      ]),
  }
}

/** The families of parameters that say how resources are shown. */
const showing: ReadonlySet<string> = new Set(['include', 'fields', 'withCount'])

/** The part of the query that says how resources are shown. */
function shownBy(ctx: ServerContext, schema: ResourceSchema): Query {
  const { url, search } = ctx.at
  return checkQuery(withParts(ctx, { at: { url, search: onlyFamilies(search, showing) } }), {
    schemas: [schema],
    isCollection: false,
    relation: null,
    isRelationship: false,
  })
}
