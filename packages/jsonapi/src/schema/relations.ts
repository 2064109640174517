import type { ColumnMeta, ModelMeta, RelationMeta, Resources } from '../model/meta.ts'
import { checkDeprecation } from './deprecation.ts'
import type { JoinModelRelation } from './join-model.ts'
import type { MorphToOverride, RelationOverride } from './relation-fields.ts'
import {
  areSameColumns,
  type ManyThrough,
  type MorphBranch,
  type MorphKeys,
  type MorphTo,
  type PivotEnd,
  type Relation,
} from './relation-kinds.ts'

/** The relation of a model as JSON:API offers it, with the application's override; null where `whyNot` says so. */
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
  const alwaysVisible = override?.isAlwaysVisible ?? false
  if (alwaysVisible && meta.isList) throw notSortedAcross(meta.name, model)
  const asksUpdate = !(override?.isWithoutUpdatePolicy ?? false)
  if (!asksUpdate && (meta.foreignKey || meta.join)) throw needless(meta, model)
  if (meta.foreignKey) {
    const isNullable = meta.isNullable
    return Object.freeze({
      ...base,
      kind: 'belongsTo',
      alwaysVisible,
      isNullable,
      isRequired: !isNullable && !hasDefaults(model, meta.foreignKey.columns),
      isExclusive: isExclusive(model, meta),
      clears: clearedColumns(model, meta),
      ...meta.foreignKey,
    })
  }
  const target = resources.models[meta.model]
  const inverse = meta.inverse === null ? null : target?.relations[meta.inverse]
  if (!target || !inverse) return null
  const defaultPagination = override?.paginatesByDefault ?? true
  if (meta.join)
    return Object.freeze({ ...base, kind: 'manyToMany', inverse: inverse.name, defaultPagination, isCountable })
  const key = inverse.foreignKey
  if (!key) return null
  const deleteOnDetach = override?.deletesOnDetach ?? false
  const isDetachable = inverse.isNullable
  const clears = clearedColumns(target, inverse)
  const readOnly = base.readOnly || !(deleteOnDetach || canMove(target, key.columns))
  const child = { ...base, readOnly, inverse: inverse.name, asksUpdate, isDetachable, clears }
  if (!meta.isList)
    return Object.freeze({ ...child, kind: 'hasOne', alwaysVisible, isNullable: true, isRequired: false, ...key })
  return Object.freeze({
    ...child,
    kind: 'hasMany',
    deleteOnDetach,
    defaultPagination,
    isCountable,
    ...key,
  })
}

const notSortedAcross = (field: string, { name }: ModelMeta): Error =>
  new Error(
    `relation('${field}') of ${name}: collections are sorted across to-one relations only. Remove alwaysVisible().`,
  )

const needless = ({ name }: RelationMeta, model: ModelMeta): Error =>
  new Error(
    `relation('${name}') of ${model.name}: its links are kept in ${model.name} itself, or in a table that has no policy, so that no other policy is asked. Remove withoutUpdatePolicy().`,
  )

interface ThroughParts {
  readonly model: ModelMeta
  readonly resources: Resources
  readonly override: RelationOverride | null
}

/** A many-to-many of people's own making. It is read-only where a pivot needs more than its two ends to be made. */
export function compileThrough(
  name: string,
  { pivot, list, from, to, inverse }: JoinModelRelation,
  { model, resources, override }: ThroughParts,
): ManyThrough {
  const pivots = resources.models[pivot] as ModelMeta
  if (override?.isAlwaysVisible) throw notSortedAcross(name, model)
  const base = options(model.relations[list] ?? null, override)
  return Object.freeze({
    ...base,
    name,
    kind: 'manyThrough',
    field: name,
    model: to.model,
    readOnly: base.readOnly || !isPlainPivot(pivots),
    asksUpdate: !(override?.isWithoutUpdatePolicy ?? false),
    pivot: { model: pivot, list, from: end(from), to: end(to), inverse: inverse.name, isExclusive: !inverse.isList },
    defaultPagination: override?.paginatesByDefault ?? true,
    isCountable: override?.isCountable ?? false,
  })
}

const end = ({ name, foreignKey }: JoinModelRelation['to']): PivotEnd => ({ name, ...foreignKey })

const isPlainPivot = ({ key, columns, operations }: ModelMeta): boolean =>
  operations.includes('create') &&
  operations.includes('delete') &&
  Object.values(columns).every(
    ({ name, isNullable, isList, isUpdatedAt, default: value }) =>
      key.includes(name) || isNullable || isList || isUpdatedAt || value !== null,
  )

const options = (meta: { readonly readOnly: boolean } | null, override: RelationOverride | MorphToOverride | null) => ({
  readOnly: override?.readOnly ?? meta?.readOnly ?? false,
  mustValidate: override?.validatesAlways ?? false,
  notValidated: override?.validatesNever ?? false,
  isIncludable: override?.isIncludable ?? true,
  alwaysShowData: override?.showsData ?? false,
  links: override?.withLinks ?? true,
  deprecation: checkDeprecation(`relation('${override?.field}').deprecated`, override?.deprecation),
  ...(override?.options && { options: override.options }),
})

/** Why a relation cannot be served; null when it can. */
export function whyNot(meta: RelationMeta, model: ModelMeta, { models }: Resources): string | null {
  const target = models[meta.model]
  const inverse = meta.inverse === null ? null : (target?.relations[meta.inverse] ?? null)
  if (!meta.foreignKey && !inverse) return 'the other end of the relation is ignored. Remove its @ignore.'
  if (meta.join) return null
  const [holder, other] = meta.foreignKey ? [model, target] : [target, model]
  const key = meta.foreignKey ?? inverse?.foreignKey ?? { columns: [], references: [] }
  const lost = [
    ...key.columns.filter((column) => !holder?.columns[column]).map((column) => `${holder?.name}.${column}`),
    ...key.references.filter((column) => !other?.columns[column]).map((column) => `${other?.name}.${column}`),
  ]
  return lost.length > 0 ? `it needs ${lost.join(' and ')}, which is ignored. Remove its @ignore.` : null
}

/** May one row at most have the key, and do without. */
const isExclusive = ({ uniques }: ModelMeta, { isNullable, foreignKey }: RelationMeta): boolean =>
  isNullable && uniques.some((unique) => areSameColumns(unique, foreignKey?.columns ?? []))

/** Of a foreign key, the columns that are null where the relation leads nowhere: those of its own, if it has any. */
function clearedColumns({ key, columns, relations }: ModelMeta, { name, foreignKey }: RelationMeta): readonly string[] {
  const others = Object.values(relations).filter((other) => other.name !== name)
  const isShared = (column: string) => others.some((other) => other.foreignKey?.columns.includes(column))
  const nullable = (foreignKey?.columns ?? []).filter((column) => columns[column]?.isNullable && !key.includes(column))
  const own = nullable.filter((column) => !isShared(column))
  return own.length > 0 ? own : nullable
}

// A row whose id is made of the foreign key would be another row elsewhere; one of a view cannot be written at all.
const canMove = ({ key, operations }: ModelMeta, columns: readonly string[]): boolean =>
  operations.includes('update') && !columns.every((column) => key.includes(column))

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
    const { foreignKey } = meta
    return {
      field: name,
      model: meta.model,
      ...foreignKey,
      isExclusive: isExclusive(model, meta),
      clears: foreignKey.columns,
    }
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
