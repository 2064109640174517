import type { Provider, RelationMeta } from '@prismapi/jsonapi/model/meta'
import type { DMMF } from '../prisma/schema-description.ts'
import { parseComment, toAnnotations } from './annotations.ts'

export interface Neighbourhood {
  readonly provider: Provider
  readonly models: ReadonlyMap<string, DMMF.Model>
}

/** The foreign keys' columns of a model, each with a relation that carries it. */
export function foreignKeyColumns(model: DMMF.Model): ReadonlyMap<string, string> {
  const pairs = model.fields.flatMap((field) =>
    (field.relationFromFields ?? []).map((name) => [name, field.name] as const),
  )
  return new Map(pairs)
}

export function toRelation(model: DMMF.Model, field: DMMF.Field, { provider, models }: Neighbourhood): RelationMeta {
  const comment = parseComment(field.documentation)
  const inverse = findInverse(model, field, models.get(field.type))
  const columns = field.relationFromFields ?? []
  const hasForeignKey = columns.length > 0
  return {
    name: field.name,
    model: field.type,
    isList: field.isList,
    isNullable: !field.isList && !field.isRequired && (!hasForeignKey || columnsOf(model, columns).some(isOptional)),
    relationName: field.relationName ?? '',
    foreignKey: hasForeignKey ? { columns, references: field.relationToFields ?? [] } : null,
    inverse: inverse?.name ?? null,
    join: inverse && field.isList && inverse.isList ? toJoin(model, field, inverse) : null,
    onDelete: hasForeignKey ? (field.relationOnDelete ?? defaultOnDelete(model, field, provider)) : null,
    ...toAnnotations(comment),
    documentation: comment.text,
  }
}

const columnsOf = (model: DMMF.Model, names: readonly string[]): readonly DMMF.Field[] =>
  model.fields.filter(({ name }) => names.includes(name))

// Prisma accepts `author User?` on columns that are required: there is always one all the same.
const isOptional = ({ isRequired }: DMMF.Field): boolean => !isRequired

function findInverse(model: DMMF.Model, field: DMMF.Field, target: DMMF.Model | undefined): DMMF.Field | undefined {
  const isSelf = target === model
  return target?.fields.find(
    (other) => other.relationName === field.relationName && !(isSelf && other.name === field.name),
  )
}

// Measured on Prisma 7.10: A belongs to the model whose name (not its table's) comes first, and in a relation of a
// model with itself to the field whose name comes first.
function toJoin(model: DMMF.Model, field: DMMF.Field, inverse: DMMF.Field): NonNullable<RelationMeta['join']> {
  const isFirst = model.name === field.type ? field.name < inverse.name : model.name < field.type
  return { table: `_${field.relationName}`, own: isFirst ? 'A' : 'B', other: isFirst ? 'B' : 'A' }
}

/** One required column is enough for Prisma to refuse SET NULL, even where the relation itself is optional. */
function defaultOnDelete(model: DMMF.Model, relation: DMMF.Field, provider: Provider): string {
  const columns = columnsOf(model, relation.relationFromFields ?? [])
  if (columns.every(isOptional)) return 'SetNull'
  return provider === 'sqlserver' ? 'NoAction' : 'Restrict'
}
