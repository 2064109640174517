import { postgresClients } from '@prismapi/sql/postgres'
import { sqliteClients } from '@prismapi/sql/sqlite'
import { PrismaClient } from '../../../prisma/generated/client/client.ts'
import { provider } from '../database.ts'
import { postgresUrl, withDatabase } from '../postgres.ts'
import type { Database } from '../servers.ts'

/** What the clients of a test file are made with. */
export type Adapter = NonNullable<ConstructorParameters<typeof PrismaClient>[0]['adapter']>

interface Parts {
  /** What stands between Prisma Client and the adapter that it would be given. */
  readonly around?: (adapter: Adapter) => Adapter
  /** How many connections PostgreSQL is asked for. */
  readonly connections?: number
  readonly connectMilliseconds?: number
}

/** Other clients of the database that a test file has. */
export async function clientsOf({ writer }: Pick<Database, 'writer'>, { around = (it) => it, ...options }: Parts) {
  const make = (adapter: Adapter) => new PrismaClient({ adapter: around(adapter) })
  if (provider === 'sqlite') {
    const [main] = await writer.$queryRawUnsafe<{ file: string }[]>('PRAGMA database_list')
    return sqliteClients(make, `file:${main?.file}`)
  }
  const [{ name }] = await writer.$queryRawUnsafe<[{ name: string }]>('SELECT current_database() AS name')
  return postgresClients(make, withDatabase(postgresUrl, name), options)
}
