import { columnOf, everything, isEverything, not } from '../condition/build.ts'
import type { Condition } from '../condition/condition.ts'
import { maskColumns } from '../condition/two-valued.ts'
import type { DeclaredFilter } from '../schema/filters.ts'
import { type BelongsTo, isToMany } from '../schema/relation-kinds.ts'
import { type Attribute, type IdField, schemaOf } from '../schema/resource-schema.ts'
import { declaredCondition } from './declared-filter.ts'
import { type JsonPlace, jsonCondition } from './filter-json.ts'
import { attributeCondition, flag, idCondition } from './filter-operators.ts'
import { type FilterTarget, isDeclared, isRelationStep, type RelationStep } from './filter-path.ts'
import type { FilterClause } from './filter-syntax.ts'
import { type FilterNode, nodeAt, stepFilter } from './filter-tree.ts'
import { type CheckContext, rowsSeenOf, seenOf } from './query-context.ts'

interface Placing {
  readonly target: FilterTarget
  readonly check: CheckContext
}

/**
 * Puts the condition of a clause where its path ends; false where the field has no such operator.
 *
 * @throws JsonApiError 400 for a value that does not fit.
 */
export function place(root: FilterNode, clause: FilterClause, { target, check }: Placing): boolean {
  const { steps, field, jsonPath, operator, schema } = target
  if (field === 'id') return placeId(root, clause, { target: { steps, schema, operator }, check })
  if (isRelationStep(field)) return placeRelation(root, clause, { target, check }, field)
  if (isDeclared(field))
    return operator === null && placeDeclared(nodeAt(root, steps, check), clause, { filter: field, check })
  const { provider } = check.resources
  const seen = seenOf(schema, field.name, check)
  // Where it is not seen it counts as null, which may be asked for then.
  const shown = isEverything(seen) ? field : { ...field, isNullable: true }
  const condition =
    jsonPath.length > 0
      ? jsonCondition(clause, operator, jsonPlace(root, target, field), provider)
      : attributeCondition(clause, operator, shown, provider)
  const name = [field.name, ...jsonPath].join('.')
  if (condition === null) return false
  return addLeaf(
    nodeAt(root, steps, check),
    name,
    operator,
    maskColumns(condition, () => seen),
  )
}

function jsonPlace(
  { isDenied }: FilterNode,
  { steps, jsonPath, schema }: FilterTarget,
  { column, name }: Attribute,
): JsonPlace {
  const isAcross = steps.some(({ quantifier }) => quantifier !== 'is')
  const isDeniedAcross = isAcross && (isDenied || steps.some(({ quantifier }) => quantifier === 'every'))
  return { column: column ?? columnOf(schema.model, name), path: jsonPath, isDeniedAcross }
}

function placeDeclared(
  node: FilterNode,
  clause: FilterClause,
  { filter, check }: { filter: DeclaredFilter; check: CheckContext },
): true {
  const { model, isDenied } = node
  return addLeaf(node, filter.name, null, declaredCondition(clause, { filter, model, isDenied }, check))
}

const presenceOperators: ReadonlySet<string | null> = new Set(['exists', 'isNull'])

/** A path that ends with a relation takes ids of its target, or asks whether there is one that may be seen. */
function placeRelation(
  root: FilterNode,
  clause: FilterClause,
  { target, check }: Placing,
  step: RelationStep,
): boolean {
  const { steps, operator, isQuantified } = target
  const { relation } = step
  const isMany = isToMany(relation)
  if (!presenceOperators.has(operator)) {
    // "Some tag is not one of these" is what no client means by it.
    if (isMany && (operator === 'not' || operator === 'notIn')) return false
    const schema = schemaOf(check.registry, relation.model)
    return placeId(root, clause, { target: { steps: [...steps, step], schema, operator }, check })
  }
  if (isQuantified || (isMany && operator === 'isNull')) return false
  const node = nodeAt(root, steps, check)
  const isWanted = flag(clause) === (operator === 'exists')
  return addLeaf(node, relation.name, operator, presence(node, step, { isWanted, check }))
}

function presence(
  { model, isDenied }: FilterNode,
  step: RelationStep,
  { isWanted, check }: { readonly isWanted: boolean; readonly check: CheckContext },
): Condition {
  if (step.quantifier !== 'is') {
    const asked = { ...step, quantifier: isWanted ? ('some' as const) : ('none' as const) }
    return stepFilter({ step: asked, model }, everything, { isDenied, check })
  }
  if (isWanted) return stepFilter({ step, model }, everything, { isDenied, check })
  return not(stepFilter({ step, model }, everything, { isDenied: true, check }))
}

interface IdPlacing {
  readonly target: Pick<FilterTarget, 'steps' | 'schema' | 'operator'>
  readonly check: CheckContext
}

function placeId(root: FilterNode, clause: FilterClause, { target, check }: IdPlacing): boolean {
  const { steps, schema, operator } = target
  const foreign = isMasked(root, steps, check) ? null : foreignId(target, check)
  const parent = foreign && nodeAt(root, steps.slice(0, -1), check)
  // Under a NOT the two differ for rows without a target: NOT (NULL =
  // 1) is NULL, NOT (there is a target with id 1) true.
  if (foreign && parent && !parent.isDenied) {
    const condition = idCondition(clause, operator, { id: foreign, model: parent.model })
    return condition !== null && addLeaf(parent, steps.at(-1)?.relation.name ?? 'id', operator, condition)
  }
  const condition = idCondition(clause, operator, schema)
  return condition !== null && addLeaf(nodeAt(root, steps, check), 'id', operator, condition)
}

/** Is the last relation of the way one that this request does not see of every row: then it has to be crossed. */
function isMasked({ model }: FilterNode, steps: readonly RelationStep[], check: CheckContext): boolean {
  const [step, before] = [steps.at(-1), steps.at(-2)]
  const from = before ? before.relation.model : model.name
  return step !== undefined && !isEverything(seenOf(schemaOf(check.registry, from), step.relation.name, check))
}

type Id = Pick<IdField, 'columns' | 'isOrdered' | 'parse'>

/** The id of a target as the foreign key of this side, which needs no join; null where the target has to be asked. */
function foreignId({ steps, schema, operator }: IdPlacing['target'], check: CheckContext): Id | null {
  const { id } = schema
  const relation = steps.at(-1)?.relation
  if (relation?.kind !== 'belongsTo' || !isEverything(rowsSeenOf(relation.model, check))) return null
  // A key of several columns may be NULL in one of them, and is then "not" an id without being another.
  if (id.columns.length > 1 && (operator === 'not' || operator === 'notIn')) return null
  const columns = id.columns.map((column) => keyColumn(relation, column))
  if (columns.length !== relation.columns.length || !columns.every((column) => column !== null)) return null
  const parse = (text: string) => {
    const row = id.parse(text)
    return row && Object.fromEntries(id.columns.map((column, i) => [columns[i], row[column]]))
  }
  return { columns, isOrdered: id.isOrdered, parse }
}

const keyColumn = ({ columns, references }: BelongsTo, column: string): string | null =>
  columns[references.indexOf(column)] ?? null

function addLeaf({ leaves }: FilterNode, name: string, operator: string | null, condition: Condition): true {
  leaves.push({ name: `${name} ${operator ?? ''}`, condition })
  return true
}
