import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../../test/support/npm-start.ts'
import { inPostgres } from '../../../test/support/postgres.ts'
import { asPostgres, findProgram, startProgram } from '../programs.ts'
import { startDatabaseBalancer } from './database-balancer.ts'
import { makeNode, type Node } from './node.ts'

export type Cluster = Awaited<ReturnType<typeof startCluster>>

const names = ['one', 'two', 'three']
// Also a server that is being copied listens.
const followers = `SELECT sync_state AS sync FROM pg_stat_replication
  WHERE state = 'streaming' AND application_name IN (${names.map((name) => `'${name}'`).join()})`
/** Milliseconds for what Patroni does by itself, on a machine that is busy. */
const patience = 180_000

/**
 * Three PostgreSQL servers under Patroni, with an etcd and an HAProxy of their own. A commit waits for one of the replicas. Whatever
 * becomes of the process that has started them, they end with it.
 */
export async function startCluster() {
  const folder = mkdtempSync(path.join(tmpdir(), 'prismapi-failover-'))
  const nodes: Node[] = []
  const powerOff = () => {
    for (const node of nodes) node.powerOff()
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }
  process.once('exit', powerOff)
  if (process.getuid?.() === 0) execFileSync('chown', ['postgres', folder])
  const etcd = await startEtcd(folder)
  const planned = await Promise.all(
    names.map(async (name) => ({
      name,
      port: await freePort(),
      patroniPort: await freePort(),
      readPort: await freePort(),
    })),
  )
  for (const plan of planned) nodes.push(makeNode({ ...plan, folder, etcdPort: etcd.port }))
  for (const node of nodes) node.start()
  const writePort = await freePort()
  const balancer = await startDatabaseBalancer({ folder, writePort, nodes: planned })

  const leader = async (): Promise<Node | null> => {
    const answers = await Promise.all(nodes.map(({ patroniPort }) => ask(patroniPort, '/primary')))
    return nodes[answers.findIndex((answer) => answer?.status === 200)] ?? null
  }
  /** Two replicas follow the leader, and commits wait for one of them. */
  const isWhole = async () => {
    const first = await leader()
    if (first === null) return false
    const rows = await inPostgres(first.url, (client) => client.query<{ sync: string }>(followers)).then(
      (found) => found.rows,
      () => [],
    )
    return rows.length === 2 && rows.some(({ sync }) => sync === 'sync')
  }
  return {
    nodes,
    leader,
    async whole() {
      for (const began = performance.now(); !(await isWhole()); await sleep(200)) {
        if (performance.now() - began < patience) continue
        const logs = nodes.map(({ name }) => `${name}:\n${lastOf(path.join(folder, `${name}.log`))}`)
        throw new Error(`The cluster is not whole.\n${logs.join('\n')}`)
      }
    },
    /** Of a database: the address of the leader, and those of the servers while they are replicas. */
    urls: (database: string) => ({
      leader: `postgresql://postgres@127.0.0.1:${writePort}/${database}`,
      replicas: planned.map(({ readPort }) => `postgresql://postgres@127.0.0.1:${readPort}/${database}`),
    }),
    async close() {
      await balancer.stop()
      powerOff()
      process.off('exit', powerOff)
      await etcd.stop()
    },
  }
}

async function startEtcd(folder: string) {
  const [port, peerPort] = [await freePort(), await freePort()]
  const [url, peerUrl] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peerPort}`]
  const options = {
    name: 'etcd',
    'data-dir': path.join(folder, 'etcd'),
    'listen-client-urls': url,
    'advertise-client-urls': url,
    'listen-peer-urls': peerUrl,
    'initial-advertise-peer-urls': peerUrl,
    'initial-cluster': `etcd=${peerUrl}`,
    'enable-v2': 'true',
    'log-level': 'error',
  }
  const args = Object.entries(options).map(([name, value]) => `--${name}=${value}`)
  return { port, ...(await startProgram(asPostgres([findProgram('etcd'), ...args]), port)) }
}

/** Null where it does not answer in time. */
async function ask(port: number, uri: string) {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}${uri}`, { signal: AbortSignal.timeout(1000) })
    return { status: answer.status, text: await answer.text() }
  } catch {
    return null
  }
}

const lastOf = (log: string): string => readFileSync(log, 'utf8').split('\n').slice(-15).join('\n')
