import { all, any, everything, not } from '../condition/build.ts'
import { type Condition, type Visitor, visit } from '../condition/condition.ts'
import { masked } from '../condition/masked.ts'
import { type CheckContext, storedSeenOf } from './check-context.ts'
import { relationFilter } from './filter-tree.ts'

interface Standing {
  /** The model whose rows the condition is about. */
  readonly model: string
  /** The condition stands under a NOT, with no EXISTS between. */
  readonly isDenied: boolean
  readonly check: CheckContext
}

/**
 * In: a condition that the application wrote for a filter. Out: the same, for none but the rows that this request may
 * see wherever it crosses a relation, and with null for values that it may not see: a client who chooses its value could probe
 * the hidden ones otherwise.
 */
export const scoped = (condition: Condition, standing: Standing): Condition => visit(condition, toScoped, standing)

const toScoped: Visitor<Condition, Standing> = {
  all: ({ conditions }, standing) => all(...conditions.map((each) => scoped(each, standing))),
  any: ({ conditions }, standing) => any(conditions.map((each) => scoped(each, standing))),
  not: ({ condition }, standing) => not(scoped(condition, { ...standing, isDenied: true })),
  compare: (node, { model, check }) => masked(node, storedSeenOf(model, node.column.name, check)),
  json: (node, { model, check }) => masked(node, storedSeenOf(model, node.column.name, check)),
  related({ relation, quantifier, condition }, { model, isDenied, check }) {
    const isDeniedBehind = quantifier === 'is' ? isDenied : quantifier === 'every'
    const behind = scoped(condition, { model: relation.model, isDenied: isDeniedBehind, check })
    return relationFilter({ from: model, relation, quantifier }, behind, { isDenied, check })
  },
  // There is no target, or none that may be seen.
  absent: ({ relation }, { model, check }) =>
    not(relationFilter({ from: model, relation, quantifier: 'is' }, everything, { isDenied: true, check })),
  constant: (node) => node,
}
