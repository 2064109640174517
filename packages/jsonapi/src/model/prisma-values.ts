import { createRequire } from 'node:module'
import type * as Utils from '@prisma/client-runtime-utils'

/**
 * The classes of the application's Prisma Client, so that `instanceof Prisma.Decimal`
 * holds for values of rows. The client requires them as CommonJS: an import would be
 * another copy. `prismapi init` runs in folders that have no client yet.
 */
const { AnyNull, DbNull, Decimal } = utilsOf(createRequire(import.meta.url))
type Decimal = Utils.Decimal

export { AnyNull, DbNull, Decimal }

function utilsOf(require: NodeJS.Require): typeof Utils {
  try {
    return createRequire(require.resolve('@prisma/client/runtime/client'))('@prisma/client-runtime-utils')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error
    return require('@prisma/client-runtime-utils')
  }
}

/**
 * What Prisma marks its nulls with. An installation may hold two copies of its package: the mark is the same in both.
 */
const mark = Symbol.for('prisma.objectEnumValue')

/** Which of Prisma's nulls it is, of whichever copy; null for another value. */
export function nullIn(value: unknown): 'DbNull' | 'JsonNull' | 'AnyNull' | null {
  if (typeof value !== 'object' || value === null || !(mark in value)) return null
  return (['DbNull', 'JsonNull', 'AnyNull'] as const).find((name) => String(value).endsWith(name)) ?? null
}

/** Is it `Prisma.DbNull` or `Prisma.AnyNull`: a condition with it asks whether a Json column has a value. */
export const isNullValue = (value: unknown): boolean => nullIn(value) === 'DbNull' || nullIn(value) === 'AnyNull'

const spellings = new WeakMap<Date, string | number>()
const lacking = new WeakSet<Date>()

/**
 * Remembers how SQLite has an instant that another program spelled. Rows are ordered by what
 * is stored there, so that what is compared with a row's instant has to be spelled as it is.
 */
export function storedInstant(instant: Date, stored: string | number): Date {
  spellings.set(instant, stored)
  return instant
}

/** How a database has an instant that came from a row there; undefined where it is spelled as Prisma spells it. */
export const spellingOf = (instant: Date): string | number | undefined => spellings.get(instant)

/**
 * Remembers what PostgreSQL calls an instant that JavaScript lacks, as
 * `infinity` or `24:00:00`: nothing else tells it from others.
 */
export function lackedInstant(instant: Date, stored: string): Date {
  lacking.add(instant)
  return storedInstant(instant, stored)
}

/** What PostgreSQL calls an instant that JavaScript lacks; null for all others. */
export const nameOfLacked = (instant: Date): string | null =>
  lacking.has(instant) ? String(spellings.get(instant)) : null

/** Can only the database tell the value of a column: an instant that JavaScript lacks, NaN, an infinity. */
export function isLacked(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isFinite(value)
  if (value instanceof Date) return lacking.has(value)
  return Decimal.isDecimal(value) && !(value as Decimal).isFinite()
}
