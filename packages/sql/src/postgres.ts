import { frameworkRole, guardedRole } from '@prismapi/core/database/session'
import type { SqlDatabase } from '@prismapi/core/database/sql-database'
import type { PrismaClientLike } from '@prismapi/core/database/store'
import pg from 'pg'
import { checkUrl } from './databases/check-database.ts'
import { postgresForeignKeys, postgresSizes, postgresTriggers } from './databases/postgres-catalog.ts'
import { postgresDatabase, postgresVersion, postgresWriter } from './databases/postgres-database.ts'
import { endConnection, postgresTransactions } from './databases/postgres-transactions.ts'
import { type PrismaPg, postgresAdapter } from './prisma/postgres-adapter.ts'
import { openPostgresReplicas, type PostgresReplicas } from './replicas/postgres-replicas.ts'
import type { ReplicaState } from './replicas/watch-replicas.ts'

export type { ReplicaState }

/** A Prisma client that can be closed. */
export interface PostgresClient extends PrismaClientLike {
  /** Closes its connections. */
  $disconnect(): Promise<void>
}

/** What `postgresClients` is told beside the client and the database. */
export interface PostgresOptions {
  /** Is told each query that goes past Prisma, as it runs. */
  readonly onQuery?: (sql: string) => void
  /** How many connections there are at most. By default 10. */
  readonly connections?: number
  /**
   * Milliseconds to wait for one of them, a free or a new one; then
   * 503. By default 5000; 0 is for ever, here and below.
   */
  readonly connectMilliseconds?: number
  /** Milliseconds that one statement may take; then 503. By default 15000. */
  readonly statementMilliseconds?: number
  /** Milliseconds that a statement may wait for a row or table that others have locked; then 503. By default 5000. */
  readonly lockMilliseconds?: number
  /** Milliseconds that a transaction may stay open and do nothing, as behind a hook that hangs. By default 15000. */
  readonly idleTransactionMilliseconds?: number
  /**
   * True, or `?pgbouncer=true` in the URL, behind a pooler that gives each transaction another connection: no
   * statement has a name, and no session is set up. The database itself has to be in UTC and set the limits of time.
   */
  readonly pooler?: boolean
  /**
   * The database refuses what policies and scopes forbid, too: each request reads and writes in
   * transactions that say who is asking. The migration that `prismapi rls` prints comes first.
   */
  readonly guarded?: boolean
  /** URLs of streaming replicas, with the same name and `?schema=`: requests that only read are read from them. */
  readonly replicas?: readonly string[]
  /** How far behind, in milliseconds, a replica may be that is read. By default 10000. */
  readonly replicaLagMilliseconds?: number
  /** Is told, for the log, when a replica (`host:port`) begins to be read, is too late, does not answer, or is none. */
  readonly onReplica?: (host: string, state: ReplicaState) => void
}

/**
 * What a PostgreSQL database needs: a Prisma client, and prepared statements on the same pool of connections,
 * which read what they know faster than Prisma can. `?schema=` of the URL names the schema of the tables.
 *
 * Its sessions have limits of time, which the database keeps by itself; what `?options=` of the URL
 * sets comes before them. Behind PgBouncer, pass `pooler: true`, and have the database set them.
 *
 * With `replicas`, requests that only read are read from them, and a client that
 * has written reads what was written; a replica that is away, or too late, is left
 * alone until it is back. Writes, and all that is read for them, are the primary's.
 *
 * @param url `postgresql://user:password@host:5432/database?schema=public`
 *
 * @throws {Error} behind a pooler, for a database that is not in UTC;
 * with `guarded`, for one without the migration of `prismapi rls`
 *
 * @example
 * import { postgresClients } from 'prismapi/postgres'
 * import { PrismaClient } from '../../prisma/generated/client/client.ts'
 *
 * const { DATABASE_URL = 'postgresql://localhost/blog' } = process.env
 * const clients = await postgresClients((adapter) => new PrismaClient({ adapter }), DATABASE_URL)
 */
export async function postgresClients<Client extends PostgresClient>(
  makeClient: (adapter: PrismaPg) => Client,
  url: string,
  options: PostgresOptions = {},
): Promise<PostgresClients<Client>> {
  checkUrl(url, { name: 'PostgreSQL', schemes: ['postgresql:', 'postgres:'] })
  const { onQuery, guarded = false, replicas: urls = [], replicaLagMilliseconds = 10_000, onReplica } = options
  const pooler = options.pooler ?? new URL(url).searchParams.get('pgbouncer') === 'true'
  const open = (at: string) => {
    const { pool, schema } = openPool(at, { ...options, pooler })
    const sql = postgresDatabase({ pool, schema, onQuery, hasNames: !pooler })
    const adapter = postgresAdapter(pool, {
      schema,
      cancel: (connection) => endConnection(connection, { pool, pooler }),
    })
    return { pool, client: makeClient(adapter), sql }
  }
  const { pool, client, sql } = open(url)
  if (pooler) await checkTimeZone(pool)
  if (guarded) await checkGuard(pool)
  const copies =
    urls.length > 0
      ? await openPostgresReplicas({ urls, primaryUrl: url, open, onReplica, lagMilliseconds: replicaLagMilliseconds })
      : null
  const close = async () => {
    await copies?.close()
    await client.$disconnect()
    await pool.end()
  }
  const begin = postgresTransactions({ pool, pooler, statementsOn: sql.statementsOn, onQuery })
  const writer = postgresWriter(client, sql, begin)
  const sizes = postgresSizes(sql.prepare)
  const catalog = { triggeredTables: postgresTriggers(sql.prepare), foreignKeys: postgresForeignKeys(sql.prepare) }
  // A pooler may go on with another server, unseen.
  const version = pooler ? {} : { version: postgresVersion(pool, sql.prepare) }
  return {
    reader: client,
    writer: client,
    sql: { ...sql, ...version, sizes, writer, ...catalog },
    replicas: copies?.replicas,
    guarded,
    close,
  }
}

/** What `postgresClients` opens: the `clients` of `createApi`. */
export interface PostgresClients<Client extends PostgresClient> {
  /** Prisma for what is read; the writer itself. */
  readonly reader: Client
  /** Prisma for what is written. */
  readonly writer: Client
  /** Prepared statements on the same pool. */
  readonly sql: SqlDatabase
  /** The replicas with their clients; undefined where there are none. */
  readonly replicas: PostgresReplicas<Client> | undefined
  /** Whether requests tell the database who is asking. */
  readonly guarded: boolean
  /** Closes all connections. */
  close(): Promise<void>
}

function openPool(url: string, options: PostgresOptions): { readonly pool: pg.Pool; readonly schema: string } {
  const own = new URL(url)
  const { schema = 'public', options: ofUrl = '' } = Object.fromEntries(own.searchParams)
  // What stands in the URL would win.
  own.searchParams.delete('options')
  own.searchParams.delete('pgbouncer')
  const { connections = 10, connectMilliseconds = 5000, pooler = false } = options
  const pool = new pg.Pool({
    connectionString: own.href,
    // The adapter writes and reads instants without their offset, as if every session were in UTC.
    ...(!pooler && { options: `${timeLimits(options)} ${hashing} ${ofUrl} -c TimeZone=UTC` }),
    max: connections,
    connectionTimeoutMillis: connectMilliseconds,
    // A server that has vanished without a word is noticed.
    keepAlive: true,
  })
  // An idle connection that the server closes is replaced; without a listener it would end the process.
  pool.on('error', () => {})
  return { pool, schema }
}

async function checkTimeZone(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ zone: string; name: string }>(
    `SELECT current_setting('TimeZone') AS zone, current_database() AS name`,
  )
  const [{ zone, name }] = rows as [{ zone: string; name: string }]
  if (/^(Etc\/)?(UTC|GMT)$/.test(zone)) return
  await pool.end()
  throw new Error(
    `postgresClients({ pooler }): the sessions of the database ${name} are in ${zone}, and a pooler passes no settings on. Run: ALTER DATABASE ${pg.escapeIdentifier(name)} SET TimeZone TO 'UTC'`,
  )
}

const roles = `SELECT rolname, pg_has_role(oid, 'member') FROM pg_roles WHERE rolname IN ('${guardedRole}', '${frameworkRole}')`

/** @throws {Error} for a database without the roles of guarded requests, or a user that may not have them. */
async function checkGuard(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<[string, boolean]>({ text: roles, rowMode: 'array' })
  const found = new Map(rows)
  if (found.get(guardedRole) && found.get(frameworkRole)) return
  await pool.end()
  throw new Error(`postgresClients({ guarded }): ${problemOf(found)}`)
}

function problemOf(found: ReadonlyMap<string, boolean>): string {
  const lacking = [guardedRole, frameworkRole].find((role) => !found.has(role))
  if (lacking) return `the database has no role ${lacking}. Apply the migration that npx prismapi rls prints.`
  return found.get(guardedRole)
    ? `the user of DATABASE_URL may not become ${frameworkRole}. Apply the migration that npx prismapi rls prints now.`
    : `the user of DATABASE_URL may not become ${guardedRole}. Run: GRANT ${guardedRole} TO <user>`
}

/**
 * The rows that a condition across a relation finds are put into a hash table. If PostgreSQL expects them to need more
 * than `work_mem` times this, it goes through all of them for each row of the other side instead, which never ends.
 */
const hashing = '-c hash_mem_multiplier=8'

/** As settings of the session, so that they cost no query. */
const timeLimits = ({
  statementMilliseconds = 15_000,
  lockMilliseconds = 5000,
  idleTransactionMilliseconds = 15_000,
}: PostgresOptions): string =>
  `-c statement_timeout=${statementMilliseconds} -c lock_timeout=${lockMilliseconds} -c idle_in_transaction_session_timeout=${idleTransactionMilliseconds}`
