import type { Bound, SpellingOfInstants, SqlProvider } from '@prismapi/core/database/sql-database'
import type { Words } from '@prismapi/jsonapi/condition/condition'
import type { ColumnMeta, EnumMeta } from '@prismapi/jsonapi/model/meta'
import type { InstantPart } from '@prismapi/jsonapi/schema/statistics'
import { type DefaultQueryCompiler, type RawBuilder, sql } from 'kysely'
import type { Codec, CodecOf } from './codec.ts'

/** A piece of SQL, whose parameters are slots. */
export type Sql = RawBuilder<unknown>

/** The place of a value among those that a walk collects. */
class Slot {
  readonly index: number
  constructor(index: number) {
    this.index = index
  }
}

/** Where a text stands in another one. */
export type Search = 'contains' | 'startsWith' | 'endsWith'

/** What one database says in its own way. */
export interface Dialect {
  readonly provider: SqlProvider
  /** LIKE has a sister that ignores letter case. */
  readonly ignoresCase: boolean
  /** Up to here, a LIMIT is part of a statement's text, so each is a statement of its own; above, it is bound. */
  readonly maxLiteralLimit: number
  /** No more rows than a number which is bound, and is `most` at the most; `offset` is empty, or an OFFSET. */
  limited(rows: Sql, limit: { readonly number: Sql; readonly most: number; readonly offset: Sql }): Sql
  readonly codecsOf: (enums: Readonly<Record<string, EnumMeta>>, instants?: SpellingOfInstants) => CodecOf
  /** A list of bound values as one value; null where there is no exact way. */
  bindList(values: readonly Bound[], codec: Codec): Bound | null
  /** Is the column among the values of a list that was bound as one. */
  isAmong(column: Sql, list: Sql): Sql
  /**
   * Does a text hold another one, ASCII letters of either case for the
   * same, as its LIKE does; null where LIKE does so best.
   */
  readonly search: ((column: Sql, search: Search, text: Sql) => Sql) | null
  /**
   * To stop a slow read: a condition, true for every row, that calls into
   * JavaScript. Left out if the database has timeouts.
   */
  readonly endable?: (column: Sql) => Sql
  /**
   * The end of an expensive subselect that keeps the planner from making a join of it; left out where the planner
   * never does. Such a join expects a match soon: without one, it reads the same rows again and again.
   */
  readonly subselectFence?: Sql
  /** The sorter copies whole rows, not row addresses. */
  readonly carriesRows?: true
  /** Searches by words, with an index that `prismapi search` makes. */
  readonly words: WordSearch
  /** The column as the driver can give it exactly. */
  selected(column: Sql, meta: ColumnMeta, codec: Codec): Sql
  /**
   * An instant in the usual spelling, of a column that has them in
   * both or in any; left out where there is one way to store them.
   */
  readonly instant?: (column: Sql, stored: 'both' | 'mixed') => Sql
  /** A part of an instant as text, in UTC. */
  instantPart(column: Sql, part: InstantPart, meta: ColumnMeta): Sql
  /**
   * The exact sum of integers as text, or as the texts of two numbers, `high:low`,
   * of which the first counts 2^32; any other sum but of floats as it is.
   */
  sum(column: Sql, meta: ColumnMeta): Sql
  /** What sums are ordered by. */
  sumOrder(column: Sql, meta: ColumnMeta): Sql
  average(column: Sql, meta: ColumnMeta): Sql
  compiler(): DefaultQueryCompiler
}

/** How one database searches texts by their words. */
export interface WordSearch {
  /** What is bound for a search. */
  bind(text: string, words: Words): Bound
  /** Does the row of the alias meet it. */
  matches(alias: string, words: Words, looked: Looked): Sql
  /** What is bound to say how well a row meets it, and that as a number. */
  rankedBy(text: string, words: Words): readonly Bound[]
  rank(alias: string, words: Words, looked: readonly Looked[]): Sql
}

/** What is looked for, and the table that is searched. */
export interface Looked {
  readonly text: Sql
  readonly table: Sql
}

export interface CompiledSql {
  readonly text: string
  /** The slot of each parameter, in the order of the text. */
  readonly slots: readonly number[]
}

export function compileSql(query: Sql, { compiler }: Dialect): CompiledSql {
  const { sql: text, parameters } = compiler().compileQuery(query.toOperationNode(), { queryId: '' })
  return { text, slots: (parameters as readonly Slot[]).map(({ index }) => index) }
}

export const slot = (index: number): Sql => sql`${new Slot(index)}`
