import { all, isEverything, not, related, relationOf } from '../condition/build.ts'
import type { Condition, Quantifier } from '../condition/condition.ts'
import { maskCrossing, twoValued } from '../condition/two-valued.ts'
import type { ModelMeta, RelationMeta } from '../model/meta.ts'
import type { RelationStep } from './filter-path.ts'
import { type CheckContext, rowsSeenOf, storedSeenOf } from './query-context.ts'

/** The conditions of one group, by the relations that they cross: those that share a way meet on the same row there. */
export interface FilterNode {
  readonly model: ModelMeta
  readonly isDenied: boolean
  readonly leaves: Leaf[]
  readonly branches: Map<string, FilterBranch>
}

interface Leaf {
  readonly name: string
  readonly condition: Condition
}

interface FilterBranch {
  readonly step: RelationStep
  readonly node: FilterNode
}

/** `isDenied`: the conditions stand under a NOT, with no EXISTS between. */
export const newNode = (model: ModelMeta, isDenied: boolean): FilterNode => ({
  model,
  isDenied,
  leaves: [],
  branches: new Map(),
})

/** The node that the relations lead to; made where no condition went there before. */
export const nodeAt = (root: FilterNode, steps: readonly RelationStep[], check: CheckContext): FilterNode =>
  steps.reduce((from, step) => nodeBehind(from, step, check), root)

function nodeBehind(from: FilterNode, step: RelationStep, { resources: { models } }: CheckContext): FilterNode {
  const name = `${step.relation.field} ${step.quantifier}`
  const known = from.branches.get(name)
  if (known) return known.node
  const node = newNode(models[step.relation.model] as ModelMeta, isDeniedBehind(from, step))
  from.branches.set(name, { step, node })
  return node
}

function isDeniedBehind(from: FilterNode, { quantifier }: RelationStep): boolean {
  if (quantifier === 'is') return from.isDenied
  // "Every row meets it" is "there is no row that does not".
  return quantifier === 'every'
}

/** The node's conditions as one, in an order that does not depend on the order in which they were sent. */
export function toCondition({ model, leaves, branches, isDenied }: FilterNode, check: CheckContext): Condition {
  const named = [
    ...leaves,
    ...[...branches].map(([name, { step, node }]): Leaf => {
      const behind = toCondition(node, check)
      return { name, condition: stepFilter({ step, model }, behind, { isDenied, check }) }
    }),
  ]
  return all(...named.sort(byName).map(({ condition }) => condition))
}

const byName = (a: Leaf, b: Leaf): number => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)

interface RelationFrom {
  /** The model that the relation is of. */
  readonly from: string
  readonly relation: RelationMeta
  readonly quantifier: Quantifier
}

interface Standing {
  readonly isDenied: boolean
  readonly check: CheckContext
}

/** A condition on the other side of a relation, for none but the rows there that this request may see. */
export function relationFilter(crossed: RelationFrom, behind: Condition, standing: Standing): Condition {
  const { from, relation, quantifier } = crossed
  return maskCrossing(
    seenAcross(crossed, behind, standing),
    quantifier,
    storedSeenOf(from, relation.name, standing.check),
  )
}

function seenAcross(
  { relation, quantifier }: RelationFrom,
  behind: Condition,
  { isDenied, check }: Standing,
): Condition {
  const scope = rowsSeenOf(relation.model, check)
  // A scope under a NOT must not be NULL for a hidden row: see `twoValued`.
  if (quantifier === 'is') return related(relation, 'is', all(isDenied ? twoValued(scope) : scope, behind))
  if (quantifier === 'every' && !isEverything(scope)) return related(relation, 'none', all(scope, not(behind)))
  return related(relation, quantifier, all(scope, behind))
}

interface StepFrom {
  readonly step: RelationStep
  readonly model: ModelMeta
}

/** The same for a relation of a type, which may lead through pivots: none that is hidden leads anywhere. */
export function stepFilter({ step, model }: StepFrom, behind: Condition, standing: Standing): Condition {
  const { relation, quantifier } = step
  const pivot = 'pivot' in relation ? relation.pivot : null
  const from = model.name
  if (!pivot) return relationFilter({ from, relation: relationOf(model, relation.field), quantifier }, behind, standing)
  const { resources } = standing.check
  const isEvery = quantifier === 'every'
  const to = relationOf(resources.models[pivot.model] as ModelMeta, pivot.to.name)
  const far = related(to, 'is', all(rowsSeenOf(relation.model, standing.check), isEvery ? not(behind) : behind))
  const seen = all(rowsSeenOf(pivot.model, standing.check), far)
  const asked = related(relationOf(model, pivot.list), isEvery ? 'none' : quantifier, seen)
  return maskCrossing(asked, quantifier, storedSeenOf(from, pivot.list, standing.check))
}
