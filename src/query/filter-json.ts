import { AnyNull } from '@prisma/client/runtime/client'
import { badParameter } from '../document/errors.ts'
import type { Provider } from '../model/meta.ts'
import { every, some, type Where } from '../model/where.ts'
import { bareOperator, flag, listOf, pattern, single } from './filter-operators.ts'
import type { FilterClause } from './filter-syntax.ts'
import { kinds } from './filter-values.ts'
import { ignoresCase } from './like.ts'

const search: ReadonlyMap<string, string> = new Map([
  ['contains', 'string_contains'],
  ['startsWith', 'string_starts_with'],
  ['endsWith', 'string_ends_with'],
])
const insensitive: ReadonlySet<string> = new Set([...search.keys()].map((name) => `i${name}`))
const order: ReadonlySet<string> = new Set(['lt', 'lte', 'gt', 'gte'])

/** A value inside of a Json column. */
export interface JsonPlace {
  readonly column: string
  /** Keys, and indexes of arrays. */
  readonly path: readonly string[]
  /** The condition stands behind a to-many relation, which is denied or asked with `every`. */
  readonly isDeniedAcross: boolean
}

/**
 * The condition that a clause puts on a value inside of a Json column; null where there is no such operator.
 *
 * @throws JsonApiError 400 for a value that does not fit.
 */
export function jsonWhere(
  clause: FilterClause,
  sent: string | null,
  place: JsonPlace,
  provider: Provider,
): Where | null {
  const operator = sent ?? bareOperator(clause)
  const on = (condition: Where): Where => ({ [place.column]: { path: pathOf(place.path, provider), ...condition } })
  const values = () => listOf(clause).map((text) => literalOf(text, clause))
  if (operator === 'isNull') return on(flag(clause) ? { equals: AnyNull } : { not: AnyNull })
  if (operator === 'equals' || operator === 'not') {
    return on({ [operator]: orNull(literalOf(single(clause, sent === null), clause)) })
  }
  // Prisma's filter of a Json column has no `in`.
  if (operator === 'in') {
    return some(
      values().map((value) => on({ equals: orNull(value) })),
      {},
    )
  }
  if (operator === 'notIn') return every(...values().map((value) => on({ not: orNull(value) })))
  const condition = typedCondition(clause, operator, provider)
  if (condition && place.isDeniedAcross) throw notDeniable(clause, operator)
  return condition && on(condition)
}

/** The operators that say nothing of a value of another kind: text is searched, numbers and texts are ordered. */
function typedCondition(clause: FilterClause, operator: string, provider: Provider): Where | null {
  const searched = search.get(operator)
  if (searched) return { [searched]: pattern(clause, provider) }
  if (insensitive.has(operator) && ignoresCase(provider)) {
    return { [search.get(operator.slice(1)) as string]: pattern(clause, provider), mode: 'insensitive' }
  }
  // Prisma compares neither order nor elements on SQLite.
  if (provider === 'sqlite') return null
  if (operator === 'has') return { array_contains: [literalOf(single(clause), clause)] }
  return order.has(operator) ? { [operator]: orderable(clause) } : null
}

// Prisma adds a test of the value's kind to these conditions, and within NOT (…) turns it round, but once too often where
// a relation with many rows lies between.
const notDeniable = ({ key }: FilterClause, operator: string) =>
  badParameter(
    key,
    `The operator ${operator} of a path into JSON cannot stand behind a to-many relation within not, nor behind every.`,
  )

function pathOf(path: readonly string[], provider: Provider): string | readonly string[] {
  if (provider === 'postgresql' || provider === 'cockroachdb') return path
  return `$${path.map((name) => (/^\d+$/.test(name) ? `[${name}]` : `."${name}"`)).join('')}`
}

type Literal = string | number | boolean | null

/** A number, `true`, `false`, `null` and a text in double quotes are what they are in JSON; anything else is a text. */
function literalOf(sent: string, { key }: FilterClause): Literal {
  const isLiteral = /^(?:-?\d+(?:\.\d+)?(?:e[-+]?\d+)?|true|false|null|".*")$/is.test(sent)
  const value = isLiteral ? parsed(sent) : sent
  if (
    typeof value === 'number' ? Number.isFinite(value) : typeof value !== 'string' || kinds.string.parse(value) !== null
  )
    return value
  throw badParameter(key, `The value of ${key} must be a number, true, false, null, or ${kinds.string.expected}.`)
}

function parsed(text: string): Literal {
  try {
    return JSON.parse(text) as Literal
  } catch {
    return text
  }
}

/** JSON's null, a key that is not there, and a column without a value are one to the client: none is shown. */
const orNull = (value: Literal): Exclude<Literal, null> | typeof AnyNull => value ?? AnyNull

function orderable(clause: FilterClause): string | number {
  const value = literalOf(single(clause), clause)
  if (typeof value === 'string' || typeof value === 'number') return value
  throw badParameter(clause.key, `The value of ${clause.key} must be a number or a text.`)
}
