import type { ModelMeta, RelationMeta, Resources } from '@prismapi/jsonapi/model/meta'
import type { Row } from '@prismapi/jsonapi/model/where'

/** What was given for a row: columns, and the relations that the other side or a join table holds. */
export interface Given {
  readonly columns: Row
  readonly links: Row
}

/**
 * The rows that were given for relations, as Prisma takes them: a foreign key of this side as columns, every other link
 * as `connect`.
 *
 * @throws {Error} for a name that the model does not have
 */
export function toGiven(data: Row, model: ModelMeta, resources: Resources): Given {
  const columns: Record<string, unknown> = {}
  const links: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(data)) {
    const relation = model.relations[name]
    if (value === undefined) continue
    if (!relation && !model.columns[name])
      throw new Error(`${model.name}.${name}: the model has no such field. It has ${fieldsOf(model).join(', ')}.`)
    if (!relation) columns[name] = value
    else if (relation.foreignKey) Object.assign(columns, foreignKeyOf(relation, value as Row | null))
    else if (value !== null) links[name] = { connect: connected(value as Row | readonly Row[], relation, resources) }
  }
  return { columns, links }
}

const fieldsOf = ({ columns, relations }: ModelMeta): string[] => [...Object.keys(columns), ...Object.keys(relations)]

/** The columns by which a row leads to another one. */
export function foreignKeyOf({ foreignKey }: RelationMeta, row: Row | null): Row {
  const { columns, references } = foreignKey as NonNullable<RelationMeta['foreignKey']>
  return Object.fromEntries(columns.map((name, i) => [name, row === null ? null : row[references[i] as string]]))
}

function connected(value: Row | readonly Row[], relation: RelationMeta, resources: Resources): unknown {
  const { key, keyName } = resources.models[relation.model] as ModelMeta
  const where = (row: Row) => {
    const values = Object.fromEntries(key.map((name) => [name, row[name]]))
    return keyName === null ? values : { [keyName]: values }
  }
  return Array.isArray(value) ? value.map(where) : where(value as Row)
}

/** The relations without whose rows this one cannot be stored, the first of them first. */
export function missingParents(known: Row, { relations, columns }: ModelMeta): readonly RelationMeta[] {
  const isMissing = (name: string) => {
    const column = columns[name]
    return known[name] === undefined && column?.default === null && !column.isNullable
  }
  return Object.values(relations)
    .filter(({ foreignKey }) => foreignKey?.columns.some(isMissing))
    .sort((a, b) => Number(a.isNullable) - Number(b.isNullable))
}

/** @throws {Error} where the row that is needed needs one like this in turn, and so on for ever. */
export function checkEnds(relation: RelationMeta, model: ModelMeta, resources: Resources): void {
  if (relation.model === model.name) throw leadsToItself(relation, model)
  const seen = new Set<string>()
  const todo = [relation.model]
  for (let name = todo.pop(); name !== undefined; name = todo.pop()) {
    if (name === model.name)
      throw new Error(
        `${model.name}.${relation.name}: the ${relation.model} it needs would need another ${model.name}. Give it a row to lead to.`,
      )
    if (!seen.has(name)) todo.push(...missingParents({}, resources.models[name] as ModelMeta).map((each) => each.model))
    seen.add(name)
  }
}

function leadsToItself({ name, foreignKey }: RelationMeta, model: ModelMeta): Error {
  const own = [...(foreignKey?.references ?? []), ...(foreignKey?.columns ?? [])].join(' and ')
  return new Error(
    `${model.name}.${name}: the row it needs is another ${model.name}, and the first one can only lead to itself. Give that one ${own} of the same value, and others a row to lead to.`,
  )
}

/** What a row must have so that this one can lead to it: columns that several foreign keys share are given already. */
export function sharedWith({ foreignKey }: RelationMeta, columns: Row): Row {
  const { columns: own, references } = foreignKey as NonNullable<RelationMeta['foreignKey']>
  const known = own.flatMap((name, i) =>
    columns[name] === undefined ? [] : [[references[i] as string, columns[name]]],
  )
  return Object.fromEntries(known)
}
