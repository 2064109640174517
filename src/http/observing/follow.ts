import type { Context } from 'koa'
import type { Telemetry } from '../../request/telemetry.ts'
import type { CompiledServer } from '../../server/compile.ts'
import type { Api } from '../build-context.ts'
import { isReadable } from '../incoming/request-url.ts'
import { routeTemplate } from '../routes.ts'
import { withExplanation } from './explain.ts'
import { withServerTiming } from './server-timing.ts'
import type { Handle } from './tracing-of.ts'

interface Followed {
  readonly handle: Handle
  /** Is the path, below the base path, that of a page of the server itself? */
  readonly isPage: (path: string) => boolean
}

/** The handling of a server's requests, with whoever follows them: telemetry, and outside of production who asks why and how long. */
export function follow({ server, telemetry }: Api, { handle, isPage }: Followed): Handle {
  const timed = server.production ? handle : withExplanation(server, withServerTiming(handle))
  return telemetry ? withTelemetry(timed, telemetry, routeOf(server, isPage)) : timed
}

function withTelemetry(handle: Handle, telemetry: Telemetry, { route, baseUrl }: Routing): Handle {
  return (ctx) => {
    ctx.state.tracing = telemetry
    return telemetry.request({ req: ctx.req, res: ctx.res, route: route(ctx), baseUrl }, () => handle(ctx))
  }
}

interface Routing {
  readonly route: (ctx: Context) => string | null
  readonly baseUrl: URL
}

const routeOf = (server: CompiledServer, isPage: Followed['isPage']): Routing => ({
  baseUrl: new URL(server.baseUrl),
  route(ctx) {
    if (!isReadable(ctx)) return null
    const path = ctx.path.slice(server.basePath.length)
    const below = isPage(path) ? path : routeTemplate(server.schemas, path)
    return below === null ? null : server.basePath + below
  },
})
