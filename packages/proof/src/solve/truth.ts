import type { RelationMeta } from '@prismapi/jsonapi/model/meta'
import Logic, { type Term as Bit } from 'logic-solver'
import { type Comparison, type Formula, type Somewhere, type Term, termsOf } from '../formula.ts'
import { compareValues } from './compare.ts'
import { constantOf, type Value } from './domain.ts'
import { isNull, type PossibleRow, type Universe, type Unknown } from './universe.ts'

/** SQL's truth of a formula for a row, as two bits: where neither is true it is unknown. */
interface Truth {
  readonly true: Bit
  readonly false: Bit
}

/** Whether what is opaque counts as neither true nor false, or as both: what is certain, or what is possible. */
export type Certainty = 'certain' | 'possible'

const other = (certainty: Certainty): Certainty => (certainty === 'certain' ? 'possible' : 'certain')

/** When the formula is true of the root of a universe. */
export const isTrue = (universe: Universe, formula: Formula, certainty: Certainty): Bit =>
  truthOf(universe, { formula, row: universe.root, certainty }).true

interface Asked {
  readonly formula: Formula
  readonly row: PossibleRow
  readonly certainty: Certainty
}

function truthOf(universe: Universe, { formula, row, certainty }: Asked): Truth {
  const of = (part: Formula): Truth => truthOf(universe, { formula: part, row, certainty })
  switch (formula.kind) {
    case 'all': {
      const parts = formula.parts.map(of)
      return { true: Logic.and(...parts.map((part) => part.true)), false: Logic.or(...parts.map((part) => part.false)) }
    }
    case 'any': {
      const parts = formula.parts.map(of)
      return { true: Logic.or(...parts.map((part) => part.true)), false: Logic.and(...parts.map((part) => part.false)) }
    }
    case 'not': {
      const part = of(formula.part)
      return { true: part.false, false: part.true }
    }
    case 'constant':
      return toTruth(formula.holds)
    case 'opaque':
      return opaqueTruth(certainty)
    case 'compare':
      return compared(universe, formula, row, certainty)
    case 'absent': {
      const relation = row.model.relations[formula.relation] as RelationMeta
      const none = relation.foreignKey
        ? isNull(relation, row)
        : Logic.not(Logic.or(...rowsBehind(universe, relation, row).map(({ link }) => link)))
      return { true: none, false: Logic.not(none) }
    }
    case 'related':
      return related(universe, formula, row, certainty)
    case 'somewhere':
      return somewhere(universe, formula, certainty)
    default:
      return formula satisfies never
  }
}

const toTruth = (holds: boolean): Truth => ({
  true: holds ? Logic.TRUE : Logic.FALSE,
  false: holds ? Logic.FALSE : Logic.TRUE,
})

function opaqueTruth(certainty: Certainty): Truth {
  const bit = certainty === 'certain' ? Logic.FALSE : Logic.TRUE
  return { true: bit, false: bit }
}

const rowsBehind = (universe: Universe, relation: RelationMeta, row: PossibleRow) =>
  (universe.rows.get(relation.model) ?? []).map((target) => ({ target, link: universe.link(relation, row, target) }))

function related(
  universe: Universe,
  { relation: name, quantifier, part }: Extract<Formula, { kind: 'related' }>,
  row: PossibleRow,
  certainty: Certainty,
): Truth {
  const relation = row.model.relations[name] as RelationMeta
  const behind = rowsBehind(universe, relation, row)
  /** Some row behind the relation has the truth. */
  const some = (truth: keyof Truth, at: Certainty): Bit =>
    Logic.or(
      ...behind.map(({ target, link }) =>
        Logic.and(link, truthOf(universe, { formula: part, row: target, certainty: at })[truth]),
      ),
    )
  switch (quantifier) {
    case 'some':
      return { true: some('true', certainty), false: Logic.not(some('true', other(certainty))) }
    case 'none':
      return { true: Logic.not(some('true', other(certainty))), false: some('true', certainty) }
    case 'every':
      return { true: Logic.not(some('false', other(certainty))), false: some('false', certainty) }
    case 'is': {
      const nowhere = Logic.not(Logic.or(...behind.map(({ link }) => link)))
      if (!relation.foreignKey)
        return { true: some('true', certainty), false: Logic.or(nowhere, some('false', certainty)) }
      // The key leads to a row that is none of those here: whatever is asked of that row, it may be.
      const isNowhere = isNull(relation, row)
      const isElsewhere = certainty === 'certain' ? Logic.FALSE : Logic.and(nowhere, Logic.not(isNowhere))
      return {
        true: Logic.or(isElsewhere, some('true', certainty)),
        false: Logic.or(isElsewhere, isNowhere, some('false', certainty)),
      }
    }
    default:
      return quantifier satisfies never
  }
}

function somewhere(universe: Universe, { model, part }: Somewhere, certainty: Certainty): Truth {
  const some = (at: Certainty): Bit =>
    Logic.or(
      ...(universe.rows.get(model) ?? []).map((row) =>
        Logic.and(row.isThere, truthOf(universe, { formula: part, row, certainty: at }).true),
      ),
    )
  return { true: some(certainty), false: Logic.not(some(other(certainty))) }
}

function compared(universe: Universe, comparison: Comparison, row: PossibleRow, certainty: Certainty): Truth {
  const { operator, value } = comparison
  if (operator !== 'in' && operator !== 'notIn')
    return Array.isArray(value) ? opaqueTruth(certainty) : single(universe, comparison, row, certainty)
  const equals = termsOf(comparison).map((term) =>
    single(universe, { ...comparison, operator: 'equals', value: term }, row, certainty),
  )
  const among = {
    true: Logic.or(...equals.map((each) => each.true)),
    false: Logic.and(...equals.map((each) => each.false)),
  }
  return operator === 'in' ? among : { true: among.false, false: among.true }
}

/** One column and one value: the pairs of values of which the comparison holds, and those of which it does not. */
function single(universe: Universe, comparison: Comparison, row: PossibleRow, certainty: Certainty): Truth {
  const { question } = universe
  const { operator, mode } = comparison
  const column = row.columns.get(comparison.column) as Unknown
  const operands = operandsOf(universe, comparison.value as Term)
  const found: { readonly true: Bit[]; readonly false: Bit[] } = { true: [], false: [] }
  for (const [i, value] of column.values.entries())
    for (const [k, operand] of operands.values.entries()) {
      const holds = compareValues(value, operand, { operator, mode, provider: question.resources.provider })
      if (holds === undefined) return opaqueTruth(certainty)
      if (holds !== null) found[`${holds}`].push(Logic.and(column.bits[i] as Bit, operands.bits[k] as Bit))
    }
  return { true: Logic.or(...found.true), false: Logic.or(...found.false) }
}

function operandsOf({ claims, question }: Universe, term: Term): { values: readonly Value[]; bits: readonly Bit[] } {
  const constant = constantOf(term, question.now)
  if (constant) return { values: [constant.value], bits: [Logic.TRUE] }
  return claims.get((term as { readonly claim: string }).claim) as Unknown
}
