// `npm run scaling`: several machines, on one of them. Read docs/scaling.md. `npm run scaling -- --failover`: the primary dies.
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { inPostgres } from '../../test/support/postgres.ts'
import { numberOption } from '../number-option.ts'
import { type Deployment, deploy, secret } from './deployment.ts'
import { failOver } from './failover/run.ts'
import { type Load, startLoad } from './load.ts'

const { values } = parseArgs({
  options: {
    /** How long there is load. */
    seconds: { type: 'string' },
    /** PgBouncer stands before each of the two databases. */
    pooler: { type: 'boolean', default: false },
    /** The primary dies, and one of its replicas takes over, so many times. */
    failover: { type: 'boolean', default: false },
    failures: { type: 'string' },
  },
})

const tell = (line: string) => console.error(`${Math.round(process.uptime())} s: ${line}`)

async function main(): Promise<void> {
  const seconds = numberOption('--seconds', values.seconds, { otherwise: 30 })
  const deployment = await deploy({ hasPooler: values.pooler, tell })
  try {
    const load = await startLoad(deployment.origin, secret)
    const readByReplica = await breakThings(deployment, seconds * 1000).catch(async (error: unknown) => {
      await load.stop()
      throw error
    })
    tell('The load ends.')
    const { tags, statuses, strange, ownWritesRead } = await load.stop()
    const lost = { primary: await missing(deployment.url, tags), replica: await missingOnReplica(deployment, tags) }
    const states = deployment.servers.map(({ log }) => statesIn(log()).map(([pid, state]) => `${pid} ${state}`))
    console.log(
      JSON.stringify(
        {
          acknowledged: tags.size,
          ownWritesRead,
          readByReplica,
          statuses,
          strange: strange.slice(0, 20),
          lost,
          states,
        },
        null,
        2,
      ),
    )
    const isGood = [strange, lost.primary, lost.replica].every(({ length }) => length === 0) && readByReplica > 100
    if (!isGood) process.exitCode = 1
  } finally {
    await deployment.close()
  }
}

async function primaryDies(): Promise<void> {
  // What it has started ends with it.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  const failures = numberOption('--failures', values.failures, { otherwise: 10, to: 100 })
  setTimeout(
    () => {
      console.error('It takes too long.')
      process.exit(1)
    },
    (180 + 90 * failures) * 1000,
  ).unref()
  const { report, isGood } = await failOver({ failures, tell })
  console.log(JSON.stringify(report, null, 2))
  if (!isGood) process.exitCode = 1
}

/** A worker, a server, the replica: one after the other, under load. How many transactions the replica had before. */
async function breakThings({ servers, replica, replicaUrl }: Deployment, milliseconds: number): Promise<number> {
  const [first, second] = servers
  const wait = () => sleep(milliseconds / 6)
  const before = await transactions(replicaUrl)
  await wait()
  tell('A worker is killed.')
  first.killWorker()
  await wait()
  tell('A server is killed, with its workers.')
  await second.kill()
  await wait()
  tell('It is started again.')
  await second.start()
  await wait()
  const readByReplica = (await transactions(replicaUrl)) - before
  tell('The replica is killed.')
  await replica.stop('immediate')
  await wait()
  tell('It is started again.')
  await replica.start()
  await wait()
  for (const { log } of servers) await usedAgain(log)
  return readByReplica
}

/** Every process that has said that the replica is away says that it reads it. */
async function usedAgain(log: () => string): Promise<void> {
  const isUsed = () => [...new Map(statesIn(log())).values()].every((state) => state === 'used')
  for (let tried = 0; !isUsed() && tried < 100; tried++) await sleep(200)
}

/** What processes have said of the replica. */
const statesIn = (log: string): readonly (readonly [pid: number, state: string])[] =>
  log.split('\n').flatMap((line) => {
    if (!line.includes('"Replica ')) return []
    const { pid, state } = JSON.parse(line)
    return [[pid, state]]
  })

async function transactions(url: string): Promise<number> {
  const sql = 'SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()'
  return inPostgres(url, async (client) => Number((await client.query(sql)).rows[0].xact_commit))
}

/** Acknowledged tags that are not there, or have another name than they were given. */
async function missing(url: string, tags: Load['tags']): Promise<readonly string[]> {
  const { rows } = await inPostgres(url, (client) =>
    client.query<{ id: number; name: string }>('SELECT id, name FROM "Tag"'),
  )
  const found = new Map(rows.map(({ id, name }) => [String(id), name]))
  return [...tags].flatMap(([id, names]) =>
    names.includes(found.get(id) ?? '') ? [] : [`tag ${id}, ${names.join(' or ')}`],
  )
}

async function missingOnReplica({ replicaUrl }: Deployment, tags: Load['tags']): Promise<readonly string[]> {
  for (let tried = 0; ; tried++) {
    const lost = await missing(replicaUrl, tags)
    if (lost.length === 0 || tried === 50) return lost
    await sleep(200)
  }
}

const run = values.failover ? primaryDies : main
run().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
})
