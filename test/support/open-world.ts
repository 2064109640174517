import { afterAll, beforeAll, beforeEach } from 'vitest'
import { openTestDatabase } from './database.ts'
import { fillWorld } from './hidden-world.ts'
import { HidingServer } from './hiding-servers.ts'
import { type Ask, type Database, exampleWith, type Running, startServers } from './servers.ts'

class OpenServer extends HidingServer {
  override authorizable() {
    return false
  }
}

/**
 * The world with hidden rows, anew for each test, behind a server that asks nobody for permission and has no rules but the
 * inferred ones: its scopes alone stand in the way.
 */
export function useOpenWorld() {
  let database: Database
  let running: Running
  beforeAll(async () => {
    database = await openTestDatabase()
    running = await startServers(database, await exampleWith(OpenServer, { requests: new Map() }))
  })
  beforeEach(() => fillWorld(database.writer))
  afterAll(async () => {
    await running.close()
    await database.close()
  })
  /** Asks as an administrator; the path is below `/api/v1`. */
  const ask: Ask = (method, path, send) => running.as(1)(method, `/api/v1${path}`, send)
  return {
    ask,
    get db() {
      return database.writer
    },
  }
}

const named =
  (type: string) =>
  (id: number): { type: string; id: string } => ({ type, id: String(id) })

export const post = named('posts')
export const tag = named('tags')
export const user = named('users')
export const profile = named('profiles')
export const comment = named('comments')
export const video = (number: number) => ({ type: 'videos', id: videoId(number) })
export const videoId = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`

/** A document that changes relations of a resource. */
export const changed = (identifier: object, relationships: object) => ({ data: { ...identifier, relationships } })
