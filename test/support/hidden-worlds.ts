import type { Walker } from '@prismapi/testing/internal/kit/leaks/walk'
import type { World } from '@prismapi/testing/internal/kit/leaks/world'
import type { Schema } from 'prismapi'
import type { ServerParts } from 'prismapi/types'
import { afterAll, beforeAll } from 'vitest'
import { openTestDatabase } from './database.ts'
import { fillWorld, forgetHidden, visibleTo, worldOf } from './hidden-world.ts'
import { HidingServer } from './hiding-servers.ts'
import { type Database, exampleWith, type Running, startServers } from './servers.ts'

/** Everybody who may ask: the world has these users. */
export const callers = [
  ['a guest', null],
  ['a member', 3],
  ['an editor', 2],
  ['an administrator', 1],
] as const

interface Own {
  readonly server?: ServerParts['server']
  /** The twin's server, where it is another one: without a scope, it shows what there is to see all the same. */
  readonly twinServer?: ServerParts['server']
  /** Schema classes by model, in the place of the example's. */
  readonly schemas?: Readonly<Record<string, new () => Schema<never>>>
}

/** The world with hidden rows and its twin without them, each behind the same server. */
export function useWorlds({ server = HidingServer, twinServer = server, schemas = {} }: Own = {}) {
  const databases: Database[] = []
  const running: Running[] = []
  beforeAll(async () => {
    for (const isTwin of [false, true]) {
      const database = await openTestDatabase()
      databases.push(database)
      await fillWorld(database.writer)
      if (isTwin) await forgetHidden(database.writer)
      const parts = await exampleWith(isTwin ? twinServer : server)
      const servers = parts.servers.map((each) => ({
        ...each,
        schemas: new Map([...each.schemas, ...Object.entries(schemas)]),
      }))
      running.push(await startServers(database, { ...parts, servers }))
    }
  })
  afterAll(async () => {
    for (const each of running) await each.close()
    for (const each of databases) await each.close()
  })
  const [full, pruned] = [0, 1].map((i) => () => running[i] as Running) as [() => Running, () => Running]
  const getOf = (of: () => Running, userId: number | null) => {
    const ask = of().as(userId)
    return (path: string) => ask('GET', path)
  }
  return {
    get world(): World {
      return worldOf(full().api.servers[0] as World['server'])
    },
    /** The servers of the world, and those of its twin. */
    running,
    /** A client of the world's database, and one of its twin's. */
    get databases() {
      return databases.map(({ writer }) => writer)
    },
    walker: (userId: number | null): Walker => ({ get: getOf(full, userId), twin: getOf(pruned, userId) }),
    visibleTo,
  }
}
