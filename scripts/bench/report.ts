import type { Measured } from './load.ts'

type Figures = Pick<Measured, 'rps' | 'p50ms' | 'p99ms' | 'p999ms' | 'cpuUs' | 'bytes'> & { readonly queries: number }

/** One workload: each server's medians, and the ratios of requests per second. */
export type Row = Readonly<Record<string, Figures>> & { readonly ratios: Ratios }

interface Ratios {
  readonly autoToS1: number
  readonly autoToS0: number
  readonly prismaToS1: number
  readonly autoToS0koa: number
  readonly keptToS0koa: number
}

/** By number of connections, by workload. */
export type Results = Record<number, Readonly<Record<string, Row>>>

/** What was measured: by workload, by server. */
export type Rounds = ReadonlyMap<string, ReadonlyMap<string, readonly Measured[]>>
type Queries = ReadonlyMap<string, ReadonlyMap<string, number>>

/** Where there are two of S0, `s0` and `s0b`, it is the better one. */
export function resultsOf(rounds: Rounds, queries: Queries): Readonly<Record<string, Row>> {
  return Object.fromEntries(
    [...rounds].map(([workload, byServer]) => {
      const of = (name: string) => byServer.get(name) ?? []
      const s0 = median(of('s0b')).rps > median(of('s0')).rps ? 's0b' : 's0'
      const names = { s0, s0koa: 's0koa', s1: 's1', prisma: 'prisma', auto: 'auto', kept: 'kept' }
      const figures = Object.entries(names).map(([as, name]) => {
        const { memory: _, ...rest } = rounded(median(of(name)))
        return [as, { ...rest, queries: queries.get(workload)?.get(name) ?? 0 }]
      })
      const ratios: Ratios = {
        autoToS1: ratio(of('auto'), of('s1')),
        autoToS0: ratio(of('auto'), of(s0)),
        prismaToS1: ratio(of('prisma'), of('s1')),
        autoToS0koa: ratio(of('auto'), of('s0koa')),
        keptToS0koa: ratio(of('kept'), of('s0koa')),
      }
      return [workload, { ...Object.fromEntries(figures), ratios } as Row]
    }),
  )
}

/** Of several runs, for each workload the one that compares worst with what is written by hand. */
export function worstOf(runs: readonly Results[]): Results {
  const worst: Record<number, Record<string, Row>> = {}
  for (const [connections, rows] of runs.flatMap((run) => Object.entries(run))) {
    worst[Number(connections)] ??= {}
    const known = worst[Number(connections)] as Record<string, Row>
    for (const [workload, row] of Object.entries(rows)) {
      const before = known[workload]
      if (!before || row.ratios.autoToS1 < before.ratios.autoToS1) known[workload] = row
    }
  }
  return worst
}

/** The median of the ratios within each round: what disturbs the machine disturbs both. */
function ratio(of: readonly Measured[], to: readonly Measured[]): number {
  const ratios = of.map(({ rps }, i) => rps / (to[i]?.rps ?? Number.NaN)).sort((a, b) => a - b)
  return Number((ratios[Math.floor(ratios.length / 2)] ?? Number.NaN).toFixed(2))
}

export function median(rounds: readonly Measured[]): Measured {
  const of = (key: keyof Measured) => {
    const values = rounds.map((round) => round[key]).sort((a, b) => a - b)
    return values[Math.floor(values.length / 2)] ?? 0
  }
  return {
    rps: of('rps'),
    p50ms: of('p50ms'),
    p99ms: of('p99ms'),
    p999ms: of('p999ms'),
    cpuUs: of('cpuUs'),
    bytes: of('bytes'),
    memory: of('memory'),
  }
}

const rounded = ({ rps, p50ms, p99ms, p999ms, cpuUs, bytes, memory }: Measured): Measured => ({
  rps: Math.round(rps),
  p50ms: Number(p50ms.toFixed(3)),
  p99ms: Number(p99ms.toFixed(3)),
  p999ms: Number(p999ms.toFixed(3)),
  cpuUs: Math.round(cpuUs),
  bytes,
  memory,
})

export function printTable(connections: number, rows: Readonly<Record<string, Row>>, remark = ''): void {
  console.log(`\n${connections} connection${connections === 1 ? '' : 's'}${remark && `, ${remark}`}`)
  console.log(
    '     req/s: s0   s0koa      s1  prisma    auto    kept   auto/s1  auto/s0  prisma/s1  auto/s0koa  kept/s0koa   µs CPU s1  auto   p99 s1   auto   queries s1  auto',
  )
  for (const [workload, row] of Object.entries(rows)) {
    const { s0, s0koa, s1, prisma, auto, kept, ratios } = row as Row &
      Record<'s0' | 's0koa' | 's1' | 'prisma' | 'auto' | 'kept', Figures>
    const cells = [
      workload.padEnd(6),
      ...[s0, s0koa, s1, prisma, auto, kept].map(({ rps }) => String(rps).padStart(8)),
      ratios.autoToS1.toFixed(2).padStart(10),
      ratios.autoToS0.toFixed(2).padStart(9),
      ratios.prismaToS1.toFixed(2).padStart(11),
      ratios.autoToS0koa.toFixed(2).padStart(12),
      ratios.keptToS0koa.toFixed(2).padStart(12),
      String(s1.cpuUs).padStart(12),
      String(auto.cpuUs).padStart(6),
      s1.p99ms.toFixed(1).padStart(9),
      auto.p99ms.toFixed(1).padStart(7),
      s1.queries.toFixed(1).padStart(13),
      auto.queries.toFixed(1).padStart(6),
    ]
    console.log(cells.join(''))
  }
}

export function printOpenLoop(
  rows: readonly { workload: string; server: string; rate: number; measured: Measured }[],
): void {
  console.log('\nArrivals at a fixed rate, 60 % of what each server reached')
  console.log('workload                          server   req/s      p50      p99    p99.9')
  for (const { workload, server, rate, measured } of rows)
    console.log(
      `${workload.padEnd(34)}${server.padEnd(7)}${String(Math.round(rate)).padStart(7)}${measured.p50ms.toFixed(2).padStart(9)}${measured.p99ms.toFixed(2).padStart(9)}${measured.p999ms.toFixed(2).padStart(9)}`,
    )
}

/** MiB of a server: before it is asked anything, and while it is, the median and the most of all rounds. */
export interface Memory {
  readonly rest: number
  readonly load: number
  readonly peak: number
}

/** A server that is about to collect its garbage has more than one that just did, so one look says nothing. */
export function memoryUnderLoad(runs: readonly Rounds[], name: string): Omit<Memory, 'rest'> {
  const measured = runs.flatMap((rounds) => [...rounds.values()].flatMap((byServer) => byServer.get(name) ?? []))
  return {
    load: Math.round(median(measured).memory),
    peak: Math.round(Math.max(...measured.map(({ memory }) => memory))),
  }
}

export function printMemory(memory: Readonly<Record<string, Memory>>): void {
  console.log('\nMiB at rest, under load, and at most')
  for (const [name, { rest, load, peak }] of Object.entries(memory))
    console.log(`${name.padEnd(8)}${rest}  ${load}  ${peak}`)
}
