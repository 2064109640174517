import { requestTimeout, unavailable } from '../../document/errors.ts'
import type { Call } from '../call.ts'
import { answerEarly } from '../response/error-boundary.ts'
import type { HttpStage } from '../stage.ts'
import { makeDeadlines } from '../throttling/deadlines.ts'

/**
 * Answers what takes too long: 408 if the client is still sending, 503 if the server is slow. A client that is slow to read its answer is
 * cut off, and answered 503 while it has left too many others unread.
 */
export const limitTime: HttpStage = (next, { server, slowReaders }) => {
  const deadlines = makeDeadlines(server.limits.requestMilliseconds, (call: Call) =>
    answerEarly(call, call.koa.req.complete ? unavailable(1) : requestTimeout()),
  )
  return async (call) => {
    const watched = deadlines.start(call)
    try {
      await next(call)
    } finally {
      watched.end()
    }
    if (!slowReaders.watch(call.koa)) answerEarly(call, unavailable(1))
  }
}
