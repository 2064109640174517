import { availableParallelism } from 'node:os'
import { numberOption } from '../number-option.ts'
import { type Connection, connect, toBytes } from './connection.ts'
import { postgresDatabases } from './databases.ts'
import { type ServerProcess, startServer } from './server-process.ts'
import { type Workload, workloads } from './workloads.ts'

/**
 * `npm run bench:guarded`: what a database costs that refuses rows itself: the same server on PostgreSQL without and with row level
 * security. One client asks both by turns, request by request; figures are the time that the fastest tenth of the answers took at most,
 * since other work on the machine only adds to it. Fails where the guarded server takes more than is said here times as long.
 */
const most: Readonly<Record<string, number>> = { a: 1.4, b: 1.2 }
const requests = numberOption('The number of requests', process.argv[2], { otherwise: 4000, from: 100 })
const warm = 500

async function main(): Promise<void> {
  const databases = await postgresDatabases()
  const servers: ServerProcess[] = []
  const connections: Connection[] = []
  try {
    for (const args of [['auto'], ['auto', 'guarded']]) {
      const kind = { name: args.join(' '), file: 'ours.ts', args, isSource: true }
      const server = await startServer(kind, await databases.copy(args.join('-')))
      servers.push(server)
      connections.push(await connect(server.port))
    }
    console.log(`PostgreSQL, ${requests} requests; Node ${process.version}, ${availableParallelism()} cores\n`)
    console.log('| request | without | guarded | guarded / without | of medians |\n|---|---|---|---|---|')
    for (const workload of workloads('guarded').filter(({ isWrite }) => !isWrite)) {
      const [without, guarded] = (await byTurns(connections, workload)) as [Times, Times]
      const ratio = guarded.fast / without.fast
      console.log(
        `| ${workload.name} | ${without.fast.toFixed(2)} ms | ${guarded.fast.toFixed(2)} ms | ${ratio.toFixed(2)} | ${(guarded.median / without.median).toFixed(2)} |`,
      )
      if (ratio > (most[workload.key] ?? Number.POSITIVE_INFINITY)) process.exitCode = 1
    }
  } finally {
    for (const connection of connections) connection.close()
    await Promise.all(servers.map((server) => server.stop()))
    await databases.drop()
  }
}

/** In milliseconds. */
interface Times {
  readonly fast: number
  readonly median: number
}

async function byTurns(connections: readonly Connection[], { request }: Workload): Promise<readonly Times[]> {
  const all: number[][] = connections.map(() => [])
  for (let n = -warm; n < requests; n++) {
    const bytes = toBytes(request(n + warm))
    for (const [i, connection] of connections.entries()) {
      const began = performance.now()
      const { status } = await connection.ask(bytes)
      if (status !== 200) throw new Error(`${bytes} was answered with ${status}.`)
      if (n >= 0) all[i]?.push(performance.now() - began)
    }
  }
  return all.map((times) => {
    const sorted = times.toSorted((a, b) => a - b)
    const at = (share: number) => sorted[Math.floor(sorted.length * share)] as number
    return { fast: at(0.1), median: at(0.5) }
  })
}

await main()
