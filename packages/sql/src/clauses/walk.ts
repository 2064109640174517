import type { Bound, StoredInstants } from '@prismapi/core/database/sql-database'
import type { ColumnMeta } from '@prismapi/jsonapi/model/meta'
import type { Catalog } from '../catalog.ts'
import { type Codec, NotInSql } from '../codecs/codec.ts'
import { usualInstants, zuluInstants } from '../codecs/sqlite-codecs.ts'
import type { Dialect } from '../dialects/dialect.ts'
import type { Comparison, Terms } from './terms.ts'

/** What the statements of one database are made from. */
export interface SqlContext {
  readonly catalog: Catalog
  readonly dialect: Dialect
  /** How the column has its instants; `usual` of all other columns. */
  instantsIn(column: ColumnMeta): StoredInstants
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

/**
 * Puts a value into the slots that the column is compared with: into
 * one, or into two where the column may equal the one or the other.
 */
export function comparedSlots<Side, Term>(
  column: ColumnMeta,
  { value, comparison }: { readonly value: unknown; readonly comparison: Comparison },
  { values, ...context }: Walk<Side, Term>,
): readonly number[] {
  const codecs = comparedCodecs(column, context)
  const [first, last = first] = codecs
  const isEdge = ['<', '<=', '>', '>='].includes(comparison)
  const chosen = isEdge ? [comparison === '<=' || comparison === '>' ? last : first] : codecs
  return chosen.map((codec) => values.push(codec.bind(value)) - 1)
}

/** Puts a list of values into one slot. */
export function listSlot<Side, Term>(column: ColumnMeta, list: readonly unknown[], walk: Walk<Side, Term>): number {
  const { dialect, values } = walk
  const codecs = comparedCodecs(column, walk)
  const bound = dialect.bindList(
    codecs.flatMap(({ bind }) => list.map(bind)),
    codecs[0],
  )
  if (bound === null) throw new NotInSql(`a list of ${column.type}`)
  return values.push(bound) - 1
}

/**
 * How what a column is compared with is bound: in one way, or in two, of which the database takes the first for less.
 */
function comparedCodecs(column: ColumnMeta, { catalog, instantsIn }: SqlContext): readonly [Codec, ...Codec[]] {
  const stored = instantsIn(column)
  switch (stored) {
    case 'usual':
      return [catalog.codec(column)]
    case 'zulu':
      return [zuluInstants]
    case 'both':
      return [usualInstants, zuluInstants]
    case 'mixed':
      return [usualInstants]
    default:
      return stored satisfies never
  }
}
