import { AnyNull, DbNull } from '@prisma/client/runtime/client'
import { all, any, compare, everything, json, not, related } from './build.ts'
import { type Compare, type Condition, type Json, type Visitor, visit } from './condition.ts'

/**
 * A condition that holds for the same rows, and is false, never unknown, for all others. A scope has to be one wherever
 * it stands under a NOT: of `publishedAt <= now AND title = 'x'` on a draft, SQL makes NULL or false, depending on the
 * title; both mean "hidden", but NOT tells them apart, and so tells the title.
 */
export const twoValued = (condition: Condition): Condition => visit(condition, isTrue, null)

/** The condition's denial: holds where the condition is false, and not where it is unknown. */
const denial = (condition: Condition): Condition => visit(condition, isFalse, null)

const isTrue: Visitor<Condition, null> = {
  all: ({ conditions }) => all(...conditions.map(twoValued)),
  any: ({ conditions }) => any(conditions.map(twoValued)),
  not: ({ condition }) => denial(condition),
  compare: (node) => all(node, present(node)),
  json: (node) => all(node, presentJson(node)),
  related: (node) => (node.quantifier === 'is' ? related(node.relation, 'is', twoValued(node.condition)) : node),
  absent: (node) => node,
  constant: (node) => node,
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
      : not(node),
  absent: not,
  constant: not,
}

/** The test that a nullable column needs beside its own; null where its own cannot be unknown. */
function present({ column, operator, value }: Compare): Condition | null {
  if (column.isList || !column.isNullable) return null
  if (value === null && (operator === 'equals' || operator === 'not')) return null
  // Whether a column without a value is in an empty list is not unknown.
  if (Array.isArray(value) && value.length === 0) return null
  return compare(column, 'not', null)
}

function presentJson({ column, path, operator, value }: Json): Condition | null {
  if ((operator === 'equals' || operator === 'not') && (value === DbNull || value === AnyNull)) return null
  // A path leads nowhere in some rows, whatever the column says.
  return path !== null || column.isNullable ? json(column, path, { operator: 'not', value: DbNull }) : null
}
