import type { ColumnMeta, RelationMeta } from '@prismapi/jsonapi/model/meta'

/** How two values are compared; `insensitive` ones ignore letter case. */
export type Comparison = '=' | '<>' | '<' | '<=' | '>' | '>=' | 'like' | 'ilike'

/** Where a text stands in another one. */
export type Search = 'contains' | 'startsWith' | 'endsWith'

/**
 * What conditions are made into. There are two: the text that names their shape
 * (`shape`) and their SQL (`sql-terms.ts`). `Side` is whose columns a condition is
 * about. The values themselves are in neither: a slot is the place of one in a list.
 */
export interface Terms<Side, Term> {
  all(terms: readonly Term[]): Term
  any(terms: readonly Term[]): Term
  not(term: Term): Term
  constant(holds: boolean): Term
  isNull(side: Side, column: ColumnMeta): Term
  compare(side: Side, column: ColumnMeta, comparison: Comparison, slot: number): Term
  /** The column holds a text, compared letter for letter as LIKE does; of dialects that have a better way. */
  search(side: Side, column: ColumnMeta, search: Search, slot: number): Term
  /** The column is one of the values of a slot that holds a list. */
  isAmong(side: Side, column: ColumnMeta, slot: number): Term
  /** The row that a to-one relation leads to, with all columns null where there is none. */
  joined(side: Side, relation: RelationMeta): Side
  /** Is there a row that the to-one relation leads to. */
  isPresent(joined: Side, relation: RelationMeta): Term
  /** Is there a row behind a to-many relation that meets the condition; any row, where that is null. */
  exists(side: Side, relation: RelationMeta, where: (target: Side) => Term | null): Term
  /** How many rows are behind a to-many relation that meet the condition; how many at all, where that is null. */
  count(side: Side, relation: RelationMeta, where: (target: Side) => Term | null): Term
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
  isNull: (side, { name }) => `${side}${name} null;`,
  compare: (side, { name }, comparison) => `${side}${name} ${comparison};`,
  search: (side, { name }, search) => `${side}${name} ${search};`,
  isAmong: (side, { name }) => `${side}${name} in;`,
  joined: (side, { name }) => `${side}${name}.`,
  isPresent: (joined) => `${joined}?;`,
  exists: (side, { name }, where) => `${side}${name}{${where('') ?? ''}}`,
  count: (side, { name }, where) => `${side}${name}#{${where('') ?? ''}}`,
}
