import { readFileSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { barsOf } from './bars.ts'
import type { Arrivals, Memory, Results } from './report.ts'
import { workloads } from './workloads.ts'

/** What a whole run measured on one database. */
export interface Figures {
  /** By number of connections, by workload. */
  readonly rows: Results
  readonly arrivals: readonly Arrivals[]
  readonly memoryMiB: Readonly<Record<string, Memory>>
}

/** `delayed` is PostgreSQL behind a slow line. */
type DatabaseName = 'sqlite' | 'postgresql' | 'delayed'
/** Each kind of request for itself, or twenty kinds by turns. */
type Run = 'kinds' | 'mixed'
interface Saved {
  readonly machine: string
  readonly kinds: Readonly<Partial<Record<DatabaseName, Figures>>>
  readonly mixed: Readonly<Partial<Record<DatabaseName, Figures>>>
}

const root = path.resolve(import.meta.dirname, '../..')
const resultsFile = path.join(import.meta.dirname, 'results.json')
const page = path.join(root, 'docs/performance.md')

/** Keeps them beside those of the other runs, and tells them in the documentation: tables and pictures. */
export function saveFigures(database: DatabaseName, run: Run, figures: Figures): void {
  const [cpu] = os.cpus()
  const machine = `${cpu?.model ?? 'unknown'}, ${os.availableParallelism()} cores, Node ${process.version}`
  const before = JSON.parse(readFileSync(resultsFile, 'utf8')) as Saved
  const saved: Saved = { ...before, machine, [run]: { ...before[run], [database]: figures } }
  writeFileSync(resultsFile, `${JSON.stringify(saved, null, 2)}\n`)
  tell(saved)
}

function tell(saved: Saved): void {
  const { sqlite, postgresql } = saved.kinds
  if (sqlite) draw('performance-sqlite.svg', 'Requests per second on SQLite, as multiples of s1', sqlite)
  if (postgresql)
    draw('performance-postgresql.svg', 'Requests per second on PostgreSQL, as multiples of s1', postgresql)
  if (sqlite) drawMemory(sqlite)
  writeFileSync(page, withTables(readFileSync(page, 'utf8'), saved))
}

const image = (name: string): string => path.join(root, 'docs/images', name)

const described = workloads('')
const of = (key: string) => described.find((workload) => workload.key === key)
const inWords = (key: string): string => `${key} ${of(key)?.name}`
const isWrite = (key: string): boolean => of(key)?.isWrite ?? false

function draw(file: string, title: string, { rows }: Figures): void {
  const groups = Object.entries(rows[16] ?? {}).map(([key, { ratios }]) => ({
    name: inWords(key),
    bars: [
      { name: 'prismapi', value: ratios.auto.s1 ?? 0 },
      { name: 's1', value: 1 },
      { name: 's0koa', value: (ratios.auto.s1 ?? 0) / (ratios.auto.s0koa ?? 1) },
    ],
  }))
  writeFileSync(image(file), barsOf({ title, groups, unit: '×' }))
}

function drawMemory({ memoryMiB }: Figures): void {
  const names = { auto: 'prismapi', s1: 's1', s0: 's0' } as const
  const groups = (['rest', 'load', 'peak'] as const).map((moment) => ({
    name: { rest: 'at rest', load: 'under load', peak: 'at most' }[moment],
    bars: Object.entries(names).map(([key, name]) => ({ name, value: memoryMiB[key]?.[moment] ?? 0 })),
  }))
  writeFileSync(image('performance-memory.svg'), barsOf({ title: 'Memory on SQLite', groups, unit: ' MiB' }))
}

const marks = ['<!-- figures -->', '<!-- /figures -->'] as const

function withTables(text: string, saved: Saved): string {
  const [start, end] = marks.map((mark) => text.indexOf(mark)) as [number, number]
  if (start < 0 || end < start) throw new Error(`${page} has no place for the figures: ${marks.join(' … ')}`)
  return `${text.slice(0, start + marks[0].length)}\n\n${tablesOf(saved)}\n\n${text.slice(end)}`
}

const names: Readonly<Record<DatabaseName, string>> = {
  sqlite: 'SQLite',
  postgresql: 'PostgreSQL',
  delayed: 'PostgreSQL, 1 ms away',
}

/** One table each: of responses made for each request, of kept ones, and of twenty kinds of requests by turns. */
export function tablesOf(saved: Saved): string {
  const cold: readonly Column[] = [
    ...[16, 1, 64].map((connections): Column => [`× s1 at ${connections}`, connections, 'auto', 's1']),
    ['× s0koa', 16, 'auto', 's0koa'],
    ['× s0', 16, 'auto', 's0'],
  ]
  const kept: readonly Column[] = [
    ['× s0koa', 16, 'kept', 's0koa'],
    ['× not kept', 16, 'kept', 'auto'],
  ]
  const tables: readonly (readonly [title: string, table: string])[] = [
    ['Responses that are made for each request:', tableOf(saved, cold, () => true)],
    ['Kept responses, with 16 connections:', tableOf(saved, kept, (key) => !isWrite(key))],
    ['Twenty kinds of requests by turns, with 16 connections:', mixedTableOf(saved)],
  ]
  const isMeasured = (table: string) => /\d\.\d\d/.test(table)
  return tables
    .filter(([, table]) => isMeasured(table))
    .flat()
    .join('\n\n')
}

type Column = readonly [name: string, connections: number, ours: 'auto' | 'kept', other: string]

function tableOf({ kinds }: Saved, columns: readonly Column[], isShown: (key: string) => boolean): string {
  const databases = (Object.keys(names) as DatabaseName[]).filter((name) => kinds[name])
  const cells = databases.flatMap((name) => columns.map((column) => ({ name, column })))
  const head = [
    '',
    ...cells.map(({ name, column: [title] }, i) => (i % columns.length === 0 ? `${names[name]}: ${title}` : title)),
  ]
  const lines = described
    .filter(({ key }) => isShown(key))
    .map(({ key }) => [
      inWords(key),
      ...cells.map(
        ({ name, column: [, connections, ours, other] }) =>
          kinds[name]?.rows[connections]?.[key]?.ratios[ours][other]?.toFixed(2) ?? '–',
      ),
    ])
  return markdown([head, ...lines])
}

const compared = ['auto', 'kept', 's1', 'express', 'fastify', 'expressSql', 'fastifySql', 's0koa'] as const

/** Requests per second and, at 60 % of them, how long 99 of 100 take at most. */
function mixedTableOf({ mixed }: Saved): string {
  const databases = (Object.keys(names) as DatabaseName[]).filter((name) => mixed[name])
  const head = ['', ...databases.flatMap((name) => [`${names[name]}: requests/s`, 'p99 at 60 %', 'MiB × s1'])]
  const lines = compared.map((server) => [
    server === 'auto' ? 'prismapi' : server,
    ...databases.flatMap((name) => {
      const { rows, arrivals, memoryMiB } = mixed[name] as Figures
      const row = rows[16]?.m as Readonly<Record<string, { readonly rps: number }>> | undefined
      const p99 = arrivals.find((each) => each.server === server)?.p99ms
      const memory = (memoryMiB[server]?.load ?? Number.NaN) / (memoryMiB.s1?.load ?? Number.NaN)
      return [String(row?.[server]?.rps ?? '–'), p99 === undefined ? '–' : `${p99.toFixed(1)} ms`, memory.toFixed(2)]
    }),
  ])
  return markdown([head, ...lines])
}

const markdown = ([head = [], ...lines]: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
