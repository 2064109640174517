import { type Awaitable, after } from '../../model/awaitable.ts'
import type { Call } from '../call.ts'
import { refusalIn } from '../response/error-boundary.ts'
import type { HttpStage } from '../stage.ts'

/** Finds out who is asking, before the body is read: 401 for credentials that are wrong. */
export const authenticate: HttpStage = (next) => (call) => after(userOf(call), () => next(call))

/**
 * The user whom a page is made for; whom `authenticate` refuses with a 4xx of whatever kind is a guest.
 *
 * @throws whatever else `authenticate` throws: without its database nobody knows who is asking.
 */
export async function knownUser(call: Call): Promise<unknown> {
  if (call.user !== undefined) return call.user
  try {
    return await userOf(call)
  } catch (error) {
    if (refusalIn(error)) return null
    throw error
  }
}

/** The user of a call, who is known from now on; null for a guest. */
export function userOf(call: Call): Awaitable<unknown> {
  const { koa, api, observer } = call
  const answer = observer ? observer.stage('authenticate', () => api.authenticate(koa)) : api.authenticate(koa)
  return after(answer as Awaitable<unknown>, (user) => {
    call.user = user ?? null
    return call.user
  })
}
