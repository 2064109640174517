import { availableParallelism } from 'node:os'
import { numberOption } from '../number-option.ts'
import { sqliteDatabases } from './databases.ts'
import { closedLoop, type Measured } from './load.ts'
import { type ServerProcess, startServer } from './server-process.ts'
import { workloads } from './workloads.ts'

/**
 * `npm run bench:fields`: what a rule about one field costs: the same server without and with it, by turns in one run. The rule
 * hides the field of half of the rows. Figures are CPU time of the server for each request, its smallest of all rounds, since other
 * work on the machine only adds to it. Fails where the server with the rule does less than is said here of what it does without.
 */
const least: Readonly<Record<string, number>> = { a: 0.9, b: 0.85 }
const rounds = numberOption('The number of rounds', process.argv[2], { otherwise: 40 })
const load = { connections: 16, milliseconds: 200 }

async function main(): Promise<void> {
  const databases = await sqliteDatabases()
  const servers: ServerProcess[] = []
  try {
    for (const args of [['auto'], ['auto', 'masked']]) {
      const kind = { name: args.join(' '), file: 'ours.ts', args, isSource: true }
      servers.push(await startServer(kind, await databases.copy(args.join('-'))))
    }
    console.log(`SQLite, ${rounds} rounds; Node ${process.version}, ${availableParallelism()} cores\n`)
    console.log(
      '| request | CPU without | CPU with the rule | without / with, smallest | median |\n|---|---|---|---|---|',
    )
    for (const { key, name, request } of workloads('fields').filter(({ isWrite }) => !isWrite)) {
      const measured = await byTurns(servers, request)
      const [without, withRule] = measured.map((all) => Math.min(...all)) as [number, number]
      const [middle, middleWith] = measured.map(median) as [number, number]
      const ratio = without / withRule
      console.log(
        `| ${name} | ${without.toFixed(0)} µs | ${withRule.toFixed(0)} µs | ${ratio.toFixed(2)} | ${(middle / middleWith).toFixed(2)} |`,
      )
      if (ratio < (least[key] ?? 0)) process.exitCode = 1
    }
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
    await databases.drop()
  }
}

/** CPU time for each request, by server and round. */
async function byTurns(
  servers: readonly ServerProcess[],
  request: Parameters<typeof closedLoop>[1]['request'],
): Promise<readonly (readonly number[])[]> {
  const all: number[][] = servers.map(() => [])
  // The first rounds are for the compiler.
  for (let round = -10; round < rounds; round++) {
    for (let i = 0; i < servers.length; i++) {
      const at = (i + Math.abs(round)) % servers.length
      const { cpuUs }: Measured = await closedLoop(servers[at] as ServerProcess, { ...load, request })
      if (round >= 0) all[at]?.push(cpuUs)
    }
  }
  return all
}

const median = (all: readonly number[]): number => all.toSorted((a, b) => a - b)[all.length >> 1] as number

await main()
