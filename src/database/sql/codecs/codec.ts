import type { ColumnMeta } from '../../../model/meta.ts'
import type { Bound } from '../../sql-database.ts'
import { NotInSql } from '../not-in-sql.ts'

/** How the values of a column go into the database and come out of it, as they do by way of Prisma. */
export interface Codec {
  /**
   * A value of a condition, as it is bound.
   * @throws {NotInSql} for what Prisma refuses, or takes for something else.
   */
  readonly bind: (value: unknown) => Bound
  /**
   * What the driver gave, as Prisma gives it.
   * @throws {NotInSql} for what a column of this type should not hold.
   */
  readonly read: (stored: unknown) => unknown
  /** What the driver gave of an instant, as the ISO text of what `read` makes of it; left out where that is no shorter way. */
  readonly show?: (stored: unknown) => unknown
  /** The driver would round the value: it has to be selected as text. */
  readonly isText?: true
  /** Its values are the same in JSON, so that a list of them can be bound as one text. */
  readonly fitsJson?: true
}

/** The codecs of one database, by what the column is. */
export type CodecOf = (column: ColumnMeta) => Codec

export const asIs = <T>(value: T): T => value

export const refuse = (what: string) => (): never => {
  throw new NotInSql(what)
}

/** The binding of values that meet the test, which says which they are. */
export const binding =
  <T>(type: string, is: (value: unknown) => value is T, bind: (value: T) => Bound) =>
  (value: unknown): Bound => {
    if (is(value)) return bind(value)
    throw new NotInSql(`a value that is no ${type}`)
  }

/** The reading of stored values that meet the test. */
export const reading =
  <T>(type: string, is: (stored: unknown) => stored is T, read: (stored: T) => unknown) =>
  (stored: unknown): unknown => {
    if (is(stored)) return read(stored)
    throw new NotInSql(`a stored value that is no ${type}`)
  }
