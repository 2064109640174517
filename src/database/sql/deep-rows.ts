import type { OrderTerm } from '../../condition/order-term.ts'
import { type Awaitable, after } from '../../model/awaitable.ts'
import type { Row } from '../../model/where.ts'
import type { RowsPlan } from '../reader.ts'
import type { Bound, Version } from '../sql-database.ts'
import { storedOf } from '../stored-rows.ts'
import type { SqlContext } from './clauses/walk.ts'
import { questionText } from './compile-query.ts'
import type { Positions } from './positions.ts'
import { rowsQuery, type SlicePlan } from './queries/level-query.ts'

/** To skip fewer rows takes less time than to ask for the version. */
const deep = 1000

interface Kept extends SqlContext {
  readonly version: () => Awaitable<Version>
  readonly positions: Positions
}

type ReadRows = (plan: SlicePlan) => Awaitable<readonly Row[]>

/**
 * Reads the deep pages of a list from the nearest position that is known: to skip rows, a database looks at each of them. Where nothing
 * is known of versions, it reads as before.
 */
export function deepRows(read: ReadRows, kept: Kept | null): ReadRows {
  if (kept === null) return read
  return (plan) =>
    plan.skip >= deep && isPlain(plan, kept)
      ? after(kept.version(), (now) => readDeep(read, plan, { now, ...kept }))
      : read(plan)
}

function readDeep(
  read: ReadRows,
  plan: RowsPlan,
  { now, positions, ...context }: Kept & { readonly now: Version },
): Awaitable<readonly Row[]> {
  // The same for the same list, of the same caller's rows.
  const list = questionText(rowsQuery, { ...plan, skip: 0, take: null }, context)
  const from = positions.nearest(now, list, plan.skip)
  const slice = { ...plan, keepsStored: true, ...(from && { skip: plan.skip - from.skip, from: from.values }) }
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

/** Rows can be compared with a position: by columns that are read, without nulls, all in one direction. */
function isPlain({ model: name, order, columns }: RowsPlan, { catalog, isMixed }: SqlContext): boolean {
  const model = catalog.model(name)
  const isComparable = ({ path, direction, seen }: OrderTerm): boolean => {
    const [column] = path.map((each) => model.columns[each])
    if (path.length > 1 || seen || direction !== order[0]?.direction || !column) return false
    if (column.isNullable || column.isList || column.isEnum || !comparable.has(column.type)) return false
    return columns.includes(column.name) && !catalog.codec(column).isText && !isMixed(column)
  }
  return order.length > 0 && order.every(isComparable)
}

const comparable: ReadonlySet<string> = new Set(['Int', 'BigInt', 'Float', 'Decimal', 'DateTime', 'String'])
