import { readCondition } from '../../condition/parse.ts'
import type { Reader } from '../../database/reader.ts'
import type { ModelMeta } from '../../model/meta.ts'
import type { Services } from '../../model/register.ts'
import type { Row } from '../../model/where.ts'
import { type VisibleContext, visibleRows } from '../../read/visible-rows.ts'
import type { Operation } from '../../request/operation.ts'
import type { Preparation } from '../../request/preparation.ts'
import type { RequestClass, RequestClasses } from './request-classes.ts'
import { type Caller, factsOf, type RequestRows } from './request-facts.ts'
import { type AnyResourceRequest, ResourceRequest } from './resource-request.ts'

/** The request classes of a server, and what they get of the application. */
export interface RuledServer {
  readonly requests: ReadonlyMap<string, RequestClasses>
  readonly services: Services
}

/** What instances of request classes are made from. */
export interface RequestSource extends VisibleContext {
  readonly server: VisibleContext['server'] & RuledServer
  /** Null for a guest. */
  readonly user: unknown
  readonly store: { readonly reader: Reader }
  /** What is known of this request's write before it begins. */
  readonly preparation: Preparation
}

/** An instance of the request class for this request; with the row that the URL names, where it is known. */
export function makeRequest(source: RequestSource, operation: Operation, row: Row | null = null): AnyResourceRequest {
  const Class: RequestClass = source.server.requests.get(operation.schema.model.name)?.request ?? ResourceRequest
  return new Class(factsOf(operation, { caller: callerFrom(source), row, services: source.server.services }))
}

/** Who asks, with the rows that they may see. */
export const callerFrom = (source: RequestSource): Caller => ({ user: source.user, rows: rowsFor(source) })

/** Whatever rules have read is judged again inside of the write's transaction. */
function rowsFor(source: RequestSource): RequestRows {
  const reader = () => {
    source.preparation.hasReadOthers = true
    return source.store.reader
  }
  return {
    ...visibleRows(source, reader),
    async countAll(model, where) {
      const { models } = source.server.resources
      return reader().read({ kind: 'count', model, where: readCondition(where, models[model] as ModelMeta, models) })
    },
  }
}

/** The same where a request class may have its say on a read; null where there is none. */
export const makeReadRequest = (source: RequestSource, operation: Operation, row: Row | null = null) =>
  source.server.requests.get(operation.schema.model.name)?.request ? makeRequest(source, operation, row) : null
