import type { CompiledServer } from '@prismapi/core/server/compile'
import { methodNotAllowed } from '@prismapi/jsonapi/document/errors'
import type { Context, Middleware } from 'koa'
import type { Feature, HttpStage } from 'prismapi/features'
import type { TokenScopes } from './token-scopes.ts'

/** What clients are told of the tokens of an API. */
export interface ProtectedResourceOptions {
  /** The issuers whose tokens the API takes. */
  readonly authorizationServers: readonly string[]
  /** The scopes that tokens may have, by their names or as `tokenScopes` declares them. */
  readonly scopes?: readonly string[] | TokenScopes
  /** The servers that it is about, by their names; left out, all of them. */
  readonly servers?: readonly string[]
}

const wellKnown = '/.well-known/oauth-protected-resource'

/**
 * Tells clients where they get tokens, as RFC 9728 says: `GET /.well-known/oauth-protected-resource/api/v1` for the
 * server with the base path `/api/v1`, and `resource_metadata` in `WWW-Authenticate` of 401 and of 403 for want of a
 * scope. Where the API has one server, its document is at `/.well-known/oauth-protected-resource` as well. List the
 * result among the features. Give the server a `challenge`, so that guests get 401 in place of 403.
 *
 * @throws {Error} at startup, for an issuer that is no URL, and without any.
 * @see https://www.rfc-editor.org/rfc/rfc9728
 * @example
 * const told = protectedResource({
 *   authorizationServers: ['https://login.example.org/realms/newsroom'],
 *   scopes: ['read', 'write'],
 * })
 */
export function protectedResource({ authorizationServers, scopes = [], servers }: ProtectedResourceOptions): Feature {
  if (authorizationServers.length === 0)
    throw new Error('protectedResource({ authorizationServers }): name at least one issuer.')
  const wrong = authorizationServers.find((issuer) => !URL.canParse(issuer))
  if (wrong !== undefined) throw new Error(`protectedResource({ authorizationServers }): "${wrong}" is no URL.`)
  const names = 'names' in scopes ? scopes.names : scopes
  const isAbout = (name: string) => servers === undefined || servers.includes(name)
  const documentOf = (resource: string) => ({
    resource,
    authorization_servers: authorizationServers,
    ...(names.length > 0 && { scopes_supported: names }),
    bearer_methods_supported: ['header'],
  })
  return {
    serve: () => (server) => (isAbout(server.name) ? { around: tellWhere(names) } : null),
    middleware: ({ servers: all }) => {
      const told = all.filter(({ name }) => isAbout(name))
      return respondAt((path) => {
        const resource = resourceAt(told, path)
        return resource === null ? null : documentOf(resource)
      })
    },
  }
}

/** Where the document of a resource is: the well-known path stands between the host and the path. */
function placeOf(resource: string): string {
  const { origin, pathname } = new URL(resource)
  return origin + wellKnown + (pathname === '/' ? '' : pathname)
}

/** The base URL of the server whose document is at a path; null where there is none. */
function resourceAt(servers: readonly CompiledServer[], path: string): string | null {
  if (!path.startsWith(wellKnown)) return null
  const [only, ...others] = servers
  if (path === wellKnown && only && others.length === 0 && only.base.names.length === 0) return only.baseUrl
  for (const server of servers) {
    const resource = server.base.names.length === 0 ? server.baseUrl : withParameters(server, path)
    if (resource !== null && new URL(placeOf(resource)).pathname === path) return resource
  }
  return null
}

/** The base URL with the values that the path has for its parameters; null for one of another form. */
function withParameters({ base, basePath, baseUrl }: CompiledServer, path: string): string | null {
  const outer = baseUrl.slice(0, baseUrl.length - basePath.length)
  const before = wellKnown + new URL(outer).pathname.replace(/\/$/, '')
  const located = path.startsWith(before) ? base.locate(path.slice(before.length)) : null
  return located && outer + located.path
}

const respondAt =
  (documentAt: (path: string) => object | null): Middleware =>
  (ctx, next) => {
    const found = documentAt(ctx.path)
    if (found === null) return next()
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') throw methodNotAllowed(ctx.method, ctx.path, ['GET', 'HEAD'])
    // Pages of any site may read it: it is about nobody.
    ctx.set({ 'Access-Control-Allow-Origin': '*', 'Cache-Control': 'public, max-age=3600' })
    ctx.body = found
  }

const tellWhere =
  (scopes: readonly string[]): HttpStage =>
  (next) =>
  async (call) => {
    await next(call)
    const { koa, api } = call
    if ((koa.status === 401 || koa.status === 403) && !koa.headerSent)
      addPlace(koa, placeOf(api.server.baseUrl), scopes)
  }

function addPlace(koa: Context, place: string, scopes: readonly string[]): void {
  const challenge = koa.response.get('WWW-Authenticate')
  if (!/^bearer\b/i.test(challenge)) return
  const more = [
    ...(koa.status === 401 && scopes.length > 0 && !/\bscope=/.test(challenge) ? [`scope="${scopes.join(' ')}"`] : []),
    `resource_metadata="${place}"`,
  ]
  const [scheme, ...given] = challenge.split(/ (.*)/s).filter((part) => part !== '')
  koa.set('WWW-Authenticate', `${scheme} ${[...given, ...more].join(', ')}`)
}
