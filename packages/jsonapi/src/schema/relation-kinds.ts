import type { Deprecation } from './deprecation.ts'
import type { FieldOptionValues } from './field-options.ts'

export type Relation = BelongsTo | HasOne | HasMany | ManyToMany | ManyThrough | MorphTo
export type ToOne = BelongsTo | HasOne | MorphTo
export type ToMany = HasMany | ManyToMany | ManyThrough

interface RelationBase {
  /** The name in documents and URLs. */
  readonly name: string
  readonly readOnly: boolean
  /** `mustValidate()`: its current value is part of the data that an update validates. */
  readonly mustValidate: boolean
  /** `notValidated()`: its current value is not. */
  readonly notValidated: boolean
  /** May be the path of an `include`. */
  readonly isIncludable: boolean
  /** Linkage is shown whether the relation is included or not. */
  readonly alwaysShowData: boolean
  readonly links: boolean
  /** Its own, or that of the only types that it leads to; null where no schema class announces its end. */
  readonly deprecation: Deprecation | null
  /** Of features; left out where the schema class gives none. */
  readonly options?: FieldOptionValues
}

interface TargetedRelation extends RelationBase {
  /** The relation of the Prisma model. */
  readonly field: string
  /** The model at the other end. */
  readonly model: string
}

/** To-one, the foreign key is on this side. */
export interface BelongsTo extends TargetedRelation {
  readonly kind: 'belongsTo'
  /** `alwaysVisible()`: who sees the row sees what it leads to. */
  readonly alwaysVisible: boolean
  readonly isNullable: boolean
  /** Must be sent on create. */
  readonly isRequired: boolean
  readonly columns: readonly string[]
  readonly references: readonly string[]
  /** Unique, and may be null: what it leads to is taken from the row that had it. */
  readonly isExclusive: boolean
  /** The columns that are null where it leads nowhere: not those that other relations, or the id, need as well. */
  readonly clears: readonly string[]
}

/** A relation whose link is stored in a row of another model: to make or end the link changes that row. */
interface KeptElsewhere {
  /** False: the policy of the type of that row is not asked (`withoutUpdatePolicy()`). */
  readonly asksUpdate: boolean
}

/** The foreign key is on the other side. */
interface KeptByTarget extends TargetedRelation, KeptElsewhere {
  /** Prisma's name of the target's relation that the foreign key belongs to. */
  readonly inverse: string
}

/** To-one, the foreign key is on the other side. */
export interface HasOne extends KeptByTarget {
  readonly kind: 'hasOne'
  /** As of a relation whose key is on this side. */
  readonly alwaysVisible: boolean
  readonly isNullable: true
  readonly isRequired: false
  /** The foreign key's columns, of the target. */
  readonly columns: readonly string[]
  /** The columns of this side that they point at. */
  readonly references: readonly string[]
  /** Can the target do without a parent. */
  readonly isDetachable: boolean
  /** The columns of the target that are null then. */
  readonly clears: readonly string[]
}

/** To-many, the foreign key is on the other side. */
export interface HasMany extends KeptByTarget {
  readonly kind: 'hasMany'
  readonly columns: readonly string[]
  readonly references: readonly string[]
  readonly isDetachable: boolean
  readonly clears: readonly string[]
  /** A detached row is deleted. */
  readonly deleteOnDetach: boolean
  /** False: the target's default pagination does not apply (`withoutDefaultPagination()`). */
  readonly defaultPagination: boolean
  /** Clients may ask how many there are. */
  readonly isCountable: boolean
}

/** To-many through an implicit join table. */
export interface ManyToMany extends TargetedRelation {
  readonly kind: 'manyToMany'
  /** The relation at the other end. */
  readonly inverse: string
  readonly defaultPagination: boolean
  readonly isCountable: boolean
}

/** To-many through the rows of a model of its own, whose id is the foreign keys of the two ends. */
export interface ManyThrough extends TargetedRelation, KeptElsewhere {
  readonly kind: 'manyThrough'
  readonly pivot: Pivot
  readonly defaultPagination: boolean
  readonly isCountable: boolean
}

/** The rows between the two ends, by Prisma's names. */
export interface Pivot {
  readonly model: string
  /** This side's relation to them. */
  readonly list: string
  /** Their relations to this side and to the other. */
  readonly from: PivotEnd
  readonly to: PivotEnd
  /** The other side's relation to them. */
  readonly inverse: string
  /** That relation is to one: what is linked with a resource of this side is linked with no other one. */
  readonly isExclusive: boolean
}

export interface PivotEnd {
  readonly name: string
  /** The foreign key's columns, of the pivot. */
  readonly columns: readonly string[]
  /** What they point at. */
  readonly references: readonly string[]
}

/** Polymorphic to-one. */
export interface MorphTo extends RelationBase {
  readonly kind: 'morphTo'
  readonly isNullable: boolean
  readonly isRequired: boolean
  /** Two columns (type and id), or one nullable foreign key for each target. */
  readonly form: MorphColumns | MorphKeys
}

export interface MorphColumns {
  readonly kind: 'columns'
  readonly typeColumn: string
  readonly idColumn: string
  /** Models by the value that the type column stores. */
  readonly models: ReadonlyMap<string, string>
}

export interface MorphKeys {
  readonly kind: 'keys'
  /** One relation of the Prisma model for each target, of which at most one is set. */
  readonly branches: readonly MorphBranch[]
}

export interface MorphBranch {
  readonly field: string
  readonly model: string
  readonly columns: readonly string[]
  readonly references: readonly string[]
  /** As of a relation to one type. */
  readonly isExclusive: boolean
  /** The columns that are null where it leads elsewhere: all. */
  readonly clears: readonly string[]
}

export const isToOne = (relation: Relation): relation is ToOne =>
  relation.kind === 'belongsTo' || relation.kind === 'hasOne' || relation.kind === 'morphTo'

export const isToMany = (relation: Relation): relation is ToMany => !isToOne(relation)

/** Does the target's row hold the foreign key. */
export const isKeptByTarget = (relation: Relation): relation is HasOne | HasMany =>
  relation.kind === 'hasOne' || relation.kind === 'hasMany'

/**
 * Is the link a row of another model, or a part of one, so that this model's policy alone does not say who may make it.
 */
export const isKeptElsewhere = (relation: Relation): relation is HasOne | HasMany | ManyThrough =>
  isKeptByTarget(relation) || relation.kind === 'manyThrough'

/** The model whose rows keep the links. */
export const keeperOf = (relation: HasOne | HasMany | ManyThrough): string =>
  relation.kind === 'manyThrough' ? relation.pivot.model : relation.model

/** What the target's type calls the relation by which it is led back; null where it has none. */
export const inverseOf = (
  { inverse }: HasOne | HasMany,
  { relations }: { readonly relations: ReadonlyMap<string, Relation> },
): Relation | null => [...relations.values()].find((each) => prismaFieldsOf(each).includes(inverse)) ?? null

/** The relations of the Prisma model that it stands for. */
export const prismaFieldsOf = (relation: Relation): readonly string[] => {
  if (relation.kind !== 'morphTo') return [relation.field]
  return relation.form.kind === 'keys' ? relation.form.branches.map(({ field }) => field) : []
}

/** The models that a relation can lead to. */
export function targetModels(relation: Relation): readonly string[] {
  if (relation.kind !== 'morphTo') return [relation.model]
  const { form } = relation
  return form.kind === 'columns' ? [...form.models.values()] : form.branches.map((branch) => branch.model)
}

/** The columns of this side that lead to a relation's targets. */
export function keyColumns(relation: Relation): readonly string[] {
  switch (relation.kind) {
    case 'belongsTo':
      return relation.columns
    case 'hasOne':
    case 'hasMany':
      return relation.references
    case 'manyThrough':
      return relation.pivot.from.references
    case 'manyToMany':
      return []
    case 'morphTo':
      return relation.form.kind === 'columns'
        ? [relation.form.typeColumn, relation.form.idColumn]
        : relation.form.branches.flatMap((branch) => branch.columns)
    default:
      return relation satisfies never
  }
}

export const areSameColumns = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((each) => others.includes(each))

/** The keys of this side that one row has at most, and can do without. */
export function exclusiveKeys(relation: Relation): readonly (BelongsTo | MorphBranch)[] {
  const keys = relation.kind === 'belongsTo' ? [relation] : relation.kind === 'morphTo' ? branchesOf(relation) : []
  return keys.filter(({ isExclusive }) => isExclusive)
}

const branchesOf = ({ form }: MorphTo): readonly MorphBranch[] => (form.kind === 'keys' ? form.branches : [])

/** The columns of this side that a relation is stored in; none where the foreign key is on the other side. */
export const foreignKeyColumns = (relation: Relation): readonly string[] =>
  relation.kind === 'belongsTo' || relation.kind === 'morphTo' ? keyColumns(relation) : []
