import type { Feature } from '@prismapi/core/api/feature'
import type { Call } from '@prismapi/core/http/call'
import type { Plugin } from '@prismapi/core/http/plugin'
import { routeTemplate } from '@prismapi/jsonapi/request/operation'
import type { Telemetry } from '@prismapi/jsonapi/request/telemetry'

/** Spans and metrics of each call, where the application hands in `telemetry`. */
export const tracing: Feature = {
  serve: ({ options: { telemetry } }) => {
    const plugin = telemetry ? tracedBy(telemetry) : null
    return () => plugin
  },
}

const tracedBy = (telemetry: Telemetry): Plugin => ({
  around: (next, { server }) => {
    const baseUrl = new URL(server.baseUrl)
    return (call) => {
      const { req, res } = call.koa
      call.observe(telemetry)
      const below = routeOf(call)
      const route = below === null ? null : server.base.text.replace(/:(\w+)/g, '{$1}') + below
      return telemetry.request({ req, res, route, baseUrl }, async () => next(call))
    }
  },
})

function routeOf({ path, page, isAtomic, route }: Call): string | null {
  if (page || isAtomic) return path
  return route && routeTemplate(route)
}
