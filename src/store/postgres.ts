import { PrismaPg } from '@prisma/adapter-pg'
import pg from 'pg'
import type { SqlDatabase } from './sql/database.ts'
import { postgresDatabase } from './sql/postgres-database.ts'
import { postgresWriter } from './sql/postgres-writer.ts'
import type { PrismaClientLike } from './store.ts'

interface PostgresClient extends PrismaClientLike {
  $disconnect(): Promise<void>
}

export interface PostgresOptions {
  /** Is told each query that goes past Prisma, as it runs. */
  readonly onQuery?: (sql: string) => void
}

/**
 * What a PostgreSQL database needs: a Prisma client, and prepared statements on the same pool of connections, which read
 * what they know faster than Prisma can. `?schema=` of the URL names the schema of the tables.
 *
 * Behind a pooler that gives each statement another connection, prepared statements cannot work: pass the Prisma client
 * alone to `createApi`, or have the servers read with `reads = 'prisma'`.
 *
 * @param url `postgresql://user:password@host:5432/database?schema=public`
 *
 * @example
 * const clients = await postgresClients((adapter) => new PrismaClient({ adapter }), process.env.DATABASE_URL)
 */
export async function postgresClients<Client extends PostgresClient>(
  makeClient: (adapter: PrismaPg) => Client,
  url: string,
  { onQuery }: PostgresOptions = {},
): Promise<{ reader: Client; writer: Client; sql: SqlDatabase; close(): Promise<void> }> {
  const own = new URL(url)
  const { schema = 'public', options = '' } = Object.fromEntries(own.searchParams)
  // What stands in the URL would win.
  own.searchParams.delete('options')
  // The adapter writes and reads instants without their offset, as if every session were in UTC.
  const pool = new pg.Pool({ connectionString: own.href, options: `${options} -c TimeZone=UTC` })
  // An idle connection that the server closes is replaced; without a listener it would end the process.
  pool.on('error', () => {})
  const client = makeClient(new PrismaPg(pool, { schema }))
  const database = postgresDatabase({ pool, schema, onQuery })
  const sql = { ...database, writer: postgresWriter(client, database) }
  const close = async () => {
    await client.$disconnect()
    await pool.end()
  }
  return { reader: client, writer: client, sql, close }
}
