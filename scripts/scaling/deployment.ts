import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { type AppProcess, startApp } from '../../test/support/app-process.ts'
import { cloneProject } from '../../test/support/clone.ts'
import { freePort } from '../../test/support/npm-start.ts'
import { inPostgres, withDatabase } from '../../test/support/postgres.ts'
import { postgresPrograms, startPrivatePostgres, startPrivateReplica } from '../../test/support/private-postgres.ts'
import { workersOf } from '../../test/support/worker-processes.ts'
import { startLoadBalancer } from './load-balancer.ts'
import { startPooler } from './pooler.ts'

export const secret = 'a secret of the scaling run, long enough'
export const database = 'blog'
// A replica has to have room for no less than its primary.
const settings = { max_connections: 200 }

export interface Plan {
  readonly hasPooler: boolean
  readonly tell: (line: string) => void
}

export type Deployment = Awaited<ReturnType<typeof deploy>>

/** A primary, a replica, two servers of the example with two workers each, and a load balancer; perhaps poolers. */
export async function deploy({ hasPooler, tell }: Plan) {
  if (postgresPrograms === null)
    throw new Error('PostgreSQL is not installed: initdb, pg_ctl and pg_basebackup are needed.')
  const ends: (() => unknown)[] = []
  const close = async () => {
    for (const end of ends.reverse()) await end()
  }
  try {
    const folder = mkdtempSync(path.join(tmpdir(), 'prismapi-scaling-'))
    ends.push(() => rmSync(folder, { recursive: true }))
    // Its Prisma client is for PostgreSQL, whatever that of the working tree is for.
    const project = cloneProject()
    ends.push(() => rmSync(project, { recursive: true }))
    const primary = await startPrivatePostgres(settings)
    ends.push(primary.remove)
    const url = withDatabase(primary.url, database)
    await prepare(project, primary.url, url)
    tell('A primary is there, migrated.')
    const replica = await startPrivateReplica(primary, settings)
    ends.push(replica.remove)
    const replicaUrl = withDatabase(replica.url, database)
    tell('A streaming replica follows it.')
    const through = async (behind: string): Promise<string> => {
      if (!hasPooler) return behind
      const port = await freePort()
      const own = mkdtempSync(path.join(tmpdir(), 'prismapi-pooler-'))
      ends.push(() => rmSync(own, { recursive: true }))
      const pooler = await startPooler({ folder: own, port, url: behind, connections: 10 })
      ends.push(pooler.stop)
      return `postgresql://postgres@127.0.0.1:${port}/${database}?pgbouncer=true`
    }
    const port = await freePort()
    const env = {
      DATABASE_URL: await through(url),
      REPLICA_URLS: await through(replicaUrl),
      BASE_URL: `http://127.0.0.1:${port}`,
      AUTH_SECRET: secret,
      WORKERS: '2',
    }
    const servers = [await serverOf(project, env), await serverOf(project, env)] as const
    ends.push(() => Promise.all(servers.map((server) => server.stop())))
    for (const server of servers) await server.start()
    tell('Two servers of the example listen, with two workers each.')
    const balancer = await startLoadBalancer({ folder, port, servers: servers.map((server) => server.port) })
    ends.push(balancer.stop)
    return { origin: env.BASE_URL, url, replicaUrl, replica, servers, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** The example's tables and data, and sessions as the framework wants them, also behind a pooler. */
export async function prepare(project: string, server: string, url: string): Promise<void> {
  const ofSessions = {
    TimeZone: 'UTC',
    statement_timeout: '15s',
    lock_timeout: '5s',
    idle_in_transaction_session_timeout: '15s',
  }
  await inPostgres(server, (client) => client.query(`CREATE DATABASE ${database}`))
  for (const [name, value] of Object.entries(ofSessions)) {
    const set = `ALTER DATABASE ${database} SET ${name} TO ${pg.escapeLiteral(value)}`
    await inPostgres(server, (client) => client.query(set))
  }
  const { PATH = '', HOME = '' } = process.env
  const env = { PATH, HOME, DATABASE_URL: url, PORT: String(await freePort()) }
  const before = ['--conditions=prismapi/source', '--import', 'tsx', 'scripts/prestart.ts']
  await promisify(execFile)(process.execPath, before, { cwd: project, env })
}

export async function serverOf(project: string, env: Readonly<Record<string, string>>) {
  const port = await freePort()
  let running: AppProcess | null = null
  let logged = ''
  process.once('exit', () => running?.stop('SIGKILL'))
  const end = async (signal: NodeJS.Signals) => {
    const process_ = running
    running = null
    process_?.stop(signal)
    const said = await process_?.exit
    logged += said?.stderr ?? ''
  }
  return {
    port,
    /** Undefined where it does not run. */
    pid: () => running?.pid,
    log: () => logged + (running?.log() ?? ''),
    async start() {
      running = startApp({ ...env, PORT: String(port) }, undefined, project)
      await running.firstLine
    },
    stop: () => end('SIGTERM'),
    killWorker() {
      const [worker] = workersOf(running?.pid ?? 0)
      if (worker) process.kill(worker, 'SIGKILL')
    },
    /** The supervisor and its workers, as if the machine had lost its power. */
    async kill() {
      const workers = workersOf(running?.pid ?? 0)
      const killed = end('SIGKILL')
      for (const worker of workers) process.kill(worker, 'SIGKILL')
      await killed
    },
  }
}
