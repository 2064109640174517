import type { ModelMeta } from '../model/meta.ts'
import type { CompiledFields } from './compile-fields.ts'
import type { AttributeOverride } from './fields.ts'
import type { Overrides } from './overrides.ts'
import type { RelationOverride } from './relation-fields.ts'
import type { BelongsTo, Relation } from './relation-kinds.ts'
import type { Attribute } from './resource-schema.ts'

/** Behind the path of a type, its groups: no resource of a type with statistics is called so. */
export const statsSegment = '-stats'

/** What clients may count, sum and group of a type. Frozen. */
export interface Statistics {
  /** The attributes that figures are made of, by name. */
  readonly aggregated: ReadonlyMap<string, Attribute>
  /** What rows are grouped by, by name. */
  readonly grouped: ReadonlyMap<string, Attribute | BelongsTo>
  /** Groups of fewer rows are left out. */
  readonly minimumGroup: number
}

export const figureFunctions = ['count', 'sum', 'avg', 'min', 'max'] as const

/** `count` counts the values that are not null; of `*`, rows. */
export type FigureFunction = (typeof figureFunctions)[number]

const numbers: ReadonlySet<string> = new Set(['integer', 'bigint', 'float', 'decimal'])

const clocks: ReadonlySet<string> = new Set(['datetime', 'date', 'time'])

/** The functions that fit an attribute. */
export function functionsOf({ kind }: Attribute): readonly FigureFunction[] {
  if (numbers.has(kind)) return figureFunctions
  return clocks.has(kind) ? ['count', 'min', 'max'] : ['count']
}

/** Parts of an instant, in UTC: 2024, 2024-01, the ISO week 2024-W01, 2024-01-01. */
export const instantParts = ['year', 'month', 'week', 'day'] as const

export type InstantPart = (typeof instantParts)[number]

export interface StatisticsParts {
  readonly model: ModelMeta
  readonly overrides: Overrides
  readonly fields: CompiledFields
  readonly minimumGroup: number
}

/**
 * What a schema class declares with `aggregatable()` and `groupable()`; null where it declares nothing.
 *
 * @throws {Error} for a field that has no values to count or group by.
 */
export function compileStatistics({ model, overrides, fields, minimumGroup }: StatisticsParts): Statistics | null {
  if (!Number.isInteger(minimumGroup) || minimumGroup < 1)
    throw new Error(`minimumGroup = ${minimumGroup} of ${model.name}: it has to be an integer from 1 on.`)
  const attributes = [...overrides.attributes.values()]
  const aggregated = attributes.filter(({ isAggregatable }) => isAggregatable)
  const grouped = attributes.filter(({ isGroupable }) => isGroupable)
  const relations = [...overrides.relations.values()].filter(({ isGroupable }) => isGroupable)
  if (aggregated.length + grouped.length + relations.length === 0) return null
  return Object.freeze({
    aggregated: byName(aggregated.map((override) => aggregatedOf(override, model, fields))),
    grouped: byName([
      ...grouped.map((override) => groupedOf(override, model, fields)),
      ...relations.map((override) => groupedRelation(override, model, fields)),
    ]),
    minimumGroup,
  })
}

const byName = <T extends { readonly name: string }>(fields: readonly T[]): ReadonlyMap<string, T> =>
  new Map(fields.map((field) => [field.name, field]))

function aggregatedOf(override: AttributeOverride, model: ModelMeta, fields: CompiledFields): Attribute {
  const what = `attribute('${override.field}').aggregatable() of ${model.name}`
  return columnOf(override, fields, what)
}

const groupable: ReadonlySet<string> = new Set([
  'string',
  'integer',
  'bigint',
  'boolean',
  'enum',
  'datetime',
  'date',
  'time',
])

function groupedOf(override: AttributeOverride, model: ModelMeta, fields: CompiledFields): Attribute {
  const what = `attribute('${override.field}').groupable() of ${model.name}`
  const attribute = columnOf(override, fields, what)
  if (!groupable.has(attribute.kind))
    throw new Error(`${what}: rows are not grouped by a value of the kind ${attribute.kind}. Remove groupable().`)
  if (attribute.column?.native?.[0] === 'Timetz')
    throw new Error(`${what}: equal times of two zones are two for the database. Remove groupable(), or use @db.Time.`)
  return attribute
}

/** The attribute by its column, whatever it is called. */
function columnOf({ field }: AttributeOverride, { attributes }: CompiledFields, what: string): Attribute {
  const attribute = [...attributes.values()].find(({ column }) => column?.name === field)
  if (!attribute || attribute.isList)
    throw new Error(`${what}: it has to be a column with one value, which is shown. Remove the call.`)
  if (attribute.writeOnly) throw new Error(`${what}: clients never see the attribute. Remove the call.`)
  return attribute
}

function groupedRelation(
  { field, name }: RelationOverride,
  model: ModelMeta,
  { relations }: CompiledFields,
): BelongsTo {
  const relation: Relation | undefined = [...relations.values()].find((each) => 'field' in each && each.field === field)
  if (relation?.kind === 'belongsTo') return relation
  throw new Error(
    `relation('${field}').groupable() of ${model.name}: ${name} has to be a to-one relation whose foreign key is a column of ${model.name}, and whose target is served. Remove groupable().`,
  )
}
