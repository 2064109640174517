import type { ModelMeta, Resources } from '../model/meta.ts'
import type { PageParams, Paginator } from '../pagination/paginator.ts'
import { compileActions } from './actions.ts'
import { columnAttribute, hiddenByName, isAttribute, isHidden, ownAttribute } from './attributes.ts'
import { type AttributeOverride, type Field, IdOverride, MorphToOverride, RelationOverride } from './fields.ts'
import { compileId } from './id.ts'
import { fieldName } from './naming.ts'
import { compileMorphTo, compileRelation } from './relations.ts'
import type { Attribute, Relation, ResourceSchema, SchemaHooks } from './resource-schema.ts'
import { type AnySchema, Schema } from './schema.ts'

/** What inference decided without being asked, for the boot log and `doctor`. */
export interface SchemaNotes {
  /** `Post.passwordHash`: hidden because of their names. */
  readonly hidden: string[]
  /** `Note.type is served as noteType`. */
  readonly renamed: string[]
  readonly warnings: string[]
}

interface Compilation {
  readonly model: ModelMeta
  readonly resources: Resources
  readonly overrides: Overrides
  readonly notes: SchemaNotes
  /** Models that the server serves: a relation to any other is not offered. */
  readonly isServed: (model: string) => boolean
}

interface Overrides {
  readonly id: IdOverride | null
  readonly attributes: ReadonlyMap<string, AttributeOverride>
  readonly relations: ReadonlyMap<string, RelationOverride>
  readonly morphs: readonly MorphToOverride[]
}

export interface CompileOptions {
  readonly type: string
  readonly resources: Resources
  readonly maxPageSize: number
  readonly isServed: (model: string) => boolean
  readonly notes: SchemaNotes
}

/**
 * In: a model and the application's schema class. Out: the frozen schema that every request of the server shares.
 * Whatever an override names and the model lacks is an Error here, at boot.
 */
export function compileSchema(model: ModelMeta, declared: AnySchema | null, options: CompileOptions): ResourceSchema {
  const schema = declared ?? (new Schema() as unknown as AnySchema)
  const overrides = readOverrides(model, schema.fields())
  const compilation: Compilation = { model, overrides, ...options }
  const relations = compileRelations(compilation)
  const attributes = compileAttributes(compilation, relations)
  const paginator = schema.pagination()
  const deletedAt = softDeleteColumn(model, schema)
  options.notes.warnings.push(...(paginator?.check?.(model) ?? []).map((warning) => `${options.type}: ${warning}`))
  return Object.freeze({
    type: options.type,
    model,
    id: compileId(model, options.resources, overrides.id),
    attributes,
    relations,
    paginator: paginator && Object.freeze(paginator),
    defaultPage: defaultPage(schema, paginator),
    perPage: schema.perPage,
    maxPageSize: schema.maxPageSize ?? options.maxPageSize,
    defaultSort: schema.defaultSort,
    defaultInclude: schema.defaultInclude,
    singularFilters: singularFilters(overrides),
    authorizable: schema.authorizable(),
    viewAnyByView: schema.viewAnyByView ?? null,
    selfLink: schema.selfLink,
    deletedAt,
    trashMark:
      [...attributes.values()].find((attribute) => deletedAt !== null && attribute.column?.name === deletedAt)?.name ??
      null,
    operations: new Set(model.operations.filter((operation) => operation !== 'read')),
    actions: compileActions(model.name, schema.actions(), options.isServed),
    hooks: hooksOf(schema),
  })
}

function readOverrides(model: ModelMeta, fields: readonly Field[]): Overrides {
  const attributes = new Map<string, AttributeOverride>()
  const relations = new Map<string, RelationOverride>()
  const morphs: MorphToOverride[] = []
  let id: IdOverride | null = null
  for (const field of fields) {
    if (field instanceof IdOverride) id = field
    else if (field instanceof MorphToOverride) morphs.push(field)
    else if (field instanceof RelationOverride) relations.set(knownRelation(model, field.field), field)
    else attributes.set(knownAttribute(model, field), field)
  }
  return { id, attributes, relations, morphs }
}

function knownRelation(model: ModelMeta, name: string): string {
  if (model.relations[name]) return name
  throw new Error(
    `relation('${name}'): the model ${model.name} has no such relation. It has: ${Object.keys(model.relations).join(', ') || 'none'}.`,
  )
}

function knownAttribute(model: ModelMeta, field: AttributeOverride): string {
  const isOwn = field.source !== null || field.isVirtual
  const columns = isOwn ? (field.source?.columns ?? []) : [field.field]
  for (const column of columns) {
    if (model.columns[column]) continue
    throw new Error(
      `attribute('${field.field}'): the model ${model.name} has no column ${column}. It has: ${Object.keys(model.columns).join(', ')}. An attribute of its own is computed(…) or virtual().`,
    )
  }
  if (isOwn && model.columns[field.field]) {
    throw new Error(
      `attribute('${field.field}'): ${model.name} has a column of that name. Give the computed or virtual attribute another name.`,
    )
  }
  return field.field
}

function compileRelations({
  model,
  resources,
  overrides,
  notes,
  isServed,
}: Compilation): ReadonlyMap<string, Relation> {
  const relations = new Map<string, Relation>()
  const parts = new Set(overrides.morphs.flatMap((morph) => morph.relations))
  const names = new Set([...Object.keys(model.columns), ...Object.keys(model.relations)])
  for (const meta of Object.values(model.relations)) {
    const override = overrides.relations.get(meta.name) ?? null
    if (parts.has(meta.name) || !isServed(meta.model) || (override?.isHidden ?? meta.hidden)) continue
    const name =
      override && override.name !== meta.name
        ? override.name
        : fieldName(model.name, meta.name, (taken) => names.has(taken))
    const relation = compileRelation(name, meta, model, resources, override)
    if (!relation)
      notes.warnings.push(
        `${model.name}.${meta.name} is not served: the other end of the relation is ignored. Remove its @ignore.`,
      )
    else relations.set(name, relation)
    if (name !== (override?.name ?? meta.name)) notes.renamed.push(`${model.name}.${meta.name} is served as ${name}`)
  }
  for (const morph of overrides.morphs) relations.set(morph.name, compileMorphTo(model, morph, isServed))
  return relations
}

function compileAttributes(
  compilation: Compilation,
  relations: ReadonlyMap<string, Relation>,
): ReadonlyMap<string, Attribute> {
  const { model, resources, overrides, notes } = compilation
  const attributes = new Map<string, Attribute>()
  const morphColumns = new Set(overrides.morphs.flatMap(({ columns }) => (columns ? [columns.type, columns.id] : [])))
  const isTaken = (name: string) => Boolean(model.columns[name]) || relations.has(name) || attributes.has(name)
  for (const column of Object.values(model.columns)) {
    const override = overrides.attributes.get(column.name) ?? null
    if (morphColumns.has(column.name) || (!isAttribute(model, column) && !override)) continue
    if (override?.isHidden ?? isHidden(column)) {
      if (override?.isHidden === undefined && hiddenByName(column) && !column.hidden)
        notes.hidden.push(`${model.name}.${column.name}`)
      continue
    }
    const isRenamed = override !== null && override.name !== column.name
    const name = isRenamed ? override.name : fieldName(model.name, column.name, isTaken)
    if (!isRenamed && name !== column.name) notes.renamed.push(`${model.name}.${column.name} is served as ${name}`)
    if (relations.has(name) || attributes.has(name))
      throw new Error(`${model.name}: two fields are called ${name}. Give one of them another name.`)
    attributes.set(name, columnAttribute(name, column, { resources, override }))
  }
  for (const override of overrides.attributes.values()) {
    if (!model.columns[override.field]) attributes.set(override.name, ownAttribute(override.name, override))
  }
  return attributes
}

// A schema that says nothing of pagination is paginated from page 1; one that chooses a paginator chooses its default too.
function defaultPage(schema: AnySchema, paginator: Paginator | null): PageParams | null {
  if (paginator === null) return null
  const declared = schema.defaultPagination
  if (declared !== undefined) return typeof declared === 'function' ? declared.call(schema) : declared
  return schema.pagination === Schema.prototype.pagination ? { number: '1' } : null
}

const singularFilters = (overrides: Overrides): ReadonlySet<string> =>
  new Set([...overrides.attributes.values()].filter((override) => override.isSingular).map((override) => override.name))

function softDeleteColumn(model: ModelMeta, schema: AnySchema): string | null {
  const name = schema.softDelete as string | undefined
  if (name === undefined) return null
  const column = model.columns[name]
  if (column?.type === 'DateTime' && column.isNullable) return name
  throw new Error(
    `softDelete = '${name}': ${model.name} has no nullable DateTime column of that name. Add it, or remove the line.`,
  )
}

function hooksOf(schema: AnySchema): SchemaHooks {
  return Object.freeze({
    indexQuery: (request) => schema.indexQuery(request),
    relatableQuery: (request) => schema.relatableQuery(request),
  } satisfies SchemaHooks)
}
