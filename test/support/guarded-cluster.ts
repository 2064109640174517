import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type PostgresOptions, postgresClients } from '@prismapi/sql/postgres'
import { testDatabases } from '@prismapi/testing/internal/databases/test-databases'
import { PrismaClient } from '../../prisma/generated/client/client.ts'
import { seed } from '../../prisma/seed.ts'
import { startPooler } from '../../scripts/scaling/pooler.ts'
import { findProgram } from '../../scripts/scaling/programs.ts'
import { migrationsIn } from './databases/migrations.ts'
import { guardedLogin, guardedUser } from './databases/postgres.ts'
import { exampleGuard } from './guarded.ts'
import { freePort } from './npm-start.ts'
import { inPostgres, withDatabase } from './postgres.ts'
import { postgresPrograms, startPrivatePostgres, startPrivateReplica } from './private-postgres.ts'

export type GuardedCluster = Awaited<ReturnType<typeof openGuardedCluster>>

/** Connections of a pooler to its server, for all callers together. */
const connections = 3
const settings = { max_connections: 50, hot_standby_feedback: 'on' }
const open = (url: string, options: PostgresOptions = {}) =>
  postgresClients((adapter) => new PrismaClient({ adapter }), url, options)

/**
 * The example in a guarded database, on a primary and a streaming replica, each behind a PgBouncer in transaction mode.
 *
 * @throws {Error} where PostgreSQL or PgBouncer is not installed: nothing here is left out without a word.
 */
export async function openGuardedCluster() {
  if (postgresPrograms === null) throw new Error('Install PostgreSQL: initdb, pg_ctl and pg_basebackup are needed.')
  findProgram('pgbouncer')
  const ends: (() => unknown)[] = []
  const close = async () => {
    for (const end of ends.reverse()) await end()
  }
  try {
    const primary = await startPrivatePostgres(settings)
    ends.push(primary.remove)
    const url = await guardedExampleOn(primary.url)
    const replica = await startPrivateReplica(primary, settings)
    ends.push(replica.remove)
    const replicaUrl = withDatabase(replica.url, new URL(url).pathname.slice(1))
    const pooled = async (behind: string): Promise<string> => {
      const folder = mkdtempSync(path.join(tmpdir(), 'prismapi-pooler-'))
      ends.push(() => rmSync(folder, { recursive: true }))
      const own = new URL(behind)
      own.port = String(await freePort())
      const pooler = await startPooler({
        folder,
        port: Number(own.port),
        url: behind,
        connections,
        users: [guardedUser],
      })
      ends.push(pooler.stop)
      own.username = guardedUser
      return own.href
    }
    const [primaryPooled, replicaPooled] = [await pooled(url), await pooled(replicaUrl)]
    /** Past the poolers, as a user whom nothing guards. */
    const trusted = await open(url)
    ends.push(trusted.close)
    const replicas = { replicas: [replicaPooled], replicaLagMilliseconds: 600_000 }
    const guarded = await open(primaryPooled, { guarded: true, pooler: true, connections: 16, ...replicas })
    ends.push(guarded.close)
    const onReplica = (sql: string) => inPostgres(replicaUrl, (client) => client.query(sql))
    return { trusted, guarded, connections, primaryPooled, replicaPooled, onReplica, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** A guarded database of the example on that server, which is in UTC, whatever the server is. */
async function guardedExampleOn(server: string): Promise<string> {
  const { url } = await testDatabases({
    server,
    migrations: migrationsIn('prisma/postgresql/migrations'),
    async seed(seeded) {
      const clients = await open(seeded)
      await seed(clients.writer)
      await clients.close()
    },
  }).open()
  const clients = await open(url)
  const sql = await exampleGuard(clients)
  await clients.close()
  const name = new URL(url).pathname.slice(1)
  for (const statement of [sql, guardedLogin, `ALTER DATABASE "${name}" SET TimeZone TO 'UTC'`])
    await inPostgres(url, (client) => client.query(statement))
  return url
}
