import { writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { checkSameAnswers } from './check-answers.ts'
import { type Databases, postgresDatabases, sqliteDatabases } from './databases.ts'
import { closedLoop, type Measured, openLoop } from './load.ts'
import {
  type Memory,
  median,
  memoryUnderLoad,
  printMemory,
  printOpenLoop,
  printTable,
  type Results,
  type Rounds,
  resultsOf,
} from './report.ts'
import { type ServerKind, type ServerProcess, startServer } from './server-process.ts'
import { type Workload, withWrites, workloads } from './workloads.ts'

// Compares prismapi with a handler written by hand over Prisma (s1) and with the limit of the machine (s0), in one run:
// same data, same documents, the servers by turns in short rounds. Read the figures as ratios.

const { values } = parseArgs({
  options: {
    /** Short rounds, no verdict: shows that the benchmark works. */
    quick: { type: 'boolean', default: false },
    /** Which workloads: `abc`. */
    only: { type: 'string' },
    rounds: { type: 'string' },
    /** On PostgreSQL instead of SQLite, where there is no S0. */
    postgres: { type: 'boolean', default: false },
  },
})
/** With rounds named, all of it is measured, in short rounds. */
const isTry = values.quick && values.rounds === undefined
const connectionCounts = isTry ? [16] : [16, 1, 64]
const rounds = Number(values.rounds ?? (values.quick ? 1 : 5))
const milliseconds = values.quick ? 150 : 1000
const allKinds: readonly ServerKind[] = [
  { name: 's0', file: 's0.ts', args: [] },
  { name: 's0b', file: 's0.ts', args: ['barrier'] },
  { name: 's1', file: 's1.ts', args: [] },
  { name: 'prisma', file: 'ours.ts', args: ['prisma'] },
  { name: 'auto', file: 'ours.ts', args: ['auto'] },
]
const kinds = allKinds.filter(({ file }) => !values.postgres || file !== 's0.ts')

async function main(databases: Databases): Promise<void> {
  const chosen = workloads(String(Date.now())).filter(({ key }) => !values.only || values.only.includes(key))
  const queries = await withServers(databases, ['--count'], (servers) => checkSameAnswers(servers, chosen))
  await withServers(databases, [], async (servers) => {
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
    printTable(
      16,
      resultsOf(await compare(servers, reads.map(withWrites), 16), queries),
      '5 % of the requests are writes',
    )
    printOpenLoop(await atSixtyPercent(servers, reads, all))
    const memory = Object.fromEntries(
      servers.map(({ name }) => [name, { rest: rest[name] ?? 0, ...memoryUnderLoad(runs, name) }]),
    )
    printMemory(memory)
    if (!values.quick && !values.only && !values.postgres) save(all, memory)
  })
}

async function withServers<T>(
  databases: Databases,
  args: readonly string[],
  work: (servers: readonly ServerProcess[]) => Promise<T>,
): Promise<T> {
  const servers = await Promise.all(
    kinds.map(async (kind) => {
      const database = await databases.copy(`${kind.name}-${args.length}`)
      return startServer({ ...kind, args: [...kind.args, ...args] }, database)
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
  const rows: { workload: string; server: string; rate: number; measured: Measured }[] = []
  for (const workload of reads) {
    for (const server of servers.filter(({ name }) => name !== 's0b')) {
      const reached = all[16]?.[workload.key]?.[server.name]?.rps ?? 0
      const measured: Measured[] = []
      const rate = reached * 0.6
      const load = { connections: 128, milliseconds, request: workload.request }
      for (let round = 0; round < Math.min(rounds, 3); round++) measured.push(await openLoop(server, load, rate))
      rows.push({ workload: workload.name, server: server.name, rate, measured: median(measured) })
    }
  }
  return rows
}

const memoryOf = async (servers: readonly ServerProcess[]) =>
  Object.fromEntries(
    await Promise.all(servers.map(async (server) => [server.name, Math.round((await server.usage()).memory)] as const)),
  )

function save(all: Results, memory: Readonly<Record<string, Memory>>): void {
  const file = path.join(import.meta.dirname, 'results.json')
  const [cpu] = os.cpus()
  const results = {
    machine: `${cpu?.model ?? 'unknown'}, ${os.availableParallelism()} cores, Node ${process.version}`,
    connections: 16,
    workloads: all[16],
    memoryMiB: memory,
    otherConnections: { 1: all[1], 64: all[64] },
  }
  writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`)
}

const databases = await (values.postgres ? postgresDatabases() : sqliteDatabases())
await main(databases).finally(() => databases.drop())
