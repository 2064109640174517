import { invalidJson } from '../../document/errors.ts'
import { say } from '../../document/text.ts'
import { isModifyingRelationship, type Operation } from '../../request/operation.ts'
import { bodyParser, hasBody, readBody } from '../request/body.ts'
import type { HttpStage } from '../stage.ts'

/** Reads and parses the body of requests that have a document: 400, 413. A body that means nothing is not read. */
export const readDocument: HttpStage = (next, { server }) => {
  // Now, so that the first client that writes does not wait for it; where that fails, it is told.
  bodyParser().catch(() => {})
  return (call) => {
    const { koa, operation } = call
    const needsBody = call.isAtomic || (operation !== null && isDocumentNeeded(operation))
    const mayHaveBody = operation?.kind === 'action' && operation.action.method !== 'GET'
    if (needsBody && !hasBody(koa.req)) throw invalidJson(say`Expecting JSON to decode.`)
    if (!needsBody && !(mayHaveBody && hasBody(koa.req))) return next(call)
    return readBody(call, server.limits).then((body) => {
      call.body = body
      return next(call)
    })
  }
}

const isDocumentNeeded = (operation: Operation): boolean =>
  operation.kind === 'create' || operation.kind === 'update' || isModifyingRelationship(operation)
