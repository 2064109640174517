import type { HttpStage } from '../stage.ts'
import { browserRoutes } from './browser-routes.ts'

/** Answers what belongs to the server itself, and to no type. */
export const answerPages: HttpStage = (next, api) => {
  const answerBrowser = browserRoutes(api)
  return (call) => {
    if (call.route || call.isAtomic) return next(call)
    return call.page ? call.page(call) : answerBrowser(call)
  }
}
