import { all, any, compare, not, related } from '../../condition/build.ts'
import { type Compare, type Condition, type Visitor, visit } from '../../condition/condition.ts'
import { prismaWhere } from '../../condition/prisma.ts'
import type { ModelMeta } from '../../model/meta.ts'
import type { Where } from '../../model/where.ts'

/**
 * The `where` that Prisma is asked with. A list that is NULL in the database, because another program wrote the row, is shown as an empty
 * one, and so is found as an empty one: to PostgreSQL every condition on it is unknown.
 */
export const askedWhere = (condition: Condition, model: Pick<ModelMeta, 'key' | 'columns'>): Where =>
  prismaWhere(holdsList(condition) ? visit(condition, withNullLists, null) : condition, model)

function holdsList(condition: Condition): boolean {
  if (condition.kind === 'compare') return condition.column.isList
  if ('conditions' in condition) return condition.conditions.some(holdsList)
  return 'condition' in condition && holdsList(condition.condition)
}

const partOf = (condition: Condition): Condition => visit(condition, withNullLists, null)

const withNullLists: Visitor<Condition, null> = {
  all: ({ conditions }) => all(...conditions.map(partOf)),
  any: ({ conditions }) => any(conditions.map(partOf)),
  not: ({ condition }) => not(partOf(condition)),
  compare(node) {
    if (!node.column.isList || node.value === null) return node
    const isNull = compare(node.column, 'equals', null)
    return ofEmptyList(node) ? any([node, isNull]) : all(node, not(isNull))
  },
  json: (node) => node,
  related: ({ relation, quantifier, condition }) => related(relation, quantifier, partOf(condition)),
  absent: (node) => node,
  constant: (node) => node,
}

/** Does the condition hold for an empty list. */
function ofEmptyList({ operator, value }: Compare): boolean {
  if (operator === 'isEmpty') return value === true
  return (operator === 'equals' || operator === 'hasEvery') && Array.isArray(value) && value.length === 0
}
