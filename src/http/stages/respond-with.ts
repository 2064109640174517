import { documentTooLarge } from '../../document/errors.ts'
import { isReading } from '../../request/operation.ts'
import { sizeParameter } from '../../request/request-url.ts'
import { type Call, contextOf } from '../call.ts'
import type { Execute } from '../plugin.ts'
import { respond, respondText } from '../response/respond.ts'
import type { HttpStage } from '../stage.ts'

/** The last stage: sends what `execute` answers. */
export const respondWith =
  (execute: Execute): HttpStage =>
  (_, { server }) =>
  async (call) => {
    const answer = await execute(call)
    if (!('document' in answer)) return respondText(call.koa, answer)
    const { status, document, headers, version } = answer
    respond(call.koa, status, document, headers, server.etags ? version : undefined, sizeCheck(call))
  }

/** What a read answers with has an end. A write is done by now, whatever it answers with. */
function sizeCheck(call: Call): ((bytes: number) => void) | undefined {
  const { operation } = call
  if (!operation || !isReading(operation)) return undefined
  const { at, limits } = contextOf(call)
  return (bytes) => {
    if (bytes > limits.documentBytes) throw documentTooLarge(sizeParameter(at), limits.documentBytes)
  }
}
