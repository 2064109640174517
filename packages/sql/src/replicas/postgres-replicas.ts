import type { SqlDatabase } from '@prismapi/core/database/sql-database'
import type { PrismaClientLike, Replica, Replicas } from '@prismapi/core/database/store'
import pg from 'pg'
import { lookMilliseconds, type ReplicaState, watchReplicas } from './watch-replicas.ts'

interface PostgresReplica<Client extends PrismaClientLike> extends Replica {
  readonly reader: Client
}

/**
 * Replicas whose Prisma clients are of the application's own type.
 *
 * @internal
 */
export interface PostgresReplicas<Client extends PrismaClientLike> extends Replicas {
  readonly all: readonly PostgresReplica<Client>[]
}

interface PostgresReplicasParts<Client> {
  readonly urls: readonly string[]
  readonly primaryUrl: string
  /** What the primary has, on that URL. */
  readonly open: (url: string) => { readonly pool: pg.Pool; readonly client: Client; readonly sql: SqlDatabase }
  readonly onReplica: ((host: string, state: ReplicaState) => void) | undefined
  readonly lagMilliseconds: number
}

interface Disconnectable extends PrismaClientLike {
  $disconnect(): Promise<void>
}

/** Streaming replicas of a PostgreSQL server, looked at twice a second by connections that do nothing else. */
export async function openPostgresReplicas<Client extends Disconnectable>(
  parts: PostgresReplicasParts<Client>,
): Promise<{ readonly replicas: PostgresReplicas<Client>; close(): Promise<void> }> {
  const { urls, primaryUrl, open, onReplica, lagMilliseconds } = parts
  const primary = watcher(primaryUrl)
  const opened = urls.map((url) => {
    const { pool, client, sql } = open(url)
    const replica = { reader: client, sql }
    return { url, pool, client, replica, watch: watcher(url), cutOff: cutsOff(pool) }
  })
  const { look, ...replicas } = watchReplicas<PostgresReplica<Client>>({
    primary: shared(async () => {
      const [written, flushed] = await primary.ask(primaryPosition)
      return { written: BigInt(written as string), flushed: BigInt(flushed as string) }
    }),
    replicas: opened.map(({ url, replica, watch, cutOff }) => ({
      replica,
      async replayed() {
        const [position] = await watch.ask(replicaPosition)
        return typeof position === 'string' ? BigInt(position) : null
      },
      onAway: cutOff,
      onState: (state) => onReplica?.(new URL(url).host, state),
    })),
    lagMilliseconds,
    now: () => performance.now(),
  })
  let timer: NodeJS.Timeout
  let isClosed = false
  const lookOn = async () => {
    await look()
    if (!isClosed) timer = setTimeout(lookOn, lookMilliseconds).unref()
  }
  await lookOn()
  return {
    replicas,
    async close() {
      isClosed = true
      clearTimeout(timer)
      await Promise.all([primary.end(), ...opened.map(({ watch }) => watch.end())])
      for (const { client, pool } of opened) {
        await client.$disconnect()
        await pool.end()
      }
    },
  }
}

// The first is behind every commit, also of those that do not wait for the
// disk; the second is always the end of a record, as that of a replica is.
const primaryPosition = `SELECT pg_current_wal_insert_lsn() - '0/0', pg_current_wal_flush_lsn() - '0/0'`
const replicaPosition = `SELECT CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() - '0/0' END`

/** One connection, so that a replica that is busy with requests is not taken for one that is away. */
function watcher(url: string) {
  const pool = new pg.Pool({
    connectionString: url,
    max: 1,
    connectionTimeoutMillis: patience,
    query_timeout: patience,
    idleTimeoutMillis: 0,
  })
  pool.on('error', () => {})
  return {
    ask: async (text: string): Promise<readonly unknown[]> =>
      (await pool.query<unknown[]>({ text, rowMode: 'array' })).rows[0] ?? [],
    end: () => pool.end(),
  }
}

/** Milliseconds in which a server says how far it is. */
const patience = 1000

/** Ends the connections of a server that says nothing any more, so that no request goes on waiting for it. */
function cutsOff(pool: pg.Pool): () => void {
  const open = new Set<pg.PoolClient>()
  pool.on('connect', (client) => open.add(client))
  pool.on('remove', (client) => open.delete(client))
  return () => {
    for (const client of open) (client as unknown as Connected).connection.stream.destroy()
  }
}

interface Connected {
  readonly connection: { readonly stream: { destroy(): void } }
}

/**
 * One question at a time: who asks while one is under way shares the next one
 * with all others who do, so that each answer is from after its question.
 */
export function shared<T>(ask: () => Promise<T>): () => Promise<T> {
  let running: Promise<void> | null = null
  let next: Promise<T> | null = null
  const rest = () => {
    running = null
  }
  const begin = (): Promise<T> => {
    next = null
    const asked = ask()
    running = asked.then(rest, rest)
    return asked
  }
  return () => {
    if (running === null) return begin()
    next ??= running.then(begin)
    return next
  }
}
