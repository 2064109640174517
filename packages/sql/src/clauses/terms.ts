import type { Bound, StoredInstants } from '@prismapi/core/database/sql-database'
import type { ColumnMeta, RelationMeta } from '@prismapi/jsonapi/model/meta'
import type { Catalog } from '../catalog.ts'
import { type Codec, NotInSql } from '../dialects/codec.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { usualInstants, zuluInstants } from '../dialects/sqlite-dialect.ts'

/** How two values are compared; `insensitive` ones ignore letter case. */
export type Comparison = '=' | '<>' | '<' | '<=' | '>' | '>=' | 'like' | 'ilike'

/** Where a text stands in another one. */
export type Search = 'contains' | 'startsWith' | 'endsWith'

/**
 * What conditions are made into. There are two: the text that names their shape
 * (`shape`) and their SQL (`sql-terms.ts`). `Source` is the table whose columns a condition is
 * about. The values themselves are in neither: a slot is the place of one in a list.
 */
export interface Terms<Source, Term> {
  all(terms: readonly Term[]): Term
  any(terms: readonly Term[]): Term
  not(term: Term): Term
  constant(holds: boolean): Term
  isNull(source: Source, column: ColumnMeta): Term
  compare(source: Source, column: ColumnMeta, comparison: Comparison, slot: number): Term
  /** The column holds a text, compared letter for letter as LIKE does; of dialects that have a better way. */
  search(source: Source, column: ColumnMeta, search: Search, slot: number): Term
  /** The column is one of the values of a slot that holds a list. */
  isAmong(source: Source, column: ColumnMeta, slot: number): Term
  /** The row that a to-one relation leads to, with all columns null where there is none. */
  joined(source: Source, relation: RelationMeta): Source
  /** Is there a row that the to-one relation leads to. */
  isPresent(joined: Source, relation: RelationMeta): Term
  /** Is there a row behind a to-many relation that meets the condition; any row, where that is null. */
  exists(source: Source, relation: RelationMeta, where: (target: Source) => Term | null): Term
  /** How many rows are behind a to-many relation that meet the condition; how many at all, where that is null. */
  count(source: Source, relation: RelationMeta, where: (target: Source) => Term | null): Term
}

/**
 * The shape of a condition as a text without values: two conditions with one text have one SQL, and
 * differ in the values of their slots only. Names and operators hold none of the marks between them.
 */
export const shape: Terms<string, string> = {
  all: (terms) => `&(${terms.join('')})`,
  any: (terms) => `|(${terms.join('')})`,
  not: (term) => `!${term}`,
  constant: (holds) => (holds ? '1' : '0'),
  isNull: (source, { name }) => `${source}${name} null;`,
  compare: (source, { name }, comparison) => `${source}${name} ${comparison};`,
  search: (source, { name }, search) => `${source}${name} ${search};`,
  isAmong: (source, { name }) => `${source}${name} in;`,
  joined: (source, { name }) => `${source}${name}.`,
  isPresent: (joined) => `${joined}?;`,
  exists: (source, { name }, where) => `${source}${name}{${where('') ?? ''}}`,
  count: (source, { name }, where) => `${source}${name}#{${where('') ?? ''}}`,
}

/** What the statements of one database are made from. */
export interface SqlContext {
  readonly catalog: Catalog
  readonly dialect: Dialect
  /** How the column has its instants; `usual` of all other columns. */
  instantsIn(column: ColumnMeta): StoredInstants
}

/** One way through a plan: what its conditions are made into, and the values that were met on the way. */
export interface Walk<Source, Term> extends SqlContext {
  readonly terms: Terms<Source, Term>
  readonly values: Bound[]
}

/** Puts one value into a slot. */
export function slotFor<Source, Term>(
  column: ColumnMeta,
  value: unknown,
  { catalog, values }: Walk<Source, Term>,
): number {
  return values.push(catalog.codec(column).bind(value)) - 1
}

/**
 * Puts a value into the slots that the column is compared with: into
 * one, or into two where the column may equal the one or the other.
 */
export function comparedSlots<Source, Term>(
  column: ColumnMeta,
  { value, comparison }: { readonly value: unknown; readonly comparison: Comparison },
  { values, ...context }: Walk<Source, Term>,
): readonly number[] {
  const codecs = comparedCodecs(column, context)
  const [first, last = first] = codecs
  const isEdge = ['<', '<=', '>', '>='].includes(comparison)
  const chosen = isEdge ? [comparison === '<=' || comparison === '>' ? last : first] : codecs
  return chosen.map((codec) => values.push(codec.bind(value)) - 1)
}

/** Puts a list of values into one slot. */
export function listSlot<Source, Term>(column: ColumnMeta, list: readonly unknown[], walk: Walk<Source, Term>): number {
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
