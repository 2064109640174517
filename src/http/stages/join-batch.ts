import { isReading, type Operation, showsMany } from '../../request/operation.ts'
import type { HttpStage } from '../stage.ts'

/** Waits for the requests that arrived together with this one, so that they read and answer back to back. */
export const joinBatch: HttpStage =
  (next, { batching }) =>
  (call) => {
    const { koa, operation } = call
    const batch = operation && batching.join(koa.req.socket, isLarge(operation, koa.querystring))
    return batch ? batch.then(() => next(call)) : next(call)
  }

/** One resource may bring many others, where the URL asks for them. */
const isLarge = (operation: Operation, query: string): boolean =>
  showsMany(operation) || (isReading(operation) && query !== '')
