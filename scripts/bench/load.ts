import { type Connection, connect, toBytes } from './connection.ts'
import type { ServerProcess } from './server-process.ts'
import type { Request } from './workloads.ts'

export interface Measured {
  readonly rps: number
  readonly p50ms: number
  readonly p99ms: number
  readonly p999ms: number
  /** CPU time of the server per request, in microseconds. */
  readonly cpuUs: number
  /** Of one answer, headers included. */
  readonly bytes: number
  /** MiB of the server at the end of the round. */
  readonly memory: number
}

interface Load {
  readonly connections: number
  readonly milliseconds: number
  /** Called with ever new numbers, so that no two writes are the same. */
  request(n: number): Request
}

/** Closed loop: each connection asks as soon as it was answered. */
export const closedLoop = (server: ServerProcess, load: Load): Promise<Measured> =>
  measure(server, load, async (connections, record) => {
    const end = performance.now() + load.milliseconds
    await Promise.all(
      connections.map(async (connection) => {
        for (let asked = performance.now(); asked < end; asked = performance.now())
          record(asked, await connection.ask(toBytes(load.request(next()))))
      }),
    )
  })

/** Open loop: requests arrive at a fixed rate, whatever the server does; one that has to wait counts its waiting. */
export const openLoop = (server: ServerProcess, load: Load, rate: number): Promise<Measured> =>
  measure(server, load, async (connections, record) => {
    const start = performance.now()
    const free = [...connections]
    const running = new Set<Promise<void>>()
    let arrived = 0
    const ask = async (connection: Connection, due: number) => {
      record(due, await connection.ask(toBytes(load.request(next()))))
      free.push(connection)
    }
    while (performance.now() - start < load.milliseconds) {
      const due = start + (arrived * 1000) / rate
      const connection = performance.now() >= due ? free.pop() : undefined
      if (connection) {
        arrived++
        const asking: Promise<void> = ask(connection, due).finally(() => running.delete(asking))
        running.add(asking)
      } else await new Promise(setImmediate)
    }
    await Promise.all(running)
  })

type Recorder = (asked: number, answer: { readonly status: number; readonly bytes: number }) => void

async function measure(
  server: ServerProcess,
  load: Load,
  work: (connections: readonly Connection[], record: Recorder) => Promise<void>,
): Promise<Measured> {
  const connections = await Promise.all(Array.from({ length: load.connections }, () => connect(server.port)))
  const before = await server.usage()
  const start = performance.now()
  const latencies: number[] = []
  let bytes = 0
  await work(connections, (asked, answer) => {
    if (answer.status >= 300)
      throw new Error(`${server.name} answers ${answer.status} to ${load.request(0).method} ${load.request(0).path}.`)
    latencies.push(performance.now() - asked)
    bytes += answer.bytes
  })
  const seconds = (performance.now() - start) / 1000
  const after = await server.usage()
  for (const connection of connections) connection.close()
  latencies.sort((a, b) => a - b)
  const at = (share: number) => latencies[Math.floor(latencies.length * share)] ?? 0
  return {
    rps: latencies.length / seconds,
    p50ms: at(0.5),
    p99ms: at(0.99),
    p999ms: at(0.999),
    cpuUs: (after.cpu - before.cpu) / latencies.length,
    bytes: Math.round(bytes / latencies.length),
    memory: after.memory,
  }
}

let last = 0
const next = (): number => last++
