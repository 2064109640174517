import type { Condition } from '../condition/condition.ts'
import type { ColumnMeta, ModelMeta, SearchMeta } from '../model/meta.ts'
import type { Row } from '../model/where.ts'
import type { PageParams, Paginator } from '../pagination/paginator.ts'
import type { Action } from './actions.ts'
import type { ExplainedConstraint } from './constraints.ts'
import type { Deprecation } from './deprecation.ts'
import type { FieldOptionValues } from './field-options.ts'
import type { DeclaredFilter, HookRequest } from './filters.ts'
import type { PreviewKind } from './previews.ts'
import { type Relation, targetModels } from './relation-kinds.ts'
import type { Sort } from './sorts.ts'
import type { Statistics } from './statistics.ts'

/**
 * A type of one server, compiled from its model and the application's schema class.
 * Frozen at boot, shared by every request.
 *
 * @internal
 */
export interface ResourceSchema {
  readonly type: string
  readonly model: ModelMeta
  readonly id: IdField
  readonly attributes: ReadonlyMap<string, Attribute>
  /** The attribute that people know a resource by; null where that is its id. */
  readonly label: string | null
  /** How pages show values, by the names of attributes. */
  readonly previews: ReadonlyMap<string, PreviewKind>
  /** The columns of its table on pages; null for those that pages choose. */
  readonly columns: readonly string[] | null
  /** Its group on pages; null for none. */
  readonly group: string | null
  /** Stands before its name on pages; null for nothing. */
  readonly icon: string | null
  readonly relations: ReadonlyMap<string, Relation>
  readonly paginator: Paginator | null
  /** The page parameters used when the client sends none; null for an unpaginated answer then. */
  readonly defaultPage: PageParams | null
  readonly perPage: number
  readonly maxPageSize: number
  /** The order when the client asks for none, in the syntax of `sort`; empty for the id. */
  readonly defaultSort: string
  /** Include paths used when the client sends no `include`. */
  readonly defaultInclude: readonly string[]
  /** Attributes whose filter answers one resource or null when it is sent without `page`. */
  readonly singularFilters: ReadonlySet<string>
  /** Filters that stand for no field, by name. */
  readonly filters: ReadonlyMap<string, DeclaredFilter>
  /** What clients search by its words; null where that is nothing. */
  readonly search: SearchMeta | null
  /** Sorts that stand for no field, by name. */
  readonly sorts: ReadonlyMap<string, Sort>
  /** What clients may count, sum and group; null where the type has no statistics. */
  readonly statistics: Statistics | null
  readonly authorizable: boolean
  /** Collections list only what the caller may `view`; null: as the server says. */
  readonly viewAnyByView: boolean | null
  /** Resources say what their caller may do with them. */
  readonly showsCan: boolean
  /** False: resource objects and their relationships carry no links. */
  readonly selfLink: boolean
  /** Soft delete: the column that DELETE sets, and that hides a row once it is set. */
  readonly deletedAt: string | null
  /** The attribute that shows that column, to callers who may see deleted rows; null where no caller may. */
  readonly deletedAtAttribute: string | null
  /** What tells the states of a row apart; null where nothing does. */
  readonly version: Version | null
  /** Writes of a resource that exists have to say which version they are about. */
  readonly requiresIfMatch: boolean
  readonly operations: ReadonlySet<'create' | 'update' | 'delete'>
  /** Null where the schema class does not announce its end. */
  readonly deprecation: Deprecation | null
  /** Custom actions, by name. */
  readonly actions: ReadonlyMap<string, Action>
  /** Those of the schema class that a server which is only read does without: policies may name them. */
  readonly unservedActions: readonly string[]
  /** What clients are told of constraints of the database, by name. */
  readonly constraints: ReadonlyMap<string, ExplainedConstraint>
  readonly hooks: SchemaHooks
}

/** The column that every change of a row changes: a number that counts them, or the instant of the last. */
export interface Version {
  readonly kind: 'counter' | 'instant'
  readonly column: string
}

/** The application's overrides that need the request. */
export interface SchemaHooks {
  /** Does the schema class have one of these. */
  readonly areOwn: boolean
  /** Narrows the index only; a hidden resource can still be asked for by id. */
  indexQuery(request: HookRequest): Condition | null
  /** Narrows what is shown of a to-many relation whose target this type is. */
  relatableQuery(request: HookRequest): Condition | null
}

/** The id of a type: one or several columns of the model, always a string outside. */
export interface IdField {
  readonly columns: readonly string[]
  /** May the client choose the id of a new resource. */
  readonly clientGenerated: boolean
  /** Can ids be compared by size: one column, which is no enum, no Boolean and no bytes. */
  readonly isOrdered: boolean
  /** What a client-generated id must match. */
  readonly pattern: RegExp
  /** The columns' values that an id names, or null when no row can have it (`abc` for an Int). */
  parse(id: string): Row | null
  format(row: Row): string
  /**
   * May a client give it to a new resource: it matches the pattern,
   * and is nothing that only the database has, as `infinity`.
   */
  takes(id: string): boolean
}

export type AttributeKind =
  | 'string'
  | 'integer'
  | 'bigint'
  | 'float'
  | 'decimal'
  | 'boolean'
  | 'datetime'
  | 'date'
  | 'time'
  | 'json'
  | 'bytes'
  | 'enum'

/**
 * An attribute. A hidden one is not among a schema's attributes at all.
 *
 * @internal
 */
export interface Attribute {
  readonly name: string
  readonly kind: AttributeKind
  readonly isList: boolean
  readonly isNullable: boolean
  /** Must be sent on create when no request class says otherwise. */
  readonly isRequired: boolean
  /** Ignored in documents, never written. */
  readonly readOnly: boolean
  /** Accepted in documents, never shown: not in attributes, `fields`, `filter` or `sort`. */
  readonly writeOnly: boolean
  readonly isSortable: boolean
  /** Of a Json attribute: by the values inside of it. */
  readonly isFilterable: boolean
  /** Enum: the legal values. */
  readonly values: readonly string[] | null
  /** The column it stands for; null for a computed or virtual one. */
  readonly column: ColumnMeta | null
  /** The application has a form of its own for its values: the kind does not say what documents hold. */
  readonly isConverted: boolean
  /** Null where the schema class does not announce its end. */
  readonly deprecation: Deprecation | null
  /** Of features; left out where the schema class gives none. */
  readonly options?: FieldOptionValues
  /** The columns that must be loaded to show it. */
  readonly reads: readonly string[]
  /** From the row to the document: a JSON value. */
  serialize(row: Row): unknown
  /** From a validated document value to the column's value. */
  deserialize(value: unknown): unknown
}

/** Is the attribute a part of the id: given when the row is created, and never changed. */
export const isKeyAttribute = ({ id }: ResourceSchema, { column }: Attribute): boolean =>
  column !== null && id.columns.includes(column.name)

/** Is the relation a part of the id, by the whole of its foreign key: then it never changes. */
export const isKeyRelation = ({ id }: ResourceSchema, relation: Relation): boolean =>
  relation.kind === 'belongsTo' && relation.columns.every((column) => id.columns.includes(column))

/** Does the relation have URLs that change it. */
export const isWritable = (schema: ResourceSchema, relation: Relation): boolean =>
  schema.operations.has('update') && !relation.readOnly && !isKeyRelation(schema, relation)

/**
 * The attribute of that name, as a request sees it: the mark of soft deletion exists only for who may see deleted rows.
 * `trash` names the models whose deleted rows the request may see.
 */
export function attributeOf(schema: ResourceSchema, name: string, trash: ReadonlySet<string>): Attribute | null {
  if (name === schema.deletedAtAttribute && !trash.has(schema.model.name)) return null
  return schema.attributes.get(name) ?? null
}

/**
 * The types of one server, by type and by model. A relation whose target is not served is not offered.
 *
 * @internal
 */
export interface SchemaRegistry {
  readonly byType: ReadonlyMap<string, ResourceSchema>
  readonly byModel: ReadonlyMap<string, ResourceSchema>
}

/** The schema of a model that is known to be served. */
export function schemaOf(registry: SchemaRegistry, model: string): ResourceSchema {
  const schema = registry.byModel.get(model)
  if (!schema) throw new Error(`No type is served for the model ${model}. Add its schema to the server's list.`)
  return schema
}

/** The schemas that a relation can lead to, in the order of its models. */
export const targetSchemas = (registry: SchemaRegistry, relation: Relation): readonly ResourceSchema[] =>
  targetModels(relation).map((model) => schemaOf(registry, model))
