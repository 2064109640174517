import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { CompiledServer } from '@prismapi/core/server/compile'
import { nearest } from '@prismapi/jsonapi/model/nearest'
import { type Input, UsageError } from './command.ts'

/** The application's servers: the folders `src/app/<name>` with a `server.ts`. */
export function listServers(root: string): readonly string[] {
  const app = join(root, 'src/app')
  if (!existsSync(app)) return []
  return readdirSync(app)
    .filter((name) => existsSync(join(app, name, 'server.ts')))
    .sort()
}

/** The server that `--server` names; without it the only one there is. */
export function chooseServer(root: string, named: unknown): string {
  const servers = listServers(root)
  const [only] = servers
  if (only === undefined) throw new UsageError('There is no server yet. Run prismapi server <name>.')
  if (typeof named !== 'string') {
    if (servers.length === 1) return only
    throw new UsageError(`There are several servers: say --server=${servers.join(' or --server=')}.`)
  }
  if (servers.includes(named)) return named
  const meant = nearest(named, servers)
  throw new UsageError(
    `There is no server "${named}". ${meant ? `Did you mean ${meant}?` : `Known: ${servers.join(', ')}.`}`,
  )
}

/**
 * The types that `--types` names; null without it.
 *
 * @throws {UsageError} for a type that the server does not have.
 */
export function typesOf({ schemas }: CompiledServer, named: unknown): ReadonlySet<string> | null {
  if (typeof named !== 'string') return null
  const types = named.split(',')
  for (const type of types)
    if (!schemas.byType.has(type)) throw new UsageError(`The server has no resource type ${type}.`)
  return new Set(types)
}

interface RequestPlace {
  readonly folder: string
  readonly servers: readonly string[]
}

/** The file of a request or query class, and its servers: the named one, or all that have no class of their own. */
export function requestsOf({ root, values }: Input, file: string): RequestPlace {
  const own = (server: string) => `requests/${server}`
  if (values.server !== undefined) {
    const server = chooseServer(root, values.server)
    return { folder: own(server), servers: [server] }
  }
  return { folder: 'requests', servers: listServers(root).filter((each) => !existsSync(join(root, own(each), file))) }
}
