import type { AnyNull, DbNull, DecimalLike, JsonNull } from '../model/prisma-types.ts'
import type { Register } from '../model/register.ts'

// What applications compare columns and relations with, in Prisma's vocabulary: the types by
// which `resources.ts` writes what `parse.ts` reads. `M` is the model, `'Post' | null` for a
// column that may be null. What only some databases have is there where the generator has
// registered such a one. Lists are mutable, so that a condition is one of Prisma's, too.

/**
 * `'Post' | null` for a column that may be null.
 *
 * @internal
 */
type ModelOf = string | null
/** @internal */
type NullIn<M> = Extract<M, null>

/** @internal */
type Provided<Database extends string> = { readonly provider: Database }

/** A column of the same row in place of a value: `prisma.post.fields.updatedAt`. */
export interface ColumnRef<M extends ModelOf, Type extends string> {
  /** The model that the column is of: the one that is compared. */
  readonly modelName: M & string
  /** The column's name in the Prisma schema. */
  readonly name: string
  /** The type of its value, as Prisma names it: `Int`, or the name of an enum. */
  readonly typeName: Type
  /** Does the column hold a list? */
  readonly isList: boolean
}

type ListRef<M extends ModelOf, Type extends string> =
  Register extends Provided<'postgresql' | 'cockroachdb'> ? ColumnRef<M, `${Type}[]`> : never

/** @internal */
interface Equality<M extends ModelOf, Type extends string, Value, Values> {
  equals?: Value | ColumnRef<M, Type> | NullIn<M>
  in?: Values | ListRef<M, Type> | NullIn<M>
  notIn?: Values | ListRef<M, Type> | NullIn<M>
}

/** @internal */
interface Order<M extends ModelOf, Type extends string, Value, Values> extends Equality<M, Type, Value, Values> {
  lt?: Value | ColumnRef<M, Type>
  lte?: Value | ColumnRef<M, Type>
  gt?: Value | ColumnRef<M, Type>
  gte?: Value | ColumnRef<M, Type>
}

/**
 * Whether letter case matters: it does by default, as far as the collation of the database has it.
 *
 * @internal
 */
type QueryMode = 'default' | 'insensitive'

/** @internal */
type CaseMode = Register extends Provided<'postgresql' | 'cockroachdb'> ? { mode?: QueryMode } : object
/** @internal */
type FullText = Register extends Provided<'mysql'> | { readonly searchesTexts: true } ? { search?: string } : object

/** What a `String` is compared by. */
export interface StringFilter<M extends ModelOf> extends Order<M, 'String', string, string[]>, CaseMode, FullText {
  /** The text has this one somewhere in it. */
  contains?: string | ColumnRef<M, 'String'>
  /** The text begins with this one. */
  startsWith?: string | ColumnRef<M, 'String'>
  /** The text ends with this one. */
  endsWith?: string | ColumnRef<M, 'String'>
  /** The value is another one, or does not meet the conditions. A column without a value meets no `not` of a value. */
  not?: StringFilter<M> | string | NullIn<M>
}

/** What an `Int` is compared by. */
export interface IntFilter<M extends ModelOf> extends Order<M, 'Int', number, number[]> {
  /** The value is another one, or does not meet the conditions. A column without a value meets no `not` of a value. */
  not?: IntFilter<M> | number | NullIn<M>
}

/** What a `Float` is compared by. */
export interface FloatFilter<M extends ModelOf> extends Order<M, 'Float', number, number[]> {
  /** The value is another one, or does not meet the conditions. A column without a value meets no `not` of a value. */
  not?: FloatFilter<M> | number | NullIn<M>
}

/** What a `BigInt` is compared by. */
export interface BigIntFilter<M extends ModelOf> extends Order<M, 'BigInt', bigint | number, bigint[] | number[]> {
  /** The value is another one, or does not meet the conditions. A column without a value meets no `not` of a value. */
  not?: BigIntFilter<M> | bigint | number | NullIn<M>
}

/** What a `Decimal` is compared by. */
export interface DecimalFilter<M extends ModelOf>
  extends Order<M, 'Decimal', DecimalLike | number | string, DecimalLike[] | number[] | string[]> {
  /** The value is another one, or does not meet the conditions. A column without a value meets no `not` of a value. */
  not?: DecimalFilter<M> | DecimalLike | number | string | NullIn<M>
}

/** What a `DateTime` is compared by. A text is one of ISO 8601. */
export interface DateTimeFilter<M extends ModelOf> extends Order<M, 'DateTime', Date | string, Date[] | string[]> {
  /** The value is another one, or does not meet the conditions. A column without a value meets no `not` of a value. */
  not?: DateTimeFilter<M> | Date | string | NullIn<M>
}

/** What a `Boolean` is compared by. */
export interface BooleanFilter<M extends ModelOf> {
  /** The value is this one. */
  equals?: boolean | ColumnRef<M, 'Boolean'> | NullIn<M>
  /** The value is another one, or does not meet the conditions. A column without a value meets no `not` of a value. */
  not?: BooleanFilter<M> | boolean | NullIn<M>
}

/** What `Bytes` are compared by. */
export interface BytesFilter<M extends ModelOf> extends Equality<M, 'Bytes', Bytes, Bytes[]> {
  /** The value is another one, or does not meet the conditions. A column without a value meets no `not` of a value. */
  not?: BytesFilter<M> | Bytes | NullIn<M>
}

/** What an enum is compared by: `Type` is its name, and `Value` each of its values. */
export interface EnumFilter<M extends ModelOf, Type extends string, Value extends string>
  extends Equality<M, Type, Value, Value[]> {
  /** The value is another one, or does not meet the conditions. A column without a value meets no `not` of a value. */
  not?: EnumFilter<M, Type, Value> | Value | NullIn<M>
}

/**
 * What a `Json` is compared by, or the value that `path` leads to inside of it.
 *
 * @public
 */
export interface JsonFilter<M extends string> extends JsonMembers<M>, JsonOrder<M> {
  /** The value is this one. `Prisma.DbNull` is a column without a value, and `Prisma.JsonNull` is JSON's own null. */
  equals?: JsonOperand<M> | AnyNull | DbNull | JsonNull
  /** The value is another one. */
  not?: JsonOperand<M> | AnyNull | DbNull | JsonNull
  /** The way to the value that is compared: `['a', 'b']` on PostgreSQL and CockroachDB, `$.a.b` on other databases. */
  path?: Register extends Provided<'postgresql' | 'cockroachdb'> ? string[] : string
  /** Whether letter case matters where a text inside of the value is compared. */
  // Prisma's type has a column in its place, which nobody can make:
  // without it, Prisma's conditions would be none of ours.
  mode?: QueryMode | ColumnRef<M, 'QueryMode'>
  /** The value is a text that has this one somewhere in it. */
  string_contains?: string | ColumnRef<M, 'String'>
  /** The value is a text that begins with this one. */
  string_starts_with?: string | ColumnRef<M, 'String'>
  /** The value is a text that ends with this one. */
  string_ends_with?: string | ColumnRef<M, 'String'>
  /** The value is a list, and this is its first element. */
  array_starts_with?: JsonOperand<M> | null
  /** The value is a list, and this is its last element. */
  array_ends_with?: JsonOperand<M> | null
}

/** @internal */
type JsonOperand<M extends string> = JsonInput | ColumnRef<M, 'Json'>

/** @internal */
type JsonMembers<M extends string> =
  Register extends Provided<'sqlite'> ? object : { array_contains?: JsonOperand<M> | null }
/** @internal */
type JsonOrder<M extends string> = Register extends Provided<'sqlite' | 'cockroachdb'> ? object : OrderedJson<M>

interface OrderedJson<M extends string> {
  lt?: JsonOperand<M>
  lte?: JsonOperand<M>
  gt?: JsonOperand<M>
  gte?: JsonOperand<M>
}

/**
 * What a list is compared by.
 *
 * @public
 */
export interface ListFilter<M extends string, Type extends string, Value, Values = Value[]> {
  /** The list has these elements, in this order, and no other. */
  equals?: Values | ColumnRef<M, `${Type}[]`> | null
  /** The list has this element. */
  has?: Value | ColumnRef<M, Type> | null
  /** The list has all of these elements. */
  hasEvery?: Values | ColumnRef<M, `${Type}[]`>
  /** The list has at least one of these elements. */
  hasSome?: Values | ColumnRef<M, `${Type}[]`>
  /** Has the list no element? */
  isEmpty?: boolean
}

/**
 * A condition on the row behind a relation to one, with or without
 * `is`. `Where` is null as well where there may be no such row.
 *
 * @public
 */
export type ToOneFilter<Where> =
  | (Where & { is?: never; isNot?: never })
  | { is?: Where; isNot?: Where }
  | Extract<Where, null>

/**
 * A condition on the rows behind a relation to many.
 *
 * @public
 */
export interface ToManyFilter<Where> {
  /** At least one row meets this condition. */
  some?: Where
  /** Each row meets this condition; so it is where there is no row. */
  every?: Where
  /** No row meets this condition; so it is where there is no row. */
  none?: Where
}

/** The value of a `Bytes` column. */
export type Bytes = ReturnType<Uint8Array['slice']>

/** The value of a `Json` column, as it is read. */
export type JsonValue = string | number | boolean | { [Key in string]?: JsonValue } | JsonValue[] | null

/** A value that a `Json` column is compared with or set to. JSON's own null is `Prisma.JsonNull`. */
export type JsonInput =
  | string
  | number
  | boolean
  | { readonly [Key in string]?: JsonInput | null }
  | readonly (JsonInput | null)[]
  | { toJSON(): unknown }
