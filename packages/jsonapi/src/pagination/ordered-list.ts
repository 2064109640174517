import type { OrderTerm } from '../condition/order-term.ts'
import type { ColumnMeta, ModelMeta, Provider, Resources } from '../model/meta.ts'
import type { Where } from '../model/where.ts'
import type { CursorPosition, CursorSeal } from './cursor-seal.ts'
import { comparable, isFinerThanDate } from './keyset.ts'

/** A collection in its order, as cursors speak of it. */
export interface OrderedList {
  /** Null where rows cannot be compared by a term of the order. */
  readonly keys: readonly SortKey[] | null
  /** The cursor of a place. */
  seal(place: CursorPosition): string
  /** The place of a cursor; undefined for what is no cursor of this list. */
  open(cursor: string): CursorPosition | undefined
}

interface ListParts extends Ordered {
  readonly cursorSeal: CursorSeal
  /** What the rows are, of which server. */
  readonly name: string
}

/** A cursor says where it is by the values of its order, so it is good for every collection of a type in that order. */
export function orderedList(order: readonly OrderTerm[], { cursorSeal, name, ...ordered }: ListParts): OrderedList {
  const list = [name, ...order.map((term) => termText(term, ordered))].join('\0')
  const keys = sortKeys(order, ordered)
  return {
    keys,
    seal: (place) => cursorSeal.seal(list, place),
    open(cursor) {
      const place = cursorSeal.open(list, cursor)
      return Array.isArray(place) && !place.every((value, i) => isKnown(keys?.[i], value)) ? undefined : place
    },
  }
}

/** The value of an enum may have been removed since. */
const isKnown = (key: SortKey | undefined, value: unknown): boolean =>
  !key?.values || value === null || key.values.includes(value)

// The type is a part of it: a cursor may be older than the last migration.
function termText({ path, direction, nulls }: OrderTerm, { model }: Ordered): string {
  const column = path.length === 1 ? model.columns[path[0] as string] : undefined
  return [direction, ...(nulls ? [nulls] : []), ...path, column?.type, column?.isNullable].join(' ')
}

/**
 * One key of a total order, with what it takes to say which rows come behind a value.
 *
 * @internal
 */
export interface SortKey {
  readonly column: string
  readonly direction: OrderTerm['direction']
  /** Where rows without a value stand; null where every row has one. */
  readonly nulls: 'first' | 'last' | null
  /** Whether the order itself says where they stand; false where the database decides. */
  readonly placesNulls: boolean
  /** All values in the database's order, of enums and booleans: Prisma has no `gt` for them. Null for other columns. */
  readonly values: readonly unknown[] | null
}

/** What an order is of. */
export interface Ordered {
  /** The model of the rows. */
  readonly model: ModelMeta
  /** The database that orders them, and its enums. */
  readonly resources: Pick<Resources, 'provider' | 'enums'>
}

/**
 * The keys of an order; null where rows cannot be compared by one of its terms: behind
 * a relation, hidden in some rows, or by values that JavaScript does not hold exactly.
 */
export function sortKeys(order: readonly OrderTerm[], ordered: Ordered): readonly SortKey[] | null {
  const keys = order.map((term) => toSortKey(term, ordered))
  return keys.every((key) => key !== null) ? keys : null
}

/** The same order, from its end. */
export const reverseKeys = (keys: readonly SortKey[]): readonly SortKey[] =>
  keys.map((key) => ({
    ...key,
    direction: key.direction === 'asc' ? 'desc' : 'asc',
    nulls: key.nulls && (key.nulls === 'first' ? 'last' : 'first'),
  }))

export const toOrder = (keys: readonly SortKey[]): readonly OrderTerm[] =>
  keys.map(({ column, direction, nulls, placesNulls }) => ({
    path: [column],
    direction,
    ...(placesNulls && nulls && { nulls }),
  }))

function toSortKey({ path, direction, nulls: placed, seen }: OrderTerm, { model, resources }: Ordered): SortKey | null {
  // A cursor would carry a value that its reader may not see.
  const column = path.length === 1 && !seen ? model.columns[path[0] as string] : undefined
  if (!column || column.isList || isFinerThanDate(column)) return null
  const values = valuesOf(column, resources)
  if (values === null && !comparable.has(column.type)) return null
  const nulls = column.isNullable ? (placed ?? placeOfNulls(direction, resources.provider)) : null
  return { column: column.name, direction, nulls, placesNulls: placed !== undefined, values }
}

/**
 * Where a database puts rows without a value. PostgreSQL takes null for the largest value, the others for the smallest.
 */
export const placeOfNulls = (direction: OrderTerm['direction'], provider: Provider): 'first' | 'last' =>
  (direction === 'asc') === (provider !== 'postgresql') ? 'first' : 'last'

function valuesOf(column: ColumnMeta, { provider, enums }: Ordered['resources']): readonly unknown[] | null {
  if (column.type === 'Boolean') return [false, true]
  const meta = column.isEnum ? enums[column.type] : undefined
  if (!meta) return null
  if (provider === 'mysql') return meta.values
  // As text, by the bytes of the stored names. Where they are a type of the database, that type has an order
  // of its own, which the Prisma schema does not know: a value that was added later stands last there.
  if (provider !== 'sqlite') return null
  const stored = (value: string) => Buffer.from(meta.stored[value] ?? value)
  return [...meta.values].sort((a, b) => Buffer.compare(stored(a), stored(b)))
}

/**
 * The condition of the rows that come behind the values in the order of the keys; whether a row
 * has these values does not matter. Rows without a value stand where the database puts them.
 *
 * As `a <= x AND (a < x OR (a = x AND b > y))`: the first bound alone is a range of an index that begins
 * with `a`, so a page costs the same at any depth. Without it the database walks the index up to the place.
 */
export function beyond(keys: readonly SortKey[], values: readonly unknown[]): Where {
  const [first] = keys as [SortKey]
  const branches = keys.flatMap((key, i) => {
    const further = furtherThan(key, values[i])
    return further ? [allOf([...keys.slice(0, i).map((each, j) => sameAs(each, values[j])), further])] : []
  })
  const bound = keys.length > 1 ? toBound(first, values[0]) : null
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
  const further = compareFurther(key, value)
  if (nulls !== 'last') return further
  return anyOf([...(further ? [further] : []), { [column]: null }])
}

function compareFurther({ column, direction, values }: SortKey, value: unknown): Where | null {
  if (!values) return { [column]: { [direction === 'asc' ? 'gt' : 'lt']: value } }
  const at = values.indexOf(value)
  const further = direction === 'asc' ? values.slice(at + 1) : values.slice(0, at)
  if (further.length === 0) return null
  // Prisma has no `in` for a Boolean.
  return { [column]: further.length === 1 ? { equals: further[0] } : { in: further } }
}

function toBound({ column, direction, nulls, values }: SortKey, value: unknown): Where | null {
  if (value === null) return nulls === 'last' ? { [column]: null } : null
  if (values || nulls === 'last') return null
  return { [column]: { [direction === 'asc' ? 'gte' : 'lte']: value } }
}
