import { AnyNull, DbNull } from '@prisma/client/runtime/client'
import { all, any, compare, everything, json, not, nothing, related, undecided } from './build.ts'
import { type Compare, type Condition, type Json, type Visitor, visit } from './condition.ts'

/**
 * A condition that holds for the same rows, and is false, never unknown, for all others. A scope has to be one wherever
 * it stands under a NOT: of `publishedAt <= now AND title = 'x'` on a draft, SQL makes NULL or false, depending on the
 * title; both mean "hidden", but NOT tells them apart, and so tells the title.
 */
export const twoValued = (condition: Condition): Condition => visit(condition, isTrue, null)

/** The condition for the same rows, where nothing that a reader asks is undecided. */
export const decided = (condition: Condition): Condition =>
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
  compare: (node) => all(node, present(node)),
  json: (node) => all(node, presentJson(node)),
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
  compare: (node) => all(not(node), present(node)),
  json: (node) => all(not(node), presentJson(node)),
  related: (node) =>
    node.quantifier === 'is'
      ? any([not(related(node.relation, 'is', everything)), related(node.relation, 'is', denial(node.condition))])
      : not(twoValued(node)),
  absent: not,
  constant: (node) => (node === undecided ? nothing : not(node)),
}

/** The test that a nullable column needs beside its own; null where its own cannot be unknown. */
function present({ column, value }: Compare): Condition | null {
  // With null, a test asks whether there is a value.
  if (column.isList || !column.isNullable || value === null) return null
  // Whether a column without a value is in an empty list is not unknown.
  if (Array.isArray(value) && value.length === 0) return null
  return compare(column, 'not', null)
}

function presentJson({ column, path, value }: Json): Condition | null {
  if (value === DbNull || value === AnyNull) return null
  // A path leads nowhere in some rows, whatever the column says.
  return path !== null || column.isNullable ? json(column, path, { operator: 'not', value: DbNull }) : null
}
