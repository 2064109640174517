import { type Awaitable, after } from '../../model/awaitable.ts'
import type { Call } from '../call.ts'
import type { HttpStage } from '../stage.ts'

/** Finds out who is asking, before the body is read: 401 for credentials that are wrong. */
export const authenticate: HttpStage = (next) => (call) => after(userOf(call), () => next(call))

/** The user of a call, who is known from now on; null for a guest. */
export function userOf(call: Call): Awaitable<unknown> {
  const { koa, api, observer } = call
  const answer = observer ? observer.stage('authenticate', () => api.authenticate(koa)) : api.authenticate(koa)
  return after(answer as Awaitable<unknown>, (user) => {
    call.user = user ?? null
    return call.user
  })
}
