import { routeTemplate } from '../../request/routes.ts'
import type { Telemetry } from '../../request/telemetry.ts'
import type { Call } from '../call.ts'
import type { Plugin } from '../plugin.ts'

/** Spans and metrics of each call. */
export const tracing = (telemetry: Telemetry): Plugin => ({
  around: (next, { server }) => {
    const baseUrl = new URL(server.baseUrl)
    return (call) => {
      const { req, res } = call.koa
      call.observer = telemetry
      const below = routeOf(call)
      const route = below === null ? null : server.basePath + below
      return telemetry.request({ req, res, route, baseUrl }, async () => next(call))
    }
  },
})

function routeOf({ path, page, isAtomic, route }: Call): string | null {
  if (page || isAtomic) return path
  return route && routeTemplate(route)
}
