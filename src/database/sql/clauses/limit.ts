import { sql } from 'kysely'
import { type Dialect, type Sql, slot } from '../dialects/dialect.ts'
import type { Walk } from './walk.ts'

/** A LIMIT: a number that is part of the statement's text, or the slot of one. */
export type Limit = { readonly number: number } | { readonly slot: number }

/** What pages ask for at the most, and one more. Each of them is a shape of its own where the text names it. */
const mostNamed = 101

export function limitOf(take: number, { dialect, values }: Pick<Walk<never, never>, 'dialect' | 'values'>): Limit {
  if (dialect.namesLimits && take <= mostNamed) return { number: take }
  return { slot: values.push(take) - 1 }
}

/** The end of a list that may have none. */
export const mostOf = (most: number | undefined, walk: Pick<Walk<never, never>, 'dialect' | 'values'>): Limit | null =>
  most === undefined ? null : limitOf(most, walk)

export const limitShape = (limit: Limit): string => ('number' in limit ? `t${limit.number}` : 't')

/** The number itself. */
export const limitNumber = (limit: Limit): Sql => ('number' in limit ? sql`${sql.lit(limit.number)}` : slot(limit.slot))

// SQLite looks at the value of a bare parameter here, and so prepares the statement again for each one: it must not see one.
export const limitSql = (limit: Limit, { namesLimits }: Dialect): Sql =>
  'slot' in limit && namesLimits ? sql` limit (${slot(limit.slot)} + 0)` : sql` limit ${limitNumber(limit)}`
