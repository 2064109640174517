import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { nearest } from '../model/nearest.ts'
import { UsageError } from './command.ts'

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
  if (only === undefined) throw new UsageError('There is no server yet: src/app/<name>/server.ts makes one.')
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
