import { all, any, json } from '../condition/build.ts'
import type { Condition, JsonOperator, Mode } from '../condition/condition.ts'
import { badParameter } from '../document/errors.ts'
import { say } from '../document/text.ts'
import type { ColumnMeta, Provider } from '../model/meta.ts'
import { AnyNull } from '../model/prisma-values.ts'
import { bareOperator, flag, listOf, pattern, single } from './filter-operators.ts'
import type { FilterClause } from './filter-syntax.ts'
import { kinds } from './filter-values.ts'
import { ignoresCase } from './plain-texts.ts'

const search: ReadonlyMap<string, JsonOperator> = new Map([
  ['contains', 'string_contains'],
  ['startsWith', 'string_starts_with'],
  ['endsWith', 'string_ends_with'],
])
const insensitive: ReadonlySet<string> = new Set([...search.keys()].map((name) => `i${name}`))
const order = ['lt', 'lte', 'gt', 'gte'] as const

/** What is asked of it. */
interface JsonTest {
  readonly operator: JsonOperator
  readonly value: unknown
  readonly mode?: Mode
}

/** A value inside of a Json column. */
export interface JsonPlace {
  readonly column: ColumnMeta
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
export function jsonCondition(
  clause: FilterClause,
  sent: string | null,
  place: JsonPlace,
  provider: Provider,
): Condition | null {
  const operator = sent ?? bareOperator(clause)
  const on = (test: JsonTest): Condition => json(place.column, jsonPath(place.path, provider), test)
  const values = () => listOf(clause).map((text) => literalOf(text, clause))
  if (operator === 'isNull') return on({ operator: flag(clause) ? 'equals' : 'not', value: AnyNull })
  if (operator === 'equals' || operator === 'not') {
    return on({ operator, value: orNull(literalOf(single(clause, sent === null), clause)) })
  }
  // Prisma's filter of a Json column has no `in`.
  if (operator === 'in') {
    return any(values().map((value) => on({ operator: 'equals', value: orNull(value) })))
  }
  if (operator === 'notIn') return all(...values().map((value) => on({ operator: 'not', value: orNull(value) })))
  const test = typedTest(clause, operator, provider)
  if (test && place.isDeniedAcross) throw notDeniable(clause, operator)
  return test && on(test)
}

/** The operators that say nothing of a value of another kind: text is searched, numbers and texts are ordered. */
function typedTest(clause: FilterClause, operator: string, provider: Provider): JsonTest | null {
  const searched = search.get(operator)
  if (searched) return { operator: searched, value: pattern(clause, provider) }
  if (insensitive.has(operator) && ignoresCase(provider)) {
    const sensitive = search.get(operator.slice(1)) as JsonOperator
    return { operator: sensitive, value: pattern(clause, provider), mode: 'insensitive' }
  }
  // Prisma compares neither order nor elements on SQLite.
  if (provider === 'sqlite') return null
  if (operator === 'has') return { operator: 'array_contains', value: [literalOf(single(clause), clause)] }
  const ordered = order.find((each) => each === operator)
  return ordered ? { operator: ordered, value: orderable(clause) } : null
}

// Prisma adds a test of the value's kind to these conditions, and within NOT (…)
// turns it round, but once too often where a relation with many rows lies between.
const notDeniable = ({ key }: FilterClause, operator: string) =>
  badParameter(
    key,
    say`The operator ${operator} of a path into JSON cannot stand behind a to-many relation within not, nor behind every.`,
  )

/** As Prisma takes it for the database. */
export function jsonPath(path: readonly string[], provider: Provider): string | readonly string[] {
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
  throw badParameter(key, say`The value of ${key} must be a number, true, false, null, or ${kinds.string.expected}.`)
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
  throw badParameter(clause.key, say`The value of ${clause.key} must be a number or a text.`)
}
