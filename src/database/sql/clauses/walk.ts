import type { ColumnMeta } from '../../../model/meta.ts'
import type { Bound } from '../../sql-database.ts'
import type { Catalog } from '../catalog.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { NotInSql } from '../not-in-sql.ts'
import type { Terms } from './terms.ts'

/** What the statements of one database are made from. */
export interface SqlContext {
  readonly catalog: Catalog
  readonly dialect: Dialect
}

/** One way through a plan: what its conditions are made into, and the values that were met on the way. */
export interface Walk<Side, Term> extends SqlContext {
  readonly terms: Terms<Side, Term>
  readonly values: Bound[]
}

/** Puts one value into a slot. */
export function slotFor<Side, Term>(column: ColumnMeta, value: unknown, { catalog, values }: Walk<Side, Term>): number {
  return values.push(catalog.codec(column).bind(value)) - 1
}

/** Puts a list of values into one slot. */
export function listSlot<Side, Term>(
  column: ColumnMeta,
  list: readonly unknown[],
  { catalog, dialect, values }: Walk<Side, Term>,
): number {
  const codec = catalog.codec(column)
  const bound = dialect.bindList(list.map(codec.bind), codec)
  if (bound === null) throw new NotInSql(`a list of ${column.type}`)
  return values.push(bound) - 1
}
