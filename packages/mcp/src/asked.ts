import type { Call } from '@prismapi/core/http/call'
import type { HttpStage } from '@prismapi/core/http/plugin'
import { respond } from '@prismapi/core/http/response/respond'
import { jsonapiOf } from '@prismapi/jsonapi/document/types'
import { noTracing } from '@prismapi/jsonapi/request/observer'

/** Ends the work on a request that is only to be authorized. */
class Allowed extends Error {}

/** A request of which nothing stays. Its key, if it has one, means nothing. */
export const markDryRuns =
  (isDry: (call: Call) => boolean): HttpStage =>
  (next) =>
  (call) => {
    if (isDry(call)) call.isDryRun = true
    return next(call)
  }

/** Requests that only ask whether they are allowed end there. */
export const endAtPermission =
  (isAsked: (call: Call) => boolean): HttpStage =>
  (next, { server }) =>
  async (call) => {
    if (!isAsked(call)) return next(call)
    const stop = () => {
      throw new Allowed()
    }
    call.observe({
      ...noTracing,
      authorized({ allowed, isLast }) {
        if (allowed && isLast) stop()
      },
      linksPermitted: stop,
    })
    try {
      await next(call)
    } catch (error) {
      if (!(error instanceof Allowed)) throw error
      respond(call.koa, 200, { jsonapi: jsonapiOf(server.version, call.negotiated), meta: {} })
    }
  }
