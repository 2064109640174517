import type { ColumnMeta } from '../../../model/meta.ts'
import type { Bound } from '../../sql-database.ts'
import type { Catalog } from '../catalog.ts'
import type { Codec } from '../codecs/codec.ts'
import { usualInstants } from '../codecs/sqlite-codecs.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { NotInSql } from '../not-in-sql.ts'
import type { Terms } from './terms.ts'

/** What the statements of one database are made from. */
export interface SqlContext {
  readonly catalog: Catalog
  readonly dialect: Dialect
  /** Does the column hold instants of several spellings, so that they have to be given one before they are compared. */
  isMixed(column: ColumnMeta): boolean
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

/** Puts a value into a slot that the column is compared with. */
export function comparedSlot<Side, Term>(column: ColumnMeta, value: unknown, walk: Walk<Side, Term>): number {
  return walk.values.push(comparedCodec(column, walk).bind(value)) - 1
}

/** Puts a list of values into one slot. */
export function listSlot<Side, Term>(column: ColumnMeta, list: readonly unknown[], walk: Walk<Side, Term>): number {
  const { dialect, values } = walk
  const codec = comparedCodec(column, walk)
  const bound = dialect.bindList(list.map(codec.bind), codec)
  if (bound === null) throw new NotInSql(`a list of ${column.type}`)
  return values.push(bound) - 1
}

/** How what a column is compared with is bound. */
const comparedCodec = (column: ColumnMeta, { catalog, isMixed }: SqlContext): Codec =>
  isMixed(column) ? usualInstants : catalog.codec(column)
