import type { Resources } from '../model/meta.ts'
import { isAttribute } from '../schema/attributes.ts'
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
import { indexWarnings } from './doctor-indexes.ts'

/** What `prismapi doctor --json` prints: the API that a Prisma schema becomes. */
export interface DoctorReport {
  readonly types: readonly TypeReport[]
  readonly hidden: readonly Finding[]
  readonly renamed: readonly Finding[]
  /** Models, and relations of served models, that are not offered. */
  readonly skipped: readonly Finding[]
  readonly warnings: readonly string[]
}

export interface TypeReport {
  readonly type: string
  readonly model: string
  readonly id: { readonly fields: readonly string[]; readonly clientGenerated: boolean; readonly kind: string }
  readonly operations: readonly string[]
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
  /** Of an enum. */
  readonly values?: readonly string[]
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
}

interface Compiled {
  readonly registry: SchemaRegistry
  readonly notes: SchemaNotes
}

export function reportOf({ registry, notes }: Compiled, resources: Resources): DoctorReport {
  const schemas = [...registry.byType.values()]
  return {
    types: schemas.map((schema) => typeReport(schema, registry)),
    hidden: [...hiddenModels(resources), ...notes.hidden, ...schemas.flatMap((schema) => hiddenOf(schema, notes))].map(
      findingOf,
    ),
    renamed: notes.renamed.map(findingOf),
    skipped: notes.skipped.map(findingOf),
    warnings: [...notes.warnings, ...indexWarnings(schemas, registry, resources.provider)],
  }
}

const findingOf = ({ field, ...rest }: Note): Finding => {
  const { model, ...said } = rest
  return { model, ...(field !== null && { field }), ...said }
}

function typeReport(schema: ResourceSchema, registry: SchemaRegistry): TypeReport {
  const { type, model, id, operations } = schema
  const columns = id.columns.map((name) => model.columns[name])
  return {
    type,
    model: model.name,
    id: {
      fields: id.columns,
      clientGenerated: id.clientGenerated,
      kind: columns.length === 1 && columns[0] ? kindOf(columns[0]) : 'composite',
    },
    operations: ['viewAny', 'view', ...operations],
    attributes: [...schema.attributes.values()].map((attribute) => attributeReport(attribute, schema)),
    relations: [...schema.relations.values()].map((relation) => relationReport(relation, schema, registry)),
  }
}

function attributeReport(attribute: Attribute, schema: ResourceSchema): AttributeReport {
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
    ...(values && { values }),
  }
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
