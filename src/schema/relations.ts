import type { ColumnMeta, ModelMeta, RelationMeta, Resources } from '../model/meta.ts'
import type { MorphToOverride, RelationOverride } from './fields.ts'
import type { MorphBranch, MorphKeys, MorphTo, Relation } from './resource-schema.ts'

/**
 * The relation of a model as JSON:API offers it, with the application's override; null when it cannot be served:
 * its other end is `@ignore`d and the foreign key is there.
 */
export function compileRelation(
  name: string,
  meta: RelationMeta,
  model: ModelMeta,
  resources: Resources,
  override: RelationOverride | null,
): Relation | null {
  const base = { name, field: meta.name, model: meta.model, ...options(meta, override) }
  const isCountable = override?.isCountable ?? false
  if (isCountable && !meta.isList)
    throw new Error(
      `relation('${meta.name}') of ${model.name}: only to-many relations are countable. Remove countable().`,
    )
  if (meta.foreignKey) {
    const isNullable = meta.isNullable
    return Object.freeze({
      ...base,
      kind: 'belongsTo',
      isNullable,
      isRequired: !isNullable && !hasDefaults(model, meta.foreignKey.columns),
      ...meta.foreignKey,
    })
  }
  const inverse = meta.inverse === null ? null : resources.models[meta.model]?.relations[meta.inverse]
  if (!inverse) return null
  const defaultPagination = override?.paginatesByDefault ?? true
  if (meta.join)
    return Object.freeze({ ...base, kind: 'manyToMany', inverse: inverse.name, defaultPagination, isCountable })
  const key = inverse.foreignKey
  if (!key) return null
  const isDetachable = inverse.isNullable
  if (!meta.isList)
    return Object.freeze({ ...base, kind: 'hasOne', isNullable: true, isRequired: false, isDetachable, ...key })
  const deleteOnDetach = override?.deletesOnDetach ?? false
  return Object.freeze({
    ...base,
    kind: 'hasMany',
    isDetachable,
    deleteOnDetach,
    defaultPagination,
    isCountable,
    ...key,
  })
}

const options = (meta: { readonly readOnly: boolean } | null, override: RelationOverride | MorphToOverride | null) => ({
  readOnly: override?.readOnly ?? meta?.readOnly ?? false,
  mustValidate: override?.validatesAlways ?? false,
  notValidated: override?.validatesNever ?? false,
  isIncludable: override?.isIncludable ?? true,
  alwaysShowData: override?.showsData ?? false,
  links: override?.withLinks ?? true,
})

const hasDefaults = (model: ModelMeta, columns: readonly string[]): boolean =>
  columns.every((column) => model.columns[column]?.default != null)

/** A polymorphic relation, declared by the schema class. */
export function compileMorphTo(
  model: ModelMeta,
  override: MorphToOverride,
  isServed: (model: string) => boolean,
): MorphTo {
  const form = override.columns ? morphColumns(model, override, isServed) : morphKeys(model, override, isServed)
  const isNullable = form.kind === 'keys' || (model.columns[form.typeColumn] as ColumnMeta).isNullable
  return Object.freeze({
    name: override.name,
    kind: 'morphTo',
    isNullable,
    isRequired: !isNullable,
    form,
    ...options(null, override),
  })
}

function morphKeys(model: ModelMeta, override: MorphToOverride, isServed: (model: string) => boolean): MorphKeys {
  const branches = override.relations.map((name): MorphBranch => {
    const meta = model.relations[name]
    if (!meta?.foreignKey || !meta.isNullable) {
      throw new Error(
        `morphTo('${override.field}'): ${model.name}.${name} is no optional relation with a foreign key. Name the to-one relations that it is made of.`,
      )
    }
    return { field: name, model: meta.model, ...meta.foreignKey }
  })
  return { kind: 'keys', branches: branches.filter((branch) => isServed(branch.model)) }
}

function morphColumns(
  model: ModelMeta,
  override: MorphToOverride,
  isServed: (model: string) => boolean,
): MorphTo['form'] {
  const { type, id, models } = override.columns as NonNullable<MorphToOverride['columns']>
  for (const column of [type, id]) {
    if (!model.columns[column])
      throw new Error(
        `morphTo('${override.field}'): the model ${model.name} has no column ${column}. Name the columns that hold the type and the id.`,
      )
  }
  return {
    kind: 'columns',
    typeColumn: type,
    idColumn: id,
    models: new Map(Object.entries(models).filter(([, name]) => isServed(name))),
  }
}
