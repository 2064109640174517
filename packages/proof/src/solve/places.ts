import type { ModelMeta, RelationMeta, Resources } from '@prismapi/jsonapi/model/meta'
import type { Formula, Somewhere } from '../formula.ts'

/** Columns of this end of a relation and of the other one that are equal; null for an implicit many-to-many. */
export function pairsOf(
  relation: RelationMeta,
  { models }: Resources,
): readonly (readonly [own: string, other: string])[] | null {
  if (relation.join) return null
  const { foreignKey } = relation
  if (foreignKey) return foreignKey.columns.map((own, i) => [own, foreignKey.references[i] as string])
  const inverse = relation.inverse === null ? undefined : models[relation.model]?.relations[relation.inverse]
  if (!inverse?.foreignKey) throw new Error(`${relation.name}: its foreign key is not known.`)
  const { columns, references } = inverse.foreignKey
  return references.map((own, i) => [own, columns[i] as string])
}

/** The relations that formulas about one model ask for, each with the formulas about the rows behind it. */
export function relationsIn(formulas: readonly Formula[]): ReadonlyMap<string, readonly Formula[]> {
  const found = new Map<string, Formula[]>()
  const visit = (formula: Formula): void => {
    if (formula.kind === 'all' || formula.kind === 'any') formula.parts.forEach(visit)
    if (formula.kind === 'not') visit(formula.part)
    if (formula.kind === 'absent') found.set(formula.relation, found.get(formula.relation) ?? [])
    if (formula.kind === 'related') found.set(formula.relation, [...(found.get(formula.relation) ?? []), formula.part])
  }
  formulas.forEach(visit)
  return found
}

/** What formulas about one model ask of any row of another one. */
export function anywhereIn(formulas: readonly Formula[]): readonly Somewhere[] {
  return formulas.flatMap((formula): readonly Somewhere[] => {
    if (formula.kind === 'all' || formula.kind === 'any') return anywhereIn(formula.parts)
    if (formula.kind === 'not') return anywhereIn([formula.part])
    return formula.kind === 'somewhere' ? [formula] : []
  })
}

const mostRows = 6

/**
 * How many rows of each model can matter to formulas: for each row before it, one behind each `some`, `every` and
 * `none`, as a witness for or against it; one behind each to-one relation; and one somewhere. A database without all
 * other rows gives the same results.
 */
export function rowsFor(
  model: ModelMeta,
  formulas: readonly Formula[],
  { models }: Resources,
): ReadonlyMap<string, number> {
  const rows = new Map([[model.name, 1]])
  const add = (name: string, more: number) => void rows.set(name, Math.min((rows.get(name) ?? 0) + more, mostRows))
  const count = (home: ModelMeta, given: readonly Formula[], many: number): void => {
    for (const [name, parts] of relationsIn(given)) {
      const relation = home.relations[name] as RelationMeta
      const more = relation.isList ? many * Math.max(parts.length, 1) : many
      add(relation.model, more)
      count(models[relation.model] as ModelMeta, parts, more)
    }
    for (const { model: name, part } of anywhereIn(given)) {
      add(name, 1)
      count(models[name] as ModelMeta, [part], 1)
    }
  }
  count(model, formulas, 1)
  return rows
}

/** Why the formula cannot be told of this schema; null where it can. */
export function strangeIn(formula: Formula, model: ModelMeta, resources: Resources): string | null {
  switch (formula.kind) {
    case 'all':
    case 'any':
      return formula.parts.map((part) => strangeIn(part, model, resources)).find(Boolean) ?? null
    case 'not':
      return strangeIn(formula.part, model, resources)
    case 'somewhere': {
      const target = resources.models[formula.model]
      return target ? strangeIn(formula.part, target, resources) : `the model ${formula.model} is not here`
    }
    case 'compare':
      return model.columns[formula.column] ? null : `the model ${model.name} has no column ${formula.column} here`
    case 'absent':
    case 'related': {
      const target = resources.models[model.relations[formula.relation]?.model ?? '']
      if (!target) return `the model ${model.name} has no relation ${formula.relation} here`
      return formula.kind === 'related' ? strangeIn(formula.part, target, resources) : null
    }
    default:
      return null
  }
}
