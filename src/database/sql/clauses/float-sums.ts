import { sql } from 'kysely'
import type { Sql } from '../dialects/dialect.ts'

// A sum that no number can hold is an error to PostgreSQL, and Infinity to SQLite. So numbers are added as parts of 2^64, which changes
// no digit of them; what is smaller than their smallest such part counts as nothing.

const part = sql.lit(2 ** -64)
const smallest = sql.lit(1e-288)
const largest = sql.lit(Number.MAX_VALUE * 2 ** -64)

/** The sum of floats, in parts of 2^64; null where it is beyond what a number can hold. */
export const floatSum = (column: Sql): Sql => unlessTooLarge(column, sumOfParts(column))

/** Their mean, in the same parts; null where their sum is. */
export const floatAverage = (column: Sql): Sql => unlessTooLarge(column, sql`${sumOfParts(column)} / count(${column})`)

export const readFloatParts = (stored: unknown): number => Number(stored) * 2 ** 64

const sumOfParts = (column: Sql): Sql =>
  sql`sum(case when abs(${column}) < ${smallest} then 0 else ${column} * ${part} end)`

const unlessTooLarge = (column: Sql, figure: Sql): Sql =>
  sql`case when abs(${sumOfParts(column)}) <= ${largest} then ${figure} end`
