import type { Provider, Resources } from '../model/meta.ts'
import { isAttribute } from '../schema/attributes.ts'
import { decimalSize } from '../schema/capacity.ts'
import type { Note, SchemaNotes } from '../schema/notes.ts'
import { isToOne, type Relation } from '../schema/relation-kinds.ts'
import {
  type Attribute,
  type AttributeKind,
  isKeyAttribute,
  type ResourceSchema,
  type SchemaRegistry,
  targetSchemas,
} from '../schema/resource-schema.ts'
import { kindOf } from '../schema/values.ts'
import { ownColumns } from '../validation/rules/columns.ts'
import { indexWarnings } from './doctor-indexes.ts'

/** What `prismapi doctor --json` prints: the API that a Prisma schema becomes. */
export interface DoctorReport {
  readonly types: readonly TypeReport[]
  readonly hidden: readonly Finding[]
  /** Fields that are accepted and never shown, because their names say that they hold secrets. */
  readonly secrets: readonly Finding[]
  readonly renamed: readonly Finding[]
  /** Models, and relations of served models, that are not offered. */
  readonly skipped: readonly Finding[]
  readonly warnings: readonly string[]
}

export interface TypeReport {
  readonly type: string
  readonly model: string
  readonly id: {
    readonly fields: readonly string[]
    readonly clientGenerated: boolean
    readonly kind: string
    /** Of an enum. */
    readonly values?: readonly string[]
  }
  readonly operations: readonly string[]
  /** Why the type cannot be created, where it cannot. */
  readonly notCreated?: string
  readonly attributes: readonly AttributeReport[]
  readonly relations: readonly RelationReport[]
}

interface AttributeReport {
  readonly name: string
  readonly kind: AttributeKind
  readonly list: boolean
  readonly nullable: boolean
  /** Must be sent on create. */
  readonly required: boolean
  readonly readOnly: boolean
  /** Accepted, and never shown. */
  readonly writeOnly?: true
  /** Of an enum. */
  readonly values?: readonly string[]
  /** Of a decimal: its digits in all, and those behind the point. SQLite has those of a double. */
  readonly digits?: { readonly precision: number; readonly scale?: number }
  /** Of a date and time, where the column keeps only one of them. */
  readonly format?: 'date' | 'time'
}

export interface RelationReport {
  readonly name: string
  readonly kind: 'toOne' | 'toMany' | 'morphTo'
  readonly types: readonly string[]
  readonly required: boolean
  readonly readOnly: boolean
}

/** A model, one of its fields where it is about one, and why. */
export interface Finding {
  readonly model: string
  readonly field?: string
  /** The name that is served instead. */
  readonly name?: string
  readonly reason: string
  /** The Prisma schema says so (`@ignore`): nothing is wrong. */
  readonly isIgnored?: true
}

interface Compiled {
  readonly registry: SchemaRegistry
  readonly notes: SchemaNotes
}

export function reportOf({ registry, notes }: Compiled, resources: Resources): DoctorReport {
  const schemas = [...registry.byType.values()]
  return {
    types: schemas.map((schema) => typeReport(schema, { registry, resources })),
    hidden: [...hiddenModels(resources), ...notes.hidden, ...schemas.flatMap((schema) => hiddenOf(schema, notes))].map(
      findingOf,
    ),
    secrets: notes.secrets.map(findingOf),
    renamed: notes.renamed.map(findingOf),
    skipped: notes.skipped.map(findingOf),
    warnings: [...notes.warnings, ...indexWarnings(schemas, registry, resources.provider)],
  }
}

const findingOf = ({ field, ...rest }: Note): Finding => {
  const { model, ...said } = rest
  return { model, ...(field !== null && { field }), ...said }
}

interface Known {
  readonly registry: SchemaRegistry
  readonly resources: Resources
}

function typeReport(schema: ResourceSchema, known: Known): TypeReport {
  const { registry, resources } = known
  const { type, model, id, operations } = schema
  const columns = id.columns.map((name) => model.columns[name])
  const missing = operations.has('create') ? unfilled(schema) : []
  return {
    type,
    model: model.name,
    id: {
      fields: id.columns,
      clientGenerated: id.clientGenerated,
      kind: columns.length === 1 && columns[0] ? kindOf(columns[0]) : 'composite',
      ...(columns.length === 1 && columns[0]?.isEnum && { values: resources.enums[columns[0].type]?.values ?? [] }),
    },
    operations: ['viewAny', 'view', ...operations].filter((each) => each !== 'create' || missing.length === 0),
    ...(missing.length > 0 && { notCreated: whyNotCreated(missing) }),
    attributes: [...schema.attributes.values()].map((attribute) => attributeReport(attribute, schema, resources)),
    relations: [...schema.relations.values()].map((relation) => relationReport(relation, schema, registry)),
  }
}

/** The columns that rows need and that no client can fill. Where a schema class adds an attribute to be written, a hook fills them from it. */
function unfilled({ id, model, attributes, relations }: ResourceSchema): readonly string[] {
  if ([...attributes.values()].some(({ readOnly, column }) => !readOnly && !column)) return []
  const written = [...attributes.values()].flatMap(({ readOnly, column }) => (readOnly || !column ? [] : [column.name]))
  const linked = [...relations.values()].flatMap((relation) => (relation.readOnly ? [] : ownColumns(relation)))
  const given = new Set([...written, ...linked, ...(id.clientGenerated ? id.columns : [])])
  return Object.values(model.columns)
    .filter((each) => !each.isNullable && !each.isList && !each.isUpdatedAt && each.default === null)
    .flatMap(({ name }) => (given.has(name) ? [] : [name]))
}

const whyNotCreated = (columns: readonly string[]): string =>
  `Clients cannot send ${columns.join(' and ')}, which ${columns.length === 1 ? 'is' : 'are'} required: only a creating hook can.`

function attributeReport(attribute: Attribute, schema: ResourceSchema, { provider }: Resources): AttributeReport {
  const { name, kind, isList, isNullable, isRequired, values } = attribute
  // What the id says is said there.
  const isInId = schema.id.clientGenerated && isKeyAttribute(schema, attribute)
  const readOnly = attribute.readOnly || isInId || !isWritable(schema)
  return {
    name,
    kind,
    list: isList,
    nullable: isNullable,
    required: isRequired && !readOnly && schema.operations.has('create'),
    readOnly,
    ...(attribute.writeOnly && { writeOnly: true as const }),
    ...(values && { values }),
    ...partsOfColumn(attribute, provider),
  }
}

function partsOfColumn({ kind, column, isConverted }: Attribute, provider: Provider) {
  if (!column || isConverted) return {}
  const native = column.native?.[0] ?? ''
  if (kind === 'decimal') return { digits: decimalSize(column, provider) ?? { precision: 15 } }
  if (kind !== 'datetime') return {}
  if (native === 'Date') return { format: 'date' as const }
  return /^Time(tz)?$/.test(native) ? { format: 'time' as const } : {}
}

function relationReport(relation: Relation, schema: ResourceSchema, registry: SchemaRegistry): RelationReport {
  const readOnly = relation.readOnly || !isWritable(schema)
  const isRequired = isToOne(relation) && relation.isRequired
  return {
    name: relation.name,
    kind: relation.kind === 'morphTo' ? 'morphTo' : isToOne(relation) ? 'toOne' : 'toMany',
    types: targetSchemas(registry, relation).map(({ type }) => type),
    required: isRequired && !readOnly && schema.operations.has('create'),
    readOnly,
  }
}

const isWritable = ({ operations }: ResourceSchema): boolean => operations.has('create') || operations.has('update')

const hiddenModels = ({ models }: Resources): readonly Note[] =>
  Object.values(models)
    .filter(({ isHidden }) => isHidden)
    .map(({ name }) => ({ model: name, field: null, reason: 'it is annotated with @hidden.' }))

/** What is hidden because somebody said so, in the Prisma schema or in a schema class. */
function hiddenOf({ model, attributes, relations }: ResourceSchema, notes: SchemaNotes): readonly Note[] {
  const noted = new Set(
    [...notes.hidden, ...notes.skipped].filter((note) => note.model === model.name).map((note) => note.field),
  )
  const shown = new Set([...[...attributes.values()].map(({ column }) => column?.name), ...partsOf(relations.values())])
  return [
    ...Object.values(model.columns).filter((column) => isAttribute(model, column)),
    ...Object.values(model.relations).filter(({ hidden }) => hidden),
  ]
    .filter(({ name }) => !noted.has(name) && !shown.has(name))
    .map(({ name, hidden }) => ({
      model: model.name,
      field: name,
      reason: hidden ? 'it is annotated with @hidden.' : 'the schema class hides it.',
    }))
}

/** The relations and columns of the model that relations stand for. */
function partsOf(relations: Iterable<Relation>): readonly string[] {
  return [...relations].flatMap((relation) => {
    if (relation.kind !== 'morphTo') return [relation.field]
    const { form } = relation
    return form.kind === 'columns' ? [form.typeColumn, form.idColumn] : form.branches.map(({ field }) => field)
  })
}
