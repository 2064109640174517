import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { cloneProject } from '../../../test/support/clone.ts'
import { inPostgres, withDatabase } from '../../../test/support/postgres.ts'
import { postgresPrograms } from '../../../test/support/private-postgres.ts'
import { isAlive } from '../../../test/support/worker-processes.ts'
import { database, prepare, secret, serverOf } from '../deployment.ts'
import { findProgram } from '../programs.ts'
import { type Clients, type Heard, startClients } from './clients.ts'
import { type Cluster, startCluster } from './cluster.ts'
import { type Failover, noticed, wrongWith } from './judge.ts'
import { checkLinearizable } from './linearizable.ts'
import type { Node } from './node.ts'
import { historyOf, register } from './register.ts'

export interface FailoverRun {
  readonly failures: number
  readonly tell: (line: string) => void
}

/** Milliseconds after the failover in which every server writes again. */
const recoveryTarget = 2000
/** And the longest in which a server answers no guest, although the primary is away. */
const guestTarget = 5000
/** For a replica to be promoted, on a machine that is busy. */
const patience = 120_000
/** Milliseconds of load between two failures. */
const calm = 1500

/** The primary of a cluster dies again and again, in two ways by turns, while clients of two servers of the example write and read. */
export async function failOver({ failures, tell }: FailoverRun) {
  for (const name of ['patroni', 'etcd', 'haproxy']) findProgram(name)
  if (postgresPrograms === null) throw new Error('PostgreSQL is not installed: initdb and pg_ctl are needed.')
  const ends: (() => unknown)[] = []
  const removeAtExit = (folder: string) => process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  try {
    const project = cloneProject()
    removeAtExit(project)
    const cluster = await startCluster()
    ends.push(cluster.close)
    await cluster.whole()
    tell('Three PostgreSQL servers are there: a leader, a replica that commits wait for, and another one.')
    const first = await cluster.leader()
    const urls = cluster.urls(database)
    await prepare(project, first?.url ?? '', withDatabase(first?.url ?? '', database))
    await inPostgres(withDatabase(first?.url ?? '', 'postgres'), (client) => client.query('CREATE TABLE probe (n int)'))
    const env = {
      DATABASE_URL: urls.leader,
      REPLICA_URLS: urls.replicas.join(),
      AUTH_SECRET: secret,
      LOG_LEVEL: 'info',
    }
    const servers = [await serverOf(project, env), await serverOf(project, env)]
    ends.push(() => Promise.all(servers.map((server) => server.stop())))
    for (const server of servers) await server.start()
    const pids = servers.map((server) => server.pid())
    tell('Two servers of the example listen.')
    const origins = servers.map(({ port }) => `http://127.0.0.1:${port}`)
    const clients = await startClients(origins, secret)
    const failovers: Failover[] = []
    ends.push(clients.stop)
    await sleep(calm)
    for (let n = 0; n < failures; n++)
      failovers.push(await breakLeader(cluster, clients, { n, servers: servers.length, tell }))
    tell('The clients stop.')
    const heard = await clients.stop()
    const isRestarted = servers.some((server, n) => server.pid() !== pids[n] || !isAlive(pids[n] ?? 0))
    const { report, isGood } = await judged(cluster, heard, failovers, servers.length)
    return { report: { ...report, isRestarted }, isGood: isGood && !isRestarted }
  } finally {
    for (const end of ends.reverse()) await end()
  }
}

/** The leader goes; a replica takes over; the servers write again; the leader of before comes back as a replica. */
async function breakLeader(
  cluster: Cluster,
  { answers }: Clients,
  { n, servers, tell }: { readonly n: number; readonly servers: number; readonly tell: (line: string) => void },
): Promise<Failover> {
  const leader = await cluster.leader()
  if (leader === null) throw new Error('The cluster has no leader.')
  const how = n % 2 ? 'held still' : 'killed'
  tell(`${n + 1}: The leader, ${leader.name}, is ${how}.`)
  const brokenAt = performance.now()
  if (how === 'killed') leader.kill()
  else leader.holdStill()
  const promotedAt = await firstCommit(cluster.nodes.filter((node) => node !== leader))
  const writesAgain = (server: number) =>
    answers.some((each) => each.server === server && each.kind === 'write' && isDone(each) && each.sentAt > promotedAt)
  await until(() => Array.from({ length: servers }, (_, server) => server).every(writesAgain))
  tell(
    `A replica takes commits after ${seconds(promotedAt - brokenAt)} s, and the servers write again. ${leader.name} comes back.`,
  )
  if (how === 'killed') leader.start()
  else leader.goOn()
  await cluster.whole()
  await sleep(calm)
  return { how, brokenAt, promotedAt, wholeAt: performance.now() }
}

const isDone = ({ status }: { readonly status: number | null }) => status === 200 || status === 201
const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(1)

async function until(isSo: () => boolean): Promise<void> {
  for (const began = performance.now(); !isSo() && performance.now() - began < patience; ) await sleep(50)
}

/** When one of the servers has acknowledged a commit to somebody who asks it without anything between. */
async function firstCommit(nodes: readonly Node[]): Promise<number> {
  const began = performance.now()
  let at: number | null = null
  const tryOn = async ({ url }: Node) => {
    while (at === null && performance.now() - began < patience) {
      const isCommitted = await inPostgres(url, (client) => client.query('INSERT INTO probe VALUES (1)')).then(
        () => true,
        () => false,
      )
      if (isCommitted) at ??= performance.now()
      else await sleep(50)
    }
  }
  await Promise.all(nodes.map(tryOn))
  if (at === null) throw new Error(`No replica was promoted in ${seconds(patience)} s.`)
  return at
}

/** What all of them have seen, beside what the databases have. */
async function judged(cluster: Cluster, heard: Heard, failovers: readonly Failover[], servers: number) {
  const { answers, comments, exchanges, strange, longestUntilAcknowledged } = heard
  const each = failovers.map((failover) => noticed(answers, servers, failover))
  const stored = await Promise.all(cluster.nodes.map(({ url }) => caughtUp(url, comments.acknowledged)))
  const history = historyOf(exchanges)
  const [first] = history
  const { isLinearizable, contradiction, widest } = checkLinearizable(
    history,
    register(first?.what.kind === 'read' ? first.what.version : ''),
  )
  const report = {
    failovers: each,
    answers: statusesOf(answers),
    comments: comments.acknowledged.length,
    lost: stored.flatMap(({ lost }) => lost),
    twice: stored.flatMap(({ twice }) => twice),
    strange: [...new Set(strange)].slice(0, 20),
    unanswered: answers.filter(({ status }) => status === null).length,
    withoutRetryAfter: answers.filter(({ status, hasRetryAfter }) => status === 503 && !hasRetryAfter).length,
    longestUntilAcknowledged: Math.round(longestUntilAcknowledged),
    history: {
      operations: history.length,
      unknown: history.filter(({ returnedAt }) => returnedAt === null).length,
      isLinearizable,
      contradiction,
      widest,
    },
  }
  const isGood =
    each.every(({ recoveryMilliseconds: time }) => time <= recoveryTarget) &&
    each.every(({ longestWithoutGuests: time }) => time <= guestTarget) &&
    [report.lost, report.twice, strange].every(({ length }) => length === 0) &&
    report.unanswered + report.withoutRetryAfter === 0 &&
    isLinearizable
  return { report, isGood }
}

/** What is wrong with the comments of a server, which may yet have to replay the last of them. */
async function caughtUp(url: string, acknowledged: readonly string[]) {
  const sql = `SELECT content FROM "Comment" WHERE content LIKE 'failover %'`
  for (let tried = 0; ; tried++) {
    const rows = await inPostgres(withDatabase(url, database), (client) => client.query<{ content: string }>(sql)).then(
      (found) => found.rows,
      () => [],
    )
    const wrong = wrongWith(
      rows.map(({ content }) => content),
      acknowledged,
    )
    if (wrong.lost.length === 0 || tried === 50) return wrong
    await sleep(200)
  }
}

function statusesOf(answers: Heard['answers']): Readonly<Record<string, number>> {
  const statuses: Record<string, number> = {}
  for (const { kind, status } of answers) {
    const name = `${kind} ${status}`
    statuses[name] = (statuses[name] ?? 0) + 1
  }
  return statuses
}
