import { type RowsPlan, storedOf } from '@prismapi/core/database/reader'
import type { Bound, Version } from '@prismapi/core/database/sql-database'
import { all, any, compare, everything } from '@prismapi/jsonapi/condition/build'
import type { Condition } from '@prismapi/jsonapi/condition/condition'
import type { OrderTerm } from '@prismapi/jsonapi/condition/order-term'
import { type Awaitable, after, together } from '@prismapi/jsonapi/model/awaitable'
import { type BoundedCache, boundedCache } from '@prismapi/jsonapi/model/memo'
import type { ColumnMeta } from '@prismapi/jsonapi/model/meta'
import type { Row } from '@prismapi/jsonapi/model/where'
import type { SqlContext } from './clauses/conditions.ts'
import { questionText } from './compile-query.ts'
import { NotInSql } from './dialects/codec.ts'
import { type Position, rowsQuery, type SliceByText, type SlicePlan, withThoseBeside } from './queries/level-query.ts'
import { isServed } from './queries/sorted-by-keys.ts'

/** To skip fewer rows takes less time than to ask for the version. */
const deep = 1000

interface PositionContext extends SqlContext {
  readonly version: () => Awaitable<Version>
  readonly positions: Positions
}

type ReadRows = (plan: SlicePlan) => Awaitable<readonly Row[]>

/**
 * Reads the deep pages of a list from the nearest position that is known: to skip rows, a
 * database looks at each of them. Where nothing is known of versions, it reads as before.
 */
export function deepRows(read: ReadRows, kept: PositionContext | null): ReadRows {
  if (kept === null) return read
  return (plan) =>
    plan.skip >= deep && isPlain(plan, kept)
      ? after(kept.version(), (now) => readDeep(read, plan, { now, ...kept }))
      : read(plan)
}

function readDeep(
  read: ReadRows,
  plan: RowsPlan,
  { now, positions, ...context }: PositionContext & { readonly now: Version },
): Awaitable<readonly Row[]> {
  const list = listOf(plan, context)
  if (list === null) return read(plan)
  const from = positions.nearest(now, list, plan.skip)
  const slice = { ...plan, keepsStored: true, ...(from && { from }) }
  return after(read(slice), (rows) => {
    const stored = rows[0] && storedOf(rows[0])
    if (stored)
      positions.keep(now, list, {
        skip: plan.skip,
        values: plan.order.map(({ path }) => stored[path[0] as string] as Bound),
      })
    return rows
  })
}

/** The same for the same list, of the same caller's rows; null for what is not in SQL. */
function listOf(plan: RowsPlan, context: SqlContext): string | null {
  try {
    return questionText(rowsQuery, { ...plan, skip: 0, take: null }, context)
  } catch (error) {
    if (error instanceof NotInSql) return null
    throw error
  }
}

/** Rows can be compared with a position: by columns that are read, without nulls, all in one direction. */
function isPlain({ model: name, order, columns }: RowsPlan, { catalog, instantsIn }: SqlContext): boolean {
  const model = catalog.model(name)
  const isComparable = ({ path, direction, seen }: OrderTerm): boolean => {
    const [column] = path.map((each) => model.columns[each])
    if (path.length > 1 || seen || direction !== order[0]?.direction || !column) return false
    if (column.isNullable || column.isList || column.isEnum || !comparable.has(column.type)) return false
    return columns.includes(column.name) && !catalog.codec(column).isText && instantsIn(column) !== 'mixed'
  }
  return order.length > 0 && order.every(isComparable)
}

const comparable: ReadonlySet<string> = new Set(['Int', 'BigInt', 'Float', 'Decimal', 'DateTime', 'String'])

/** How slices are read whose instants are in two spellings. */
interface TextReaders {
  /** By the texts of instants, whatever these say of time. */
  readonly byText: ReadRows
  /** The same where that may be the order of time, else null. */
  readonly sliceByText: (plan: SlicePlan) => SliceByText | null
}

/**
 * Reads pages that are sorted by instants of two spellings. The index sorts texts: the same instant in two spellings
 * is sorted by spelling, not by the next sort column. Few pages have such an instant: the others are read as the index
 * has them. For a page with one, the index is asked which instant the page ends with, and only the rows up to that
 * one are sorted.
 */
export function sortedInTime(read: ReadRows, { byText, sliceByText }: TextReaders, context: SqlContext): ReadRows {
  return (plan: SlicePlan) => {
    const sorted = sortedInstants(plan, context)
    if (!sorted) return read(plan)
    const bySorting = () =>
      after(byText(endOf(plan, sorted)), ([last]) =>
        read({ ...plan, within: within(plan, last, { ...sorted, ...context }) }),
      )
    const slice = mayBeInTime(plan, sorted, context) ? sliceByText(plan) : null
    const spelt = together(
      (slice?.edges ?? []).map((text) => () => byText(speltFirst(plan, text, { ...sorted, ...context }))),
    )
    return after(spelt, (edges) => {
      const { name } = sorted.column
      const isInTime = edges.every(([row], i) => row && storedOf(row)?.[name] === slice?.edges[i])
      return after(slice && isInTime ? slice.rows : bySorting(), (rows) =>
        // Another process may have added a row meanwhile, beside which texts are in no order.
        context.instantsIn(sorted.column) === 'both' ? rows : read(plan),
      )
    })
  }
}

const mayBeInTime = ({ from, columns, take }: SlicePlan, { column }: Sorted, { dialect }: SqlContext): boolean =>
  !from && columns.includes(column.name) && withThoseBeside(take as number) <= dialect.maxLiteralLimit

interface Sorted {
  readonly column: ColumnMeta
  readonly term: OrderTerm
}

/**
 * What a page is sorted by first, where that is a column with instants of two spellings which an index has in order.
 */
function sortedInstants(plan: RowsPlan, { catalog, instantsIn }: SqlContext): Sorted | null {
  const [term] = plan.order
  if (plan.take === null || !term || term.path.length > 1 || term.seen) return null
  const model = catalog.model(plan.model)
  const column = model.columns[term.path[0] as string]
  return column?.type === 'DateTime' && instantsIn(column) === 'both' && isServed(plan, model) ? { column, term } : null
}

/** The last row of the slice, as the index has them. */
const endOf = ({ shown: _, ...plan }: SlicePlan, { column }: Sorted): SlicePlan => ({
  ...plan,
  columns: [column.name],
  skip: plan.skip + (plan.take as number) - 1,
  take: 1,
  keepsStored: false,
})

/** A row with the instant of this text: one in the other spelling if there is any. */
const speltFirst = (plan: SlicePlan, text: string, { column, term, catalog }: Sorted & SqlContext): SlicePlan => ({
  ...endOf(plan, { column, term }),
  where: compare(column, 'equals', catalog.codec(column).read(text)),
  order: [{ path: term.path, direction: text.endsWith('Z') ? 'asc' : 'desc' }],
  skip: 0,
  keepsStored: true,
})

function within(plan: SlicePlan, last: Row | undefined, { column, term, catalog }: Sorted & SqlContext): Condition {
  const [notBefore, notBehind] = term.direction === 'asc' ? (['gte', 'lte'] as const) : (['lte', 'gte'] as const)
  const first = plan.from && compare(column, notBefore, catalog.codec(column).read(plan.from.values[0]))
  const end = last?.[column.name]
  // There are less rows than the page has room for.
  if (end === undefined) return first ?? everything
  const areNullsFirst = (term.nulls ?? (term.direction === 'asc' ? 'first' : 'last')) === 'first'
  const isNull = column.isNullable && areNullsFirst ? compare(column, 'equals', null) : null
  if (end === null) return isNull ?? everything
  const upToEnd = compare(column, notBehind, end)
  return all(first, isNull ? any([isNull, upToEnd]) : upToEnd)
}

/** Of so many rows that follow each other one position is kept. */
const apart = 500
const mostOfList = 100
const mostLists = 100

/**
 * Positions in long lists, until the version of the database says that
 * a write has been committed: then none is used again.
 */
export class Positions {
  private seen: Version | null = null
  private lists = noLists()

  /** The last kept position at or before row `skip`. */
  nearest(now: Version, list: string, skip: number): Position | null {
    let nearest: Position | null = null
    for (const position of this.positionsOf(now, list).values())
      if (position.skip <= skip && position.skip > (nearest?.skip ?? 0)) nearest = position
    return nearest
  }

  /** `now`: the version of the database, read before the row was. */
  keep(now: Version, list: string, position: Position): void {
    const known = this.positionsOf(now, list)
    const part = Math.floor(position.skip / apart)
    const kept = known.get(part)
    if (kept && kept.skip <= position.skip) return
    if (!kept && known.size === mostOfList) known.clear()
    known.set(part, position)
  }

  private positionsOf(now: Version, list: string): Map<number, Position> {
    if (now !== this.seen) {
      this.seen = now
      this.lists = noLists()
    }
    return this.lists.get(list, () => new Map())
  }
}

const noLists = (): BoundedCache<Map<number, Position>> => boundedCache(mostLists, 262_144)
