import type { OrderTerm } from '../../src/condition/order-term.ts'
import type { Row, Where } from '../../src/model/where.ts'
import type { PageSource, Slice } from '../../src/pagination/paginator.ts'

type Comparable = number | bigint | string | Date

const comparisons: Readonly<Record<string, (a: number) => boolean>> = {
  lt: (a) => a < 0,
  lte: (a) => a <= 0,
  equals: (a) => a === 0,
  gte: (a) => a >= 0,
  gt: (a) => a > 0,
}

function compare(a: unknown, b: unknown): number {
  const [left, right] = [a, b].map((value) => (value instanceof Date ? value.getTime() : value)) as [
    Comparable,
    Comparable,
  ]
  return left < right ? -1 : left > right ? 1 : 0
}

/** The part of Prisma's `where` that a paginator speaks; anything else is an error, so no condition is ignored. */
function matches(row: Row, where: Where): boolean {
  return Object.entries(where).every(([name, condition]) => {
    if (name === 'NOT') return !matches(row, condition as Where)
    return Object.entries(condition as Where).every(([operator, value]) => {
      const holds = comparisons[operator]
      if (!holds || !(name in row) || value === undefined) throw new Error(`${name}.${operator}: ${value}`)
      return row[name] !== null && holds(compare(row[name], value))
    })
  })
}

const columnOf = ({ path }: OrderTerm): string => path[0] as string

function inOrder(order: readonly OrderTerm[]) {
  return (a: Row, b: Row): number => {
    for (const term of order) {
      const difference = compare(a[columnOf(term)], b[columnOf(term)])
      if (difference !== 0) return term.direction === 'asc' ? difference : -difference
    }
    return 0
  }
}

export interface MemorySource extends PageSource {
  /** The collection; tests insert and delete in it. */
  readonly table: Row[]
  /** What was asked, in order. */
  readonly asked: (Slice | 'count' | { readonly count: number } | { readonly find: string })[]
}

/** A collection in memory, ordered by its id unless a slice says otherwise. */
export function memorySource(rows: readonly Row[], idColumns: readonly string[] = ['id']): MemorySource {
  const table = [...rows]
  const asked: MemorySource['asked'] = []
  const order = idColumns.map((column): OrderTerm => ({ path: [column], direction: 'asc' }))
  const idOf = (row: Row) => idColumns.map((column) => String(row[column])).join('_')
  return {
    table,
    asked,
    order,
    list: { keys: null, seal: () => '', open: () => undefined },
    idColumns,
    idOf,
    async rows(slice) {
      asked.push(slice)
      const skip = slice.skip ?? 0
      const found = table.filter((row) => matches(row, slice.where ?? {})).sort(inOrder(slice.order ?? order))
      return found.slice(skip, skip + slice.take)
    },
    async count(most) {
      asked.push(most === undefined ? 'count' : { count: most })
      return Math.min(table.length, most ?? Infinity)
    },
    async find(id) {
      asked.push({ find: id })
      return table.find((row) => idOf(row) === id) ?? null
    },
  }
}

/** Rows with the ids 1 to `count`; one `createdAt`, a day apart, for every `ties` of them. */
export const numbered = (count: number, ties = 1): Row[] =>
  Array.from({ length: count }, (_, i) => ({
    id: i + 1,
    createdAt: new Date(Date.UTC(2024, 0, 1 + Math.floor(i / ties))),
  }))

export const ids = (rows: readonly Row[]): unknown[] => rows.map(({ id }) => id)
