import type { Row } from '../../model/where.ts'
import type { RequestContext } from '../../request/context.ts'
import type { Operation } from '../../request/operation.ts'
import type { RequestClass } from './request-classes.ts'
import { newState, stateKey } from './request-state.ts'
import { type AnyResourceRequest, ResourceRequest } from './resource-request.ts'

/** An instance of the request class for this request; with the row, where one is known before authorization. */
export function makeRequest(ctx: RequestContext, operation: Operation, row: Row | null = null): AnyResourceRequest {
  const Class: RequestClass = ctx.server.requests.get(operation.schema.model.name)?.request ?? ResourceRequest
  const request = new Class(newState(operation, ctx))
  request[stateKey].row = row
  return request
}

/** The same where a request class may have its say on a read; null where there is none. */
export const makeReadRequest = (ctx: RequestContext, operation: Operation, row: Row | null = null) =>
  ctx.server.requests.get(operation.schema.model.name)?.request ? makeRequest(ctx, operation, row) : null
