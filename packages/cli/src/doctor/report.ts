import type { Provider, Resources } from '@prismapi/jsonapi/model/meta'
import { decimalSize, isAttribute, kindOf } from '@prismapi/jsonapi/schema/attributes'
import type { Note, SchemaNotes } from '@prismapi/jsonapi/schema/notes'
import { foreignKeyColumns, isToOne, type Relation } from '@prismapi/jsonapi/schema/relation-kinds'
import {
  type Attribute,
  type AttributeKind,
  isKeyAttribute,
  isKeyRelation,
  type ResourceSchema,
  type SchemaRegistry,
  targetSchemas,
} from '@prismapi/jsonapi/schema/resource-schema'
import { indexWarnings } from './indexes.ts'

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
  /** A part of the id: sent on create, and never changed. */
  readonly fixed?: true
  /** Accepted, and never shown. */
  readonly writeOnly?: true
  /** Of an enum. */
  readonly values?: readonly string[]
  /** Of a decimal: its digits in all, and those behind the point. SQLite has those of a double. */
  readonly digits?: { readonly precision: number; readonly scale?: number }
  /**
   * Of a date and time, if the column keeps only one of them; of a text for `uuid`, `inet`, `xml`, `bit` or `varbit`.
   */
  readonly format?: string
  /** Of a text: how many characters the column holds. */
  readonly maxLength?: number
}

export interface RelationReport {
  readonly name: string
  readonly kind: 'toOne' | 'toMany' | 'morphTo'
  readonly types: readonly string[]
  readonly required: boolean
  /** Left out where a relation to one that need not be sent may be null in documents. */
  readonly nullable?: false
  readonly readOnly: boolean
  /** A part of the id: sent on create, and never changed. */
  readonly fixed?: true
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
  /** The models whose new rows a hook fills. */
  readonly filled?: ReadonlySet<string>
}

export function reportOf({ registry, notes, filled = new Set() }: Compiled, resources: Resources): DoctorReport {
  const schemas = [...registry.byType.values()]
  return {
    types: schemas.map((schema) => typeReport(schema, { registry, resources, filled })),
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
  readonly filled: ReadonlySet<string>
  readonly resources: Resources
}

function typeReport(schema: ResourceSchema, known: Known): TypeReport {
  const { registry, resources } = known
  const { type, model, id, operations } = schema
  const columns = id.columns.map((name) => model.columns[name])
  const notCreated = whyNotCreated(schema, known.filled)
  return {
    type,
    model: model.name,
    id: {
      fields: id.columns,
      clientGenerated: id.clientGenerated,
      kind: columns.length === 1 && columns[0] ? kindOf(columns[0]) : 'composite',
      ...(columns.length === 1 && columns[0]?.isEnum && { values: resources.enums[columns[0].type]?.values ?? [] }),
    },
    operations: ['viewAny', 'view', ...operations].filter((each) => each !== 'create' || notCreated === null),
    ...(notCreated !== null && { notCreated }),
    attributes: [...schema.attributes.values()].map((attribute) => attributeReport(attribute, schema, resources)),
    relations: [...schema.relations.values()].map((relation) => relationReport(relation, schema, registry)),
  }
}

/**
 * The columns that rows need and that no client can fill. If a schema class adds an attribute, a hook fills them from
 * it.
 */
function unfilled({ id, model, attributes, relations }: ResourceSchema): readonly string[] {
  if ([...attributes.values()].some(({ readOnly, column }) => !readOnly && !column)) return []
  const written = [...attributes.values()].flatMap(({ readOnly, column }) => (readOnly || !column ? [] : [column.name]))
  const linked = [...relations.values()].flatMap((relation) => (relation.readOnly ? [] : foreignKeyColumns(relation)))
  const given = new Set([...written, ...linked, ...(id.clientGenerated ? id.columns : [])])
  return Object.values(model.columns)
    .filter((each) => !each.isNullable && !each.isList && !each.isUpdatedAt && each.default === null)
    .flatMap(({ name }) => (given.has(name) ? [] : [name]))
}

function whyNotCreated(schema: ResourceSchema, filled: ReadonlySet<string>): string | null {
  const { operations } = schema.model
  if (!operations.includes('update')) return 'It is a view, whose rows are made elsewhere.'
  if (!operations.includes('create')) return 'A required column is unknown to Prisma Client: see the warnings.'
  const missing = filled.has(schema.model.name) ? [] : unfilled(schema)
  if (missing.length === 0) return null
  return `Clients cannot send ${missing.join(' and ')}, which ${missing.length === 1 ? 'is' : 'are'} required: only a creating hook can.`
}

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
    ...(!readOnly && isKeyAttribute(schema, attribute) && { fixed: true as const }),
    ...(attribute.writeOnly && { writeOnly: true as const }),
    ...(values && { values }),
    ...partsOfColumn(attribute, provider),
  }
}

function partsOfColumn({ kind, column, isConverted }: Attribute, provider: Provider) {
  if (!column || isConverted) return {}
  const [native = '', size] = column.native ?? []
  if (kind === 'string')
    return {
      ...(textFormats.has(native) && { format: native.toLowerCase() }),
      ...(Number(size) > 0 && { maxLength: Number(size) }),
    }
  if (kind === 'decimal') return { digits: decimalSize(column, provider) ?? { precision: 15 } }
  return {}
}

const textFormats: ReadonlySet<string> = new Set(['Uuid', 'Inet', 'Xml', 'Bit', 'VarBit'])

function relationReport(relation: Relation, schema: ResourceSchema, registry: SchemaRegistry): RelationReport {
  const readOnly = relation.readOnly || !isWritable(schema)
  const required = isToOne(relation) && relation.isRequired && !readOnly && schema.operations.has('create')
  const isNeverNull = isToOne(relation) && !relation.isNullable
  return {
    name: relation.name,
    kind: relation.kind === 'morphTo' ? 'morphTo' : isToOne(relation) ? 'toOne' : 'toMany',
    types: targetSchemas(registry, relation).map(({ type }) => type),
    required,
    ...(isNeverNull && !required && { nullable: false as const }),
    readOnly,
    ...(!readOnly && isKeyRelation(schema, relation) && { fixed: true as const }),
  }
}

const isWritable = ({ operations }: ResourceSchema): boolean => operations.has('create') || operations.has('update')

const hiddenModels = ({ models }: Resources): readonly Note[] =>
  Object.values(models)
    .filter(({ isHidden }) => isHidden)
    .map(({ name }) => ({ model: name, field: null, reason: 'it is annotated with @hidden.' }))

/** What is hidden because the application says so, in the Prisma schema or in a schema class. */
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

/** What the classes of a server make of the inferred API: one line for each model that is served otherwise. */
export function changesOf(inferred: DoctorReport, served: DoctorReport): readonly string[] {
  const types = new Map(served.types.map((type) => [type.model, type]))
  return inferred.types.flatMap((before) => {
    const after = types.get(before.model)
    const changes = after ? typeChanges(before, after) : ['is not served']
    return changes.length > 0 ? [`${before.model}: ${changes.join('; ')}`] : []
  })
}

function typeChanges(before: TypeReport, after: TypeReport): readonly string[] {
  const [old, now] = [fieldsOf(before), fieldsOf(after)]
  const gone = [...old.keys()].filter((name) => !now.has(name))
  const added = [...now.keys()].filter((name) => !old.has(name))
  const other = [...now].filter(([name, field]) => old.has(name) && old.get(name) !== field).map(([name]) => name)
  return [
    ...(before.type === after.type ? [] : [`is served as ${after.type}`]),
    ...(gone.length > 0 ? [`drops ${gone.join(', ')}`] : []),
    ...(added.length > 0 ? [`adds ${added.join(', ')}`] : []),
    ...(other.length > 0 ? [`changes ${other.join(', ')}`] : []),
  ]
}

/** Each field, and the id, as text that can be compared. */
const fieldsOf = ({ id, attributes, relations }: TypeReport): ReadonlyMap<string, string> =>
  new Map([{ name: 'id', ...id }, ...attributes, ...relations].map((field) => [field.name, JSON.stringify(field)]))
