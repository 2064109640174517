import { AnyNull, DbNull } from '@prisma/client/runtime/client'
import { all, any, not, undecided } from './build.ts'
import type { Compare, Condition, Json, Quantifier } from './condition.ts'
import { twoValued } from './two-valued.ts'

/** A test of a column that counts as null in rows for which `seen` does not hold; `decided` has to follow. */
export function masked(test: Compare | Json, seen: Condition): Condition {
  const isSeen = twoValued(seen)
  const ofNull = testOfNull(test)
  if (ofNull === null) return any([all(isSeen, test), all(not(isSeen), undecided)])
  const rest = isNullTest(test) && isNeverNull(test) ? null : test
  return ofNull ? any([not(isSeen), ...(rest ? [rest] : [])]) : all(isSeen, rest)
}

/** A condition on the columns of one row, each of which counts as null in rows for which its own condition does not hold. */
export function maskedBy(condition: Condition, seenOf: (column: string) => Condition): Condition {
  switch (condition.kind) {
    case 'all':
      return all(...condition.conditions.map((each) => maskedBy(each, seenOf)))
    case 'any':
      return any(condition.conditions.map((each) => maskedBy(each, seenOf)))
    case 'not':
      return not(maskedBy(condition.condition, seenOf))
    case 'compare':
    case 'json':
      return masked(condition, seenOf(condition.column.name))
    default:
      return condition
  }
}

/** What is asked across a relation, which leads nowhere in rows for which `seen` does not hold. */
export function maskedCrossing(asked: Condition, quantifier: Quantifier, seen: Condition): Condition {
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
  return kind === 'compare' ? value === null : value === AnyNull || value === DbNull
}
