import type { OrderTerm } from '../condition/order-term.ts'
import type { ColumnMeta, ModelMeta, Provider, Resources } from '../model/meta.ts'
import { isFinerThanDate } from './cursor-column.ts'

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
  /** That is where the client wants them, and not where the database puts them. */
  readonly placesNulls: boolean
  /** Every value, in the database's order, of a column that the database orders and Prisma does not compare; else null. */
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
 * The keys of an order; null where rows cannot be compared by one of its terms: behind a relation, hidden in some rows, or by values that
 * JavaScript does not hold exactly.
 */
export function sortKeys(order: readonly OrderTerm[], ordered: Ordered): readonly SortKey[] | null {
  const keys = order.map((term) => toSortKey(term, ordered))
  return keys.every((key) => key !== null) ? keys : null
}

/** The same order, from its end. */
export const reversed = (keys: readonly SortKey[]): readonly SortKey[] =>
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
  const nulls = column.isNullable ? (placed ?? nullsOf(direction, resources.provider)) : null
  return { column: column.name, direction, nulls, placesNulls: placed !== undefined, values }
}

const comparable: ReadonlySet<string> = new Set(['String', 'Int', 'BigInt', 'Float', 'Decimal', 'DateTime'])

/** Where a database puts rows without a value. PostgreSQL takes null for the largest value, the others for the smallest. */
export const nullsOf = (direction: OrderTerm['direction'], provider: Provider): 'first' | 'last' =>
  (direction === 'asc') === (provider !== 'postgresql') ? 'first' : 'last'

function valuesOf(column: ColumnMeta, { provider, enums }: Ordered['resources']): readonly unknown[] | null {
  if (column.type === 'Boolean') return [false, true]
  const meta = column.isEnum ? enums[column.type] : undefined
  if (!meta) return null
  if (provider === 'mysql') return meta.values
  // As text, by the bytes of the stored names. Where they are a type of the database, that type has an order of its own,
  // which the Prisma schema does not know: a value that was added later stands last there.
  if (provider !== 'sqlite') return null
  const stored = (value: string) => Buffer.from(meta.stored[value] ?? value)
  return [...meta.values].sort((a, b) => Buffer.compare(stored(a), stored(b)))
}
