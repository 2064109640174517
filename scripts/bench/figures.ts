import { readFileSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { barsOf } from './bars.ts'
import type { Memory, Results, Row } from './report.ts'
import { workloads } from './workloads.ts'

/** What a whole run measured on one database. */
export interface Figures {
  /** By number of connections, by workload. */
  readonly rows: Results
  readonly memoryMiB: Readonly<Record<string, Memory>>
}

type DatabaseName = 'sqlite' | 'postgresql'
type Saved = { machine: string } & { [name in DatabaseName]?: Figures }

const root = path.resolve(import.meta.dirname, '../..')
const resultsFile = path.join(import.meta.dirname, 'results.json')
const page = path.join(root, 'docs/performance.md')

/** Keeps them beside those of the other database, and tells them in the documentation: tables and pictures. */
export function saveFigures(database: DatabaseName, figures: Figures): void {
  const [cpu] = os.cpus()
  const machine = `${cpu?.model ?? 'unknown'}, ${os.availableParallelism()} cores, Node ${process.version}`
  const before = JSON.parse(readFileSync(resultsFile, 'utf8')) as Saved
  const saved: Saved = { ...before, machine, [database]: figures }
  writeFileSync(resultsFile, `${JSON.stringify(saved, null, 2)}\n`)
  tell(saved)
}

function tell({ sqlite, postgresql }: Saved): void {
  if (sqlite) draw('performance-sqlite.svg', 'Requests per second on SQLite, as multiples of s1', sqlite)
  if (postgresql)
    draw('performance-postgresql.svg', 'Requests per second on PostgreSQL, as multiples of s1', postgresql)
  if (sqlite) drawMemory(sqlite)
  if (sqlite && postgresql) writeFileSync(page, withTables(readFileSync(page, 'utf8'), { sqlite, postgresql }))
}

const image = (name: string): string => path.join(root, 'docs/images', name)

const nameOf = new Map(workloads('').map(({ key, name }) => [key, name]))
const inWords = (key: string): string => `${key} ${nameOf.get(key)}`

function draw(file: string, title: string, { rows }: Figures): void {
  const groups = Object.entries(rows[16] ?? {}).map(([key, { ratios }]) => ({
    name: inWords(key),
    bars: [
      { name: 'prismapi', value: ratios.autoToS1 },
      { name: 's1', value: 1 },
      { name: 's0', value: ratios.autoToS1 / ratios.autoToS0 },
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

function withTables(text: string, { sqlite, postgresql }: { readonly sqlite: Figures; readonly postgresql: Figures }) {
  const [start, end] = marks.map((mark) => text.indexOf(mark)) as [number, number]
  if (start < 0 || end < start) throw new Error(`${page} has no place for the figures: ${marks.join(' … ')}`)
  return `${text.slice(0, start + marks[0].length)}\n\n${tableOf(sqlite, postgresql)}\n\n${text.slice(end)}`
}

/** The ratios of both databases, by the number of connections. */
export function tableOf(sqlite: Figures, postgresql: Figures): string {
  const shown = (figures: Figures, connections: number, key: string, ratio: keyof Row['ratios']) =>
    figures.rows[connections]?.[key]?.ratios[ratio].toFixed(2) ?? '–'
  const lines = Object.keys(sqlite.rows[16] ?? {}).map((key) => [
    inWords(key),
    ...[16, 1, 64].map((connections) => shown(sqlite, connections, key, 'autoToS1')),
    shown(sqlite, 16, key, 'autoToS0'),
    shown(sqlite, 16, key, 'prismaToS1'),
    ...[16, 1, 64].map((connections) => shown(postgresql, connections, key, 'autoToS1')),
    shown(postgresql, 16, key, 'autoToS0'),
  ])
  const head = [
    '',
    'SQLite: × s1 at 16 connections',
    'at 1',
    'at 64',
    '× s0',
    "`reads: 'prisma'` × s1",
    'PostgreSQL: × s1 at 16',
    'at 1',
    'at 64',
    '× s0',
  ]
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
