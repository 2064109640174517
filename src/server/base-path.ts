import type { Server } from './server.ts'

const segments = /^(?:\/[^/]+)+$/

/**
 * Where a server lies. Not at the root of a host: it would take every URL of it, those of the application's own routes, too.
 *
 * @throws {Error} for what no URL can have below its host.
 */
export function basePathOf({ name, basePath = `/api/${name}` }: Server): string {
  if (segments.test(basePath) && new URL(`http://localhost${basePath}`).pathname === basePath) return basePath
  throw new Error(
    `Server ${name}: basePath is ${JSON.stringify(basePath)}. Begin it with a slash and end it with none, as "/api/v1": a path as URLs have it, and not the root alone.`,
  )
}
