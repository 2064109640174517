import type { ColumnMeta, RelationMeta, SearchMeta } from '../model/meta.ts'

/**
 * What has to be true of a row: a tree of frozen nodes that know their columns and relations. It is parsed
 * where an application says it (`parse.ts`) or built (`build.ts`), and read by visitors: Prisma's `where`,
 * SQL, in memory, and others. Each node is true, false or, as in SQL, unknown. `everything` and `nothing`
 * are whole conditions, never parts of one, but for `everything` behind a relation, which asks for any row.
 */
export type Condition = All | Any | Not | Compare | Json | Related | Absent | Constant

/** Every one of two conditions or more. */
export interface All {
  readonly kind: 'all'
  readonly conditions: readonly Condition[]
}

/** At least one of two conditions or more. */
export interface Any {
  readonly kind: 'any'
  readonly conditions: readonly Condition[]
}

export interface Not {
  readonly kind: 'not'
  readonly condition: Condition
}

/**
 * One column and one value; a list for `in`, `notIn`, `hasSome` and `hasEvery`.
 * With null, `equals` and `not` ask whether there is a value. `in` with an empty
 * list holds for no row, and `notIn` for every row, even one without a value.
 *
 * @internal
 */
export interface Compare {
  readonly kind: 'compare'
  readonly column: ColumnMeta
  readonly operator: Operator
  readonly value: unknown
  /**
   * `insensitive`: letter case is ignored. `plain`: a search takes `%` and `_` for characters, as SQLite's LIKE cannot.
   */
  readonly mode: Mode | 'plain'
  /** Of `search`: several columns together, by an index of words. The column stands for them. */
  readonly words?: Words
}

/** Columns that are searched by their words: those of an index that the caller sees in every row. */
export interface Words extends SearchMeta {
  readonly seen: readonly ColumnMeta[]
}

export type Mode = 'insensitive' | null

/** A Json column, or the value that the path leads to inside of it. */
export interface Json {
  readonly kind: 'json'
  readonly column: ColumnMeta
  /** As Prisma takes it for the database; null for the whole column. */
  readonly path: unknown
  readonly operator: JsonOperator
  readonly value: unknown
  readonly mode: Mode
}

/**
 * A condition on the rows behind a relation. A to-one relation has the
 * quantifier `is`, a to-many one `some`, `every` or `none`.
 *
 * `is` is a join: the node is unknown where its condition is. With the others it
 * is true or false. `every` is true as long as the condition is false for no row.
 */
export interface Related {
  readonly kind: 'related'
  readonly relation: RelationMeta
  readonly quantifier: Quantifier
  readonly condition: Condition
}

/** A to-one relation leads nowhere. */
export interface Absent {
  readonly kind: 'absent'
  readonly relation: RelationMeta
}

/** Every row, or none; null where no row meets or breaks it, as a comparison with null. */
export interface Constant {
  readonly kind: 'constant'
  readonly holds: boolean | null
}

export type Quantifier = 'is' | 'some' | 'every' | 'none'

export const operators = [
  'equals',
  'not',
  'in',
  'notIn',
  'lt',
  'lte',
  'gt',
  'gte',
  'contains',
  'startsWith',
  'endsWith',
  'search',
  'has',
  'hasSome',
  'hasEvery',
  'isEmpty',
] as const

/** What a column is compared by, in Prisma's words. */
export type Operator = (typeof operators)[number]

export const jsonOperators = [
  'equals',
  'not',
  'lt',
  'lte',
  'gt',
  'gte',
  'string_contains',
  'string_starts_with',
  'string_ends_with',
  'array_contains',
  'array_starts_with',
  'array_ends_with',
] as const

/** What a Json value is compared by, in Prisma's words. */
export type JsonOperator = (typeof jsonOperators)[number]

/**
 * One way to read conditions: a method for each kind of node. Each method gets the
 * place `at` which the condition is read, such as the table whose columns it is about.
 */
export interface Visitor<Result, At> {
  all(node: All, at: At): Result
  any(node: Any, at: At): Result
  not(node: Not, at: At): Result
  compare(node: Compare, at: At): Result
  json(node: Json, at: At): Result
  related(node: Related, at: At): Result
  absent(node: Absent, at: At): Result
  constant(node: Constant, at: At): Result
}

/** Reads one node. The visitor goes on with its parts. */
export function visit<Result, At>(condition: Condition, visitor: Visitor<Result, At>, at: At): Result {
  switch (condition.kind) {
    case 'all':
      return visitor.all(condition, at)
    case 'any':
      return visitor.any(condition, at)
    case 'not':
      return visitor.not(condition, at)
    case 'compare':
      return visitor.compare(condition, at)
    case 'json':
      return visitor.json(condition, at)
    case 'related':
      return visitor.related(condition, at)
    case 'absent':
      return visitor.absent(condition, at)
    case 'constant':
      return visitor.constant(condition, at)
    default:
      return condition satisfies never
  }
}
