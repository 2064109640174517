import type { Where } from '../model/where.ts'
import type { SortKey } from './sort-keys.ts'

/**
 * The condition of the rows that come behind the values in the order of the keys; whether a row has these values does not
 * matter. Rows without a value stand where the database puts them.
 *
 * As `a <= x AND (a < x OR (a = x AND b > y))`: the first bound alone is a range of an index that begins with `a`, so a page
 * costs the same at any depth. Without it the database walks the index up to the place.
 */
export function beyond(keys: readonly SortKey[], values: readonly unknown[]): Where {
  const [first] = keys as [SortKey]
  const branches = keys.flatMap((key, i) => {
    const further = furtherThan(key, values[i])
    return further ? [allOf([...keys.slice(0, i).map((each, j) => sameAs(each, values[j])), further])] : []
  })
  const bound = keys.length > 1 ? boundOf(first, values[0]) : null
  return allOf([...(bound ? [bound] : []), anyOf(branches)])
}

const allOf = (conditions: readonly Where[]): Where =>
  conditions.length === 1 ? (conditions[0] as Where) : { AND: conditions }
const anyOf = (conditions: readonly Where[]): Where =>
  conditions.length === 1 ? (conditions[0] as Where) : { OR: conditions }

const sameAs = ({ column }: SortKey, value: unknown): Where => ({ [column]: value === null ? null : { equals: value } })

/** Null where no row is further. */
function furtherThan(key: SortKey, value: unknown): Where | null {
  const { column, nulls } = key
  if (value === null) return nulls === 'first' ? { [column]: { not: null } } : null
  const further = compared(key, value)
  if (nulls !== 'last') return further
  return anyOf([...(further ? [further] : []), { [column]: null }])
}

function compared({ column, direction, values }: SortKey, value: unknown): Where | null {
  if (!values) return { [column]: { [direction === 'asc' ? 'gt' : 'lt']: value } }
  const at = values.indexOf(value)
  const further = direction === 'asc' ? values.slice(at + 1) : values.slice(0, at)
  if (further.length === 0) return null
  // Prisma has no `in` for a Boolean.
  return { [column]: further.length === 1 ? { equals: further[0] } : { in: further } }
}

function boundOf({ column, direction, nulls, values }: SortKey, value: unknown): Where | null {
  if (value === null) return nulls === 'last' ? { [column]: null } : null
  if (values || nulls === 'last') return null
  return { [column]: { [direction === 'asc' ? 'gte' : 'lte']: value } }
}
