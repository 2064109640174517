import { all, among } from '@prismapi/jsonapi/condition/build'
import type { Compare, Condition } from '@prismapi/jsonapi/condition/condition'
import { foldText } from '@prismapi/jsonapi/condition/memory'
import type { OrderTerm } from '@prismapi/jsonapi/condition/order-term'
import type { Awaitable } from '@prismapi/jsonapi/model/awaitable'
import { memo } from '@prismapi/jsonapi/model/memo'
import type { ColumnMeta, RelationMeta } from '@prismapi/jsonapi/model/meta'
import { nameOfLacked } from '@prismapi/jsonapi/model/prisma-values'
import type { Row } from '@prismapi/jsonapi/model/where'
import type { FigureFunction, InstantPart } from '@prismapi/jsonapi/schema/statistics'
import type { Session } from './session.ts'

/** What every plan may say of itself. */
interface InSession {
  /** What the transaction of the read begins with; left out, nothing. */
  readonly session?: Session
}

/** Which rows of one model are read: a level of the tree of a request. The order is total, because it has the id. */
export interface Level extends InSession {
  readonly model: string
  readonly columns: readonly string[]
  /**
   * Those of the columns that hold instants of which nothing is asked but to be shown: a reader may leave them the ISO
   * texts (UTC, with milliseconds) that documents show.
   */
  readonly shown?: ReadonlySet<string>
  readonly where: Condition
  readonly order: readonly OrderTerm[]
}

/** The rows of a level, or a slice of them. */
export interface RowsPlan extends Level {
  readonly kind: 'rows'
  readonly skip: number
  /** Null for all rows. */
  readonly take: number | null
  readonly keepsStored?: boolean
}

/** The one row that has these values. A reader may look several up at once. */
export interface LookUpPlan extends InSession {
  readonly kind: 'lookUp'
  readonly model: string
  readonly columns: readonly string[]
  /** The values of columns that are unique together. */
  readonly key: readonly Compare[]
  /** What else has to hold. */
  readonly rest: Condition
  /** The row will be changed if it is still the same: a reader may keep what it was made from (`storedOf`). */
  readonly keepsStored?: boolean
}

/**
 * The first rows of each of several parents, in the level's order. Its `where` does not name the parents: the reader
 * adds that condition. The rows of one parent come in order, and those of several may come mixed.
 */
export interface PerParentPlan extends Level {
  readonly kind: 'perParent'
  readonly parents: ParentKeys
  /** At most so many rows for each parent. */
  readonly take: number
  /** At most so many rows for all parents together; left out, there is no such end. */
  readonly most?: number
}

export interface ParentKeys {
  /** The foreign key's columns, of the rows. */
  readonly columns: readonly ColumnMeta[]
  /** The values of those columns, one list for each parent, without repeats and without nulls. */
  readonly keys: readonly (readonly unknown[])[]
}

/** The condition of the rows that belong to one of the parents: the same one each time. */
export const ofParents = memo(({ columns, keys }: ParentKeys): Condition => among(columns, keys))

/** The first rows behind an implicit many-to-many, with the parents that each of them belongs to. */
export interface JoinedPlan extends Level {
  readonly kind: 'joined'
  readonly through: Through
  /** At most so many rows for each parent. */
  readonly take: number
  /** At most so many for all parents together; left out, there is no such end. */
  readonly most?: number
}

/** The far side of an implicit many-to-many, seen from the target: its relation back, and the parents' keys. */
export interface Through {
  readonly relation: RelationMeta
  readonly key: ColumnMeta
  readonly parents: readonly unknown[]
}

/** A row, and keys of parents it belongs to. The same row may come again with other parents. */
export interface JoinedRow {
  readonly row: Row
  readonly parents: readonly unknown[]
}

/** The number of rows that meet a condition. */
export interface CountPlan extends InSession {
  readonly kind: 'count'
  readonly model: string
  readonly where: Condition
  /** As soon as so many are found, no more are looked for; left out, all are counted. */
  readonly most?: number
}

/** The number of rows for each combination of values of the columns; none for a combination that no row has. */
export interface CountByPlan extends InSession {
  readonly kind: 'countBy'
  readonly model: string
  readonly columns: readonly string[]
  readonly where: Condition
}

/** The number of rows behind an implicit many-to-many for each row of the model. */
export interface CountThroughPlan extends InSession {
  readonly kind: 'countThrough'
  readonly model: string
  /** The columns of the model's key. */
  readonly columns: readonly string[]
  readonly where: Condition
  readonly relation: RelationMeta
  /** The same relation, seen from the other end. */
  readonly inverse: RelationMeta
  /** Which rows at the other end are counted. */
  readonly counted: Condition
}

export interface Counted {
  /** The values of the plan's columns, in their order. */
  readonly key: readonly unknown[]
  readonly count: number
}

/** Figures of the rows that meet a condition: of all together where there are no keys, else of each group. */
export interface GroupsPlan extends InSession {
  readonly kind: 'groups'
  readonly model: string
  readonly where: Condition
  readonly keys: readonly KeyPlan[]
  readonly figures: readonly FigurePlan[]
  /** Of the figures, by their place among them; the order of the keys completes it. Nulls are last, in any order. */
  readonly order: readonly { readonly figure: number; readonly direction: 'asc' | 'desc' }[]
  /** Groups of fewer rows are left out. */
  readonly minimum: number
  readonly skip: number
  readonly take: number
}

/** What rows are grouped by: a column, a part of an instant in UTC, or the id of the target of a to-one relation. */
export type KeyPlan =
  | { readonly kind: 'column'; readonly column: ColumnMeta; readonly shown?: Condition }
  | { readonly kind: 'part'; readonly column: ColumnMeta; readonly part: InstantPart; readonly shown?: Condition }
  | {
      readonly kind: 'target'
      readonly relation: RelationMeta
      /** The columns of the target that are its id. */
      readonly columns: readonly ColumnMeta[]
      /** Which targets may be seen; the others are null. */
      readonly seen: Condition
      /** The rows that show the relation, as the column of other keys: null where it is hidden. Left out, all rows. */
      readonly shown?: Condition
    }

export interface FigurePlan {
  readonly function: FigureFunction
  /** Null for rows, which are counted. */
  readonly column: ColumnMeta | null
  /** Of which rows the column is seen; it counts as null in the others. Left out, of all. */
  readonly shown?: Condition
}

/** One group: the values of its keys, with those of a target's id as a list, and its figures. */
export interface Group {
  readonly key: readonly unknown[]
  /**
   * Counts are numbers, sums of integers bigints, other sums and averages numbers, of decimals decimals; null of
   * nothing.
   */
  readonly figures: readonly unknown[]
}

/** The groups of a page, and how many there are in all. */
export interface Groups {
  readonly groups: readonly Group[]
  readonly total: number
}

/** Each kind of plan, and what it is answered with. */
interface Kinds {
  readonly rows: { readonly plan: RowsPlan; readonly answer: readonly Row[] }
  readonly lookUp: { readonly plan: LookUpPlan; readonly answer: Row | null }
  readonly perParent: { readonly plan: PerParentPlan; readonly answer: readonly Row[] }
  readonly joined: { readonly plan: JoinedPlan; readonly answer: readonly JoinedRow[] }
  readonly count: { readonly plan: CountPlan; readonly answer: number }
  readonly countBy: { readonly plan: CountByPlan; readonly answer: readonly Counted[] }
  readonly groups: { readonly plan: GroupsPlan; readonly answer: Groups }
  readonly countThrough: { readonly plan: CountThroughPlan; readonly answer: readonly Counted[] }
}

/**
 * The kinds of reads.
 *
 * @internal
 */
export type PlanKind = keyof Kinds

/**
 * One question to the database, as data: of any kind, or of one.
 *
 * @internal
 */
export type Plan<Kind extends PlanKind = PlanKind> = { [K in Kind]: Kinds[K]['plan'] & { readonly kind: K } }[Kind]

/**
 * What a read of a kind answers with.
 *
 * @internal
 */
export type Answer<Kind extends PlanKind> = Kinds[Kind]['answer']

/** Carries plans out. Every reader gives the same answer to the same plan, at once where its driver does. */
export interface Reader {
  read<Kind extends PlanKind>(plan: Plan<Kind>): Awaitable<Answer<Kind>>
}

/** How a reader carries out each kind of plan. */
export type Readings = { readonly [Kind in PlanKind]: (plan: Plan<Kind>) => Awaitable<Answer<Kind>> }

export const readerOf = (readings: Readings): Reader => ({
  read: <Kind extends PlanKind>(plan: Plan<Kind>) => readings[plan.kind](plan),
})

/** A look-up as a slice of a level, for readers that know nothing better. */
export function lookUpAsRows(plan: LookUpPlan): RowsPlan {
  const { model, columns, key, rest, keepsStored = false, session } = plan
  const rows: RowsPlan = {
    kind: 'rows',
    model,
    columns,
    where: all(...key, rest),
    order: noOrder,
    skip: 0,
    take: 1,
    keepsStored,
    ...(session && { session }),
  }
  const shared = sharedOf(plan)
  return shared ? share(rows, shared) : rows
}

const noOrder: readonly OrderTerm[] = Object.freeze([])

/** Part of a plan that another plan of its form has with other values: a comparison with one, or a list. */
export type Parameter = Compare | readonly unknown[]

/** What a reader may keep of a plan for others: plans with the same form differ in their parameters alone. */
export interface Shared {
  readonly form: object
  readonly parameters: readonly Parameter[]
}

class Returned {
  constructor(plan: object) {
    // biome-ignore lint/correctness/noConstructorReturn: the private member below is put on a plan that exists
    return plan
  }
}

// A private member: a plan that is made from a shared one by `...` does not have it.
class Shares extends Returned {
  readonly #shared: Shared

  constructor(plan: object, shared: Shared) {
    super(plan)
    this.#shared = shared
  }

  static of(plan: object): Shared | null {
    return #shared in plan ? (plan as Shares).#shared : null
  }
}

/** The plan, which many requests share. Without a form, they share it whole. */
export function share<P extends Plan>(plan: P, shared: Shared = { form: plan, parameters: noParameters }): P {
  new Shares(plan, shared)
  return plan
}

const noParameters: readonly Parameter[] = Object.freeze([])

/** The list of values, where that is all of the condition. A list of one is another statement than those of several. */
export function listParameter(condition: Condition): readonly unknown[] | null {
  const isList = condition.kind === 'compare' && Array.isArray(condition.value) && condition.value.length > 0
  return isList ? (condition.value as readonly unknown[]) : null
}

/** Null for a plan of which nothing is kept, as for one that is made from a shared plan and is not shared itself. */
export const sharedOf = (plan: object): Shared | null => Shares.of(plan)

/** A row's values as its database has them, by column: an instant may be a text of any spelling, or a number. */
export type StoredRow = Row

const storedRows = new WeakMap<Row, StoredRow>()

/** Remembers of a row what it was made from. */
export function keepStored(row: Row, columns: readonly string[], values: readonly unknown[]): void {
  const stored: Record<string, unknown> = {}
  for (let i = 0; i < columns.length; i++) stored[columns[i] as string] = values[i]
  storedRows.set(row, stored)
}

/** What a row was made from; null where its reader does not tell, or was not asked to (`keepsStored` of its plan). */
export const storedOf = (row: Row): StoredRow | null => storedRows.get(row) ?? null

/** The values of a key as one string, to look rows up by. */
export const keyText = (values: readonly unknown[]): string =>
  values.length === 1 ? partText(values[0]) : JSON.stringify(values.map(partText))

/** The values that a row has in these columns. */
export const columnValues = (row: Row, columns: readonly string[]): readonly unknown[] =>
  columns.map((column) => row[column])

/** The same as one string. */
export const rowKey = (row: Row, columns: readonly string[]): string => keyText(columnValues(row, columns))

const partText = (value: unknown): string =>
  value instanceof Date ? (nameOfLacked(value) ?? value.toJSON() ?? '') : String(value)

// Keys that differ in JavaScript may be one for the database: by `citext`, or by the collation of a column. Only the
// database knows. It is asked where it has answered with a key that it was not asked for, and where two keys are alike.

/** The values of a key as one string, which keys that are alike have in common. */
export const foldedText = (values: readonly unknown[]): string =>
  keyText(values.map((value) => (typeof value === 'string' ? foldText(value) : value)))

/** Of keys that were asked for, those that may be other spellings of what was found, and have to be asked for alone. */
export function keysToAskAgain(
  asked: Iterable<string>,
  found: { has(key: string): boolean; keys(): Iterable<string> },
) {
  const all = new Set(asked)
  const lacking = [...all].filter((key) => !found.has(key))
  if (lacking.length === 0) return lacking
  const alike = new Set([...found.keys()].map(foldText))
  const unexplained = new Set([...found.keys()].filter((key) => !all.has(key)).map(foldText))
  for (const key of lacking) unexplained.delete(foldText(key))
  return unexplained.size > 0 ? lacking : lacking.filter((key) => alike.has(foldText(key)))
}
