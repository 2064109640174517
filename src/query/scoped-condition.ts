import { all, any, everything, not } from '../condition/build.ts'
import { type Condition, type Visitor, visit } from '../condition/condition.ts'
import type { CheckContext } from './check-context.ts'
import { crossing } from './filter-tree.ts'

interface Standing {
  /** The condition stands under a NOT, with no EXISTS between. */
  readonly isDenied: boolean
  readonly check: CheckContext
}

/**
 * In: a condition that the application wrote for a filter. Out: the same, for none but the rows that this request may
 * see wherever it crosses a relation: a client who chooses its value could probe the hidden ones otherwise.
 */
export const scoped = (condition: Condition, standing: Standing): Condition => visit(condition, toScoped, standing)

const toScoped: Visitor<Condition, Standing> = {
  all: ({ conditions }, standing) => all(...conditions.map((each) => scoped(each, standing))),
  any: ({ conditions }, standing) => any(conditions.map((each) => scoped(each, standing))),
  not: ({ condition }, { check }) => not(scoped(condition, { isDenied: true, check })),
  compare: (node) => node,
  json: (node) => node,
  related({ relation, quantifier, condition }, { isDenied, check }) {
    const isDeniedBehind = quantifier === 'is' ? isDenied : quantifier === 'every'
    const behind = scoped(condition, { isDenied: isDeniedBehind, check })
    return crossing({ relation, quantifier }, behind, { isDenied, check })
  },
  // There is no target, or none that may be seen.
  absent: ({ relation }, { check }) =>
    not(crossing({ relation, quantifier: 'is' }, everything, { isDenied: true, check })),
  constant: (node) => node,
}
