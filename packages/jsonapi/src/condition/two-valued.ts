import { DbNull, isNullValue } from '../model/prisma-values.ts'
import { all, any, compare, everything, json, not, nothing, related, undecided } from './build.ts'
import { type Compare, type Condition, type Json, type Quantifier, type Visitor, visit } from './condition.ts'

/**
 * A condition that holds for the same rows, and is false, never unknown, for all others. A scope has to be one wherever
 * it stands under a NOT: of `publishedAt <= now AND title = 'x'` on a draft, SQL makes NULL or false, depending on the
 * title; both mean "hidden", but NOT tells them apart, and so tells the title.
 */
export const twoValued = (condition: Condition): Condition => visit(condition, isTrue, null)

/** The condition for the same rows, where nothing that a reader asks is undecided. */
export const decide = (condition: Condition): Condition =>
  holdsUndecided(condition) ? twoValued(condition) : condition

function holdsUndecided(condition: Condition): boolean {
  if ('conditions' in condition) return condition.conditions.some(holdsUndecided)
  return 'condition' in condition ? holdsUndecided(condition.condition) : condition === undecided
}

/** The condition's denial: holds where the condition is false, and not where it is unknown. */
const denial = (condition: Condition): Condition => visit(condition, isFalse, null)

const isTrue: Visitor<Condition, null> = {
  all: ({ conditions }) => all(...conditions.map(twoValued)),
  any: ({ conditions }) => any(conditions.map(twoValued)),
  not: ({ condition }) => denial(condition),
  compare: (node) => all(node, presenceTest(node)),
  json: (node) => all(node, presenceTestOfJson(node)),
  related: (node) => {
    const { relation, quantifier, condition } = node
    if (quantifier === 'is') return related(relation, 'is', twoValued(condition))
    if (!holdsUndecided(condition)) return node
    return quantifier === 'every'
      ? related(relation, 'none', denial(condition))
      : related(relation, quantifier, twoValued(condition))
  },
  absent: (node) => node,
  constant: (node) => (node === undecided ? nothing : node),
}

const isFalse: Visitor<Condition, null> = {
  all: ({ conditions }) => any(conditions.map(denial)),
  any: ({ conditions }) => all(...conditions.map(denial)),
  not: ({ condition }) => twoValued(condition),
  compare: (node) => all(not(node), presenceTest(node)),
  json: (node) => all(not(node), presenceTestOfJson(node)),
  related: (node) =>
    node.quantifier === 'is'
      ? any([not(related(node.relation, 'is', everything)), related(node.relation, 'is', denial(node.condition))])
      : not(twoValued(node)),
  absent: not,
  constant: (node) => (node === undecided ? nothing : not(node)),
}

/** The test for a value, which keeps a comparison from being unknown; null where the comparison never is. */
function presenceTest({ column, value }: Compare): Condition | null {
  // With null, a test asks whether there is a value.
  if (column.isList || !column.isNullable || value === null) return null
  // `in` and `notIn` with an empty list are true or false for NULL, too.
  if (Array.isArray(value) && value.length === 0) return null
  return compare(column, 'not', null)
}

function presenceTestOfJson({ column, path, value }: Json): Condition | null {
  if (isNullValue(value)) return null
  // A path leads nowhere in some rows, whatever the column says.
  return path !== null || column.isNullable ? json(column, path, { operator: 'not', value: DbNull }) : null
}

/**
 * A test of a column that counts as null in rows for which `seen` does
 * not hold. The result may be undecided: `decide` it.
 */
export function maskTest(test: Compare | Json, seen: Condition): Condition {
  const isSeen = twoValued(seen)
  const ofNull = testOfNull(test)
  if (ofNull === null) return any([all(isSeen, test), all(not(isSeen), undecided)])
  const rest = isNullTest(test) && isNeverNull(test) ? null : test
  return ofNull ? any([not(isSeen), ...(rest ? [rest] : [])]) : all(isSeen, rest)
}

/**
 * A condition on the columns of one row, each of which counts as null
 * in rows for which its own condition does not hold.
 */
export function maskColumns(condition: Condition, seenOf: (column: string) => Condition): Condition {
  switch (condition.kind) {
    case 'all':
      return all(...condition.conditions.map((each) => maskColumns(each, seenOf)))
    case 'any':
      return any(condition.conditions.map((each) => maskColumns(each, seenOf)))
    case 'not':
      return not(maskColumns(condition.condition, seenOf))
    case 'compare':
    case 'json':
      return maskTest(condition, seenOf(condition.column.name))
    default:
      return condition
  }
}

/** What is asked across a relation, which leads nowhere in rows for which `seen` does not hold. */
export function maskCrossing(asked: Condition, quantifier: Quantifier, seen: Condition): Condition {
  const isSeen = twoValued(seen)
  return quantifier === 'every' || quantifier === 'none' ? any([not(isSeen), asked]) : all(isSeen, asked)
}

/** Prisma refuses to ask a required column whether it is null. A path inside of it may lead nowhere. */
const isNeverNull = (test: Compare | Json): boolean =>
  !test.column.isNullable && (test.kind === 'compare' || test.path === null)

/** What the test says of null; null where it says nothing, as a comparison with it. */
function testOfNull(test: Compare | Json): boolean | null {
  if (isNullTest(test)) return test.operator === 'equals'
  const { operator, value } = test
  // Every row is outside of an empty list, and none in it, even one without a value.
  if (Array.isArray(value) && value.length === 0 && (operator === 'in' || operator === 'notIn'))
    return operator === 'notIn'
  return null
}

function isNullTest({ kind, operator, value }: Compare | Json): boolean {
  if (operator !== 'equals' && operator !== 'not') return false
  return kind === 'compare' ? value === null : isNullValue(value)
}
