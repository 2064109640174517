import { parseArgs } from 'node:util'
import { numberOption } from '../number-option.ts'
import { checkSameAnswers } from './check-answers.ts'
import { type Databases, delayedDatabases, postgresDatabases, sqliteDatabases } from './databases.ts'
import { type Spelling, spellings } from './dataset.ts'
import { saveFigures } from './figures.ts'
import { closedLoop, type Measured, openLoop } from './load.ts'
import {
  type Arrivals,
  type Memory,
  median,
  memoryUnderLoad,
  printMemory,
  printOpenLoop,
  printTable,
  type Results,
  type Rounds,
  resultsOf,
  worstOf,
} from './report.ts'
import { type ServerKind, type ServerProcess, startServer } from './server-process.ts'
import { signToken } from './servers/tokens.ts'
import { distinctShare, mixed, type Workload, withWrites, workloads } from './workloads.ts'

// Compares prismapi with servers written by hand, with Prisma (s1) or a driver, and with the limit of the machine (s0), in one run:
// same data, same documents, the servers by turns in short rounds. Read the figures as ratios.

const { values } = parseArgs({
  options: {
    /** Short rounds, no verdict: shows that the benchmark works. */
    quick: { type: 'boolean', default: false },
    /** Which workloads: `abc`. */
    only: { type: 'string' },
    rounds: { type: 'string' },
    /** One of the ways in which instants are stored; left out, all, and the worst figures count. */
    spelling: { type: 'string' },
    /** Twenty kinds of requests by turns, with a token; half of the URLs are new ones. */
    open: { type: 'boolean', default: false },
    /** On PostgreSQL instead of SQLite. */
    postgres: { type: 'boolean', default: false },
    /** PostgreSQL behind a line on which each chunk takes so many milliseconds longer, both ways. */
    delay: { type: 'string' },
  },
})
const delay = values.delay === undefined ? null : numberOption('--delay', values.delay)
if (delay !== null && !values.postgres) throw new Error('--delay is of PostgreSQL: add --postgres.')
/** With rounds named, all of it is measured, in short rounds. */
const isTry = values.quick && values.rounds === undefined
const connectionCounts = isTry || values.open ? [16] : [16, 1, 64]
const rounds = numberOption('--rounds', values.rounds, { otherwise: values.quick ? 1 : 5 })
const milliseconds = values.quick ? 150 : 1000
const byHand = (name: string, file: string, ...args: readonly string[]): ServerKind => ({ name, file, args })
const framework = (name: string): readonly ServerKind[] => [
  byHand(name, `../../../tools/bench/${name}.ts`, 'prisma'),
  byHand(`${name}Sql`, `../../../tools/bench/${name}.ts`),
]
const kinds: readonly ServerKind[] = [
  byHand('s0', 's0.ts'),
  // Statements of pg do not wait for each other anyway.
  ...(values.postgres ? [] : [byHand('s0b', 's0.ts', 'barrier')]),
  byHand('s0koa', 's0.ts', 'koa'),
  byHand('s1', 's1.ts'),
  ...framework('express'),
  ...framework('fastify'),
  { name: 'prisma', file: 'ours.ts', args: ['prisma'] },
  { name: 'auto', file: 'ours.ts', args: ['auto'] },
  { name: 'kept', file: 'ours.ts', args: ['auto', 'kept'] },
]

/** PostgreSQL stores instants in one way. */
function chosenSpellings(): readonly Spelling[] {
  if (values.postgres) return ['prisma']
  if (values.spelling === undefined) return isTry ? ['iso'] : (Object.keys(spellings) as Spelling[])
  if (!Object.hasOwn(spellings, values.spelling))
    throw new Error(`--spelling is one of ${Object.keys(spellings).join(', ')}.`)
  return [values.spelling as Spelling]
}

interface Compared {
  readonly all: Results
  readonly arrivals: readonly Arrivals[]
  readonly memory: Readonly<Record<string, Memory>>
}

async function main(databases: Databases, spelling: Spelling): Promise<Compared> {
  const chosen = await chosenWorkloads()
  const queries = await withServers(databases, ['--count'], (servers) =>
    checkSameAnswers(
      servers,
      chosen,
      (server, { hasCursors }) => server === 'prisma' && spelling !== 'prisma' && hasCursors,
    ),
  )
  return withServers(databases, [], async (servers) => {
    const rest = await memoryOf(servers)
    for (const server of servers) await warmUp(server, chosen)
    const all: Results = {}
    const runs: Rounds[] = []
    for (const connections of connectionCounts) {
      const results = await compare(servers, chosen, connections)
      runs.push(results)
      all[connections] = resultsOf(results, queries)
      printTable(connections, all[connections])
    }
    const reads = chosen.filter(({ isWrite }) => !isWrite)
    if (reads.length > 0) {
      const results = resultsOf(await compare(servers, reads.map(withWrites), 16), queries)
      printTable(16, results, '5 % of the requests are writes')
    }
    const arrivals = await atSixtyPercent(servers, reads, all)
    printOpenLoop(arrivals)
    const memory = Object.fromEntries(
      servers.map(({ name }) => [name, { rest: rest[name] ?? 0, ...memoryUnderLoad(runs, name) }]),
    )
    printMemory(memory)
    return { all, arrivals, memory }
  })
}

const chosenWorkloads = async (): Promise<readonly Workload[]> =>
  values.open
    ? [mixed(await signToken())]
    : workloads(String(Date.now())).filter(({ key }) => !values.only || values.only.includes(key))

async function withServers<T>(
  databases: Databases,
  args: readonly string[],
  work: (servers: readonly ServerProcess[]) => Promise<T>,
): Promise<T> {
  const servers = await Promise.all(
    kinds.map(async (kind) => {
      const database = await databases.copy(`${kind.name}-${args.length}`)
      return startServer({ ...kind, args: [...kind.args, ...(values.open ? ['tokens'] : []), ...args] }, database)
    }),
  )
  try {
    return await work(servers)
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
  }
}

/** All rounds of all workloads: the servers by turns, and each round begins with another. */
async function compare(
  servers: readonly ServerProcess[],
  chosen: readonly Workload[],
  connections: number,
): Promise<Rounds> {
  const results = new Map<string, Map<string, Measured[]>>()
  for (const workload of chosen) {
    const rows = new Map(servers.map(({ name }) => [name, [] as Measured[]]))
    for (let round = 0; round < rounds; round++) {
      for (let i = 0; i < servers.length; i++) {
        const server = servers[(i + round) % servers.length] as ServerProcess
        rows.get(server.name)?.push(await closedLoop(server, { connections, milliseconds, request: workload.request }))
      }
    }
    results.set(workload.key, rows)
  }
  return results
}

async function warmUp(server: ServerProcess, chosen: readonly Workload[]): Promise<void> {
  for (const { request } of chosen) {
    await closedLoop(server, { connections: 16, milliseconds: values.quick ? 100 : 1500, request })
    await closedLoop(server, { connections: 1, milliseconds: 100, request })
  }
}

/** Each server at 60 % of what it reached itself. */
async function atSixtyPercent(servers: readonly ServerProcess[], reads: readonly Workload[], all: Results) {
  const rows: Arrivals[] = []
  for (const workload of reads) {
    for (const server of servers.filter(({ name }) => name !== 's0b')) {
      const reached = all[16]?.[workload.key]?.[server.name]?.rps ?? 0
      const measured: Measured[] = []
      const rate = Math.round(reached * 0.6)
      const load = { connections: 128, milliseconds, request: workload.request }
      for (let round = 0; round < Math.min(rounds, 3); round++) measured.push(await openLoop(server, load, rate))
      const { p50ms, p99ms, p999ms } = median(measured)
      rows.push({ workload: workload.key, server: server.name, rate, p50ms, p99ms, p999ms })
    }
  }
  return rows
}

const memoryOf = async (servers: readonly ServerProcess[]) =>
  Object.fromEntries(
    await Promise.all(servers.map(async (server) => [server.name, Math.round((await server.usage()).memory)] as const)),
  )

async function databasesOf(spelling: Spelling): Promise<Databases> {
  if (!values.postgres) return sqliteDatabases(spelling)
  const databases = await postgresDatabases()
  return delay === null ? databases : delayedDatabases(databases, delay)
}

if (values.open) {
  const requests = 20_000
  const share = distinctShare(mixed(''), requests)
  console.log(`${Math.round(share * 100)} % of ${requests} requests ask for URLs of their own.`)
}
const compared: Compared[] = []
for (const spelling of chosenSpellings()) {
  console.log(`\nInstants as ${spelling}`)
  const databases = await databasesOf(spelling)
  compared.push(await main(databases, spelling).finally(() => databases.drop()))
}
const worst = worstOf(compared.map(({ all }) => all))
if (compared.length > 1)
  for (const [connections, rows] of Object.entries(worst))
    printTable(Number(connections), rows, 'the worst of all spellings')
if (!values.quick && !values.only) {
  const { arrivals, memory } = compared[0] as Compared
  const database = values.postgres ? (delay === null ? 'postgresql' : 'delayed') : 'sqlite'
  saveFigures(database, values.open ? 'mixed' : 'kinds', { rows: worst, arrivals, memoryMiB: memory })
}
