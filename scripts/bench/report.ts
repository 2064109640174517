import type { Measured } from './load.ts'

type Figures = Pick<Measured, 'rps' | 'p50ms' | 'p99ms' | 'p999ms' | 'cpuUs' | 'bytes'> & { readonly queries: number }

/** One workload: each server's medians, and the ratios of requests per second. */
export type Row = Readonly<Record<string, Figures>> & { readonly ratios: Ratios }

/** Of a server of ours to each of the others. */
type Ratios = Readonly<Record<(typeof ours)[number], Readonly<Record<string, number>>>>

const ours = ['prisma', 'auto', 'kept'] as const
/** By hand. Of the two of the limit, `s0` stands for the better one. */
const others = ['s0', 's0koa', 's1', 'express', 'expressSql', 'fastify', 'fastifySql'] as const

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
      const names: Readonly<Record<string, string>> = Object.fromEntries(
        [...others, ...ours].map((name) => [name, name === 's0' ? s0 : name]),
      )
      const figures = Object.entries(names).map(([as, name]) => {
        const { memory: _, ...rest } = rounded(median(of(name)))
        return [as, { ...rest, queries: queries.get(workload)?.get(name) ?? 0 }]
      })
      const ratios = Object.fromEntries(
        ours.map((name) => [
          name,
          Object.fromEntries([...others, 'auto'].map((other) => [other, ratio(of(name), of(names[other] as string))])),
        ]),
      )
      return [workload, { ...Object.fromEntries(figures), ratios } as unknown as Row]
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
      if (!before || (row.ratios.auto.s1 ?? 0) < (before.ratios.auto.s1 ?? 0)) known[workload] = row
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

/** Two tables: of responses that are made for each request, and of those that are kept. */
export function printTable(connections: number, rows: Readonly<Record<string, Row>>, remark = ''): void {
  const all = Object.entries(rows) as [string, Row & Readonly<Record<string, Figures>>][]
  const rps = (row: Readonly<Record<string, Figures>>, name: string) => String(row[name]?.rps)
  const to = (row: Row, name: 'auto' | 'kept', other: string) => row.ratios[name][other]?.toFixed(2) ?? ''
  console.log(`\n${connections} connection${connections === 1 ? '' : 's'}${remark && `, ${remark}`}`)
  const cold = [...others, 'prisma', 'auto'] as const
  const compared = ['s1', 'expressSql', 'fastifySql', 's0koa', 's0'] as const
  print([
    [
      'requests/s',
      ...cold,
      ...compared.map((name) => `auto/${name}`),
      'µs CPU s1',
      'auto',
      'p99 s1',
      'auto',
      'queries s1',
      'auto',
    ],
    ...all.map(([workload, row]) => [
      workload,
      ...cold.map((name) => rps(row, name)),
      ...compared.map((name) => to(row, 'auto', name)),
      ...['s1', 'auto'].map((name) => String(row[name]?.cpuUs)),
      ...['s1', 'auto'].map((name) => row[name]?.p99ms.toFixed(1) ?? ''),
      ...['s1', 'auto'].map((name) => row[name]?.queries.toFixed(1) ?? ''),
    ]),
  ])
  console.log('Kept responses')
  print([
    ['requests/s', 'kept', 'kept/auto', 'kept/s0koa', 'kept/s1', 'µs CPU', 'p99'],
    ...all.map(([workload, row]) => [
      workload,
      rps(row, 'kept'),
      ...['auto', 's0koa', 's1'].map((name) => to(row, 'kept', name)),
      String(row.kept?.cpuUs),
      row.kept?.p99ms.toFixed(1) ?? '',
    ]),
  ])
}

/** The first column to the left, all others to the right. */
function print(lines: readonly (readonly string[])[]): void {
  const widths = (lines[0] ?? []).map((_, i) => 2 + Math.max(...lines.map((line) => line[i]?.length ?? 0)))
  for (const line of lines)
    console.log(line.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join(''))
}

/** A server under requests that arrive at a fixed rate, whatever it does. */
export interface Arrivals {
  readonly workload: string
  readonly server: string
  readonly rate: number
  readonly p50ms: number
  readonly p99ms: number
  readonly p999ms: number
}

export function printOpenLoop(rows: readonly Arrivals[]): void {
  console.log('\nArrivals at a fixed rate, 60 % of what each server reached')
  print([
    ['workload', 'server', 'requests/s', 'p50', 'p99', 'p99.9'],
    ...rows.map(({ workload, server, rate, p50ms, p99ms, p999ms }) => [
      workload,
      server,
      String(rate),
      ...[p50ms, p99ms, p999ms].map((ms) => ms.toFixed(2)),
    ]),
  ])
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
  console.log('\nMiB')
  print([
    ['server', 'at rest', 'under load', 'at most', '× s1 under load'],
    ...Object.entries(memory).map(([name, { rest, load, peak }]) => [
      name,
      ...[rest, load, peak].map(String),
      (load / (memory.s1?.load ?? Number.NaN)).toFixed(2),
    ]),
  ])
}
