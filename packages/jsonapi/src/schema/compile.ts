import type { Condition } from '../condition/condition.ts'
import { parseCondition } from '../condition/parse.ts'
import type { ModelMeta, Resources } from '../model/meta.ts'
import type { PageParams, Paginator } from '../pagination/paginator.ts'
import { compileActions } from './actions.ts'
import { type CompiledFields, compileFields } from './compile-fields.ts'
import { compileConstraints } from './constraints.ts'
import { checkDeprecation, type Deprecation } from './deprecation.ts'
import { compileFilters, type TakenNames } from './filters.ts'
import { compileId } from './id.ts'
import { labelOf } from './label.ts'
import { type SchemaNotes, unknownAnnotations } from './notes.ts'
import { type Overrides, readOverrides } from './overrides.ts'
import { lookOf, previewsOf } from './previews.ts'
import { isKeptElsewhere, keeperOf } from './relation-kinds.ts'
import type { ResourceSchema, SchemaHooks } from './resource-schema.ts'
import { type AnySchema, Schema } from './schema.ts'
import { compileSearch, searchFilter, searchName } from './search.ts'
import { compileSorts } from './sorts.ts'
import { compileStatistics } from './statistics.ts'
import { checkHasVersion, declaredVersionOf, inferredVersionOf } from './version.ts'

export interface CompileOptions {
  readonly type: string
  readonly resources: Resources
  readonly maxPageSize: number
  readonly showsCan?: boolean
  readonly readOnly?: boolean
  readonly isServed: (model: string) => boolean
  readonly notes: SchemaNotes
  /** What is said of the end of a model's type. */
  readonly deprecationOf?: (model: string) => Deprecation | null
}

/**
 * In: a model and the application's schema class. Out: the frozen schema that every request of the server shares.
 * Whatever an override names and the model lacks is an Error here, at boot.
 */
export function compileSchema(model: ModelMeta, declared: AnySchema | null, options: CompileOptions): ResourceSchema {
  const schema = declared ?? (new Schema() as unknown as AnySchema)
  const overrides = readOverrides(model, options.resources, schema.fields())
  const { resources } = options
  const declaredVersion = declaredVersionOf(model, schema)
  const fields = compileFields({ model, overrides, kept: declaredVersion?.column ?? null, ...options })
  const { attributes, relations } = fields
  const paginator = schema.pagination()
  const deletedAt = softDeleteColumn(model, schema)
  const version = declaredVersion ?? inferredVersionOf(schema, { resources, attributes })
  if (schema.requiresIfMatch) checkHasVersion(model, version)
  const filters = compileFilters(schema.filters(), takenFilters(model, fields))
  const sorts = compileSorts(schema.sorts(), { model, resources, taken: takenSorts(model, fields) })
  const { provider } = resources
  const isTaken = (name: string) => [attributes, relations, filters, sorts].some((names) => names.has(name))
  const taken = { model: model.name, has: isTaken }
  const search = compileSearch(schema.search, { model, provider, attributes, taken })
  options.notes.warnings.push(...(paginator?.check?.(model) ?? []).map((warning) => `${options.type}: ${warning}`))
  options.notes.warnings.push(...unasked(options.type, relations), ...unknownAnnotations(model))
  return Object.freeze({
    type: options.type,
    model,
    id: compileId(model, resources, overrides.id),
    attributes,
    label: labelOf(model.name, schema.label, attributes),
    previews: previewsOf(model.name, schema.preview, attributes),
    relations,
    ...lookOf(model.name, schema, [...attributes.keys(), ...relations.keys()]),
    paginator: paginator && Object.freeze(paginator),
    defaultPage: defaultPage(schema, paginator),
    perPage: schema.perPage,
    maxPageSize: schema.maxPageSize ?? options.maxPageSize,
    defaultSort: schema.defaultSort,
    defaultInclude: schema.defaultInclude,
    singularFilters: singularFilters(overrides, fields),
    filters: search ? new Map([...filters, [searchName, searchFilter(search)]]) : filters,
    search,
    sorts,
    statistics: compileStatistics({ model, overrides, fields, minimumGroup: schema.minimumGroup }),
    authorizable: schema.authorizable(),
    viewAnyByView: schema.viewAnyByView ?? null,
    showsCan: schema.showsCan ?? options.showsCan ?? false,
    selfLink: schema.selfLink,
    deletedAt,
    deletedAtAttribute:
      [...attributes.values()].find((attribute) => deletedAt !== null && attribute.column?.name === deletedAt)?.name ??
      null,
    version,
    requiresIfMatch: schema.requiresIfMatch,
    deprecation: checkDeprecation('deprecated', schema.deprecated),
    operations: new Set(options.readOnly ? [] : model.operations.filter((operation) => operation !== 'read')),
    constraints: compileConstraints(schema.constraints, [...attributes.keys(), ...relations.keys()]),
    ...servedActions(compileActions(model.name, schema.actions(), options.isServed), options),
    hooks: hooksOf(schema, model, resources),
  })
}

/** Actions by GET read; the others are none of a server that is only read. */
function servedActions(
  actions: ResourceSchema['actions'],
  { readOnly = false }: CompileOptions,
): Pick<ResourceSchema, 'actions' | 'unservedActions'> {
  const unservedActions = [...actions.values()]
    .filter(({ method }) => readOnly && method !== 'GET')
    .map(({ name }) => name)
  return { actions: new Map([...actions].filter(([name]) => !unservedActions.includes(name))), unservedActions }
}

// Nobody is to find out from an incident that a policy was not asked.
const unasked = (type: string, relations: ResourceSchema['relations']): readonly string[] =>
  [...relations.values()]
    .filter(isKeptElsewhere)
    .filter(({ asksUpdate, readOnly }) => !asksUpdate && !readOnly)
    .map(
      (relation) =>
        `${type}: who writes the relation ${relation.name} changes rows of ${keeperOf(relation)} whose policy is not asked (withoutUpdatePolicy()).`,
    )

// A schema that says nothing of pagination is paginated from page 1;
// one that chooses a paginator chooses its default too.
function defaultPage(schema: AnySchema, paginator: Paginator | null): PageParams | null {
  if (paginator === null) return null
  const declared = schema.defaultPagination
  if (declared !== undefined) return typeof declared === 'function' ? declared.call(schema) : declared
  return schema.pagination === Schema.prototype.pagination ? { number: '1' } : null
}

// By the name that is served, which is not always the override's: `type` of a Note is `noteType`.
function singularFilters(overrides: Overrides, { attributes }: CompiledFields): ReadonlySet<string> {
  const singular = [...overrides.attributes.values()].filter((override) => override.isSingular)
  const served = new Map([...attributes.values()].map(({ name, column }) => [column?.name, name]))
  return new Set(singular.map(({ field, name }) => served.get(field) ?? name))
}

const filterWords: ReadonlySet<string> = new Set(['id', 'and', 'or', 'not', 'trashed'])

const takenFilters = (model: ModelMeta, { attributes, relations }: CompiledFields): TakenNames => ({
  model: model.name,
  has: (name) => filterWords.has(name) || relations.has(name) || attributes.get(name)?.isFilterable === true,
})

const takenSorts = (model: ModelMeta, { attributes, relations }: CompiledFields): TakenNames => ({
  model: model.name,
  has: (name) => name === 'id' || relations.has(name) || attributes.get(name)?.isSortable === true,
})

function softDeleteColumn(model: ModelMeta, schema: AnySchema): string | null {
  const name = schema.softDelete as string | undefined
  if (name === undefined) return null
  const column = model.columns[name]
  if (column?.type === 'DateTime' && column.isNullable) return name
  throw new Error(
    `softDelete = '${name}': ${model.name} has no nullable DateTime column of that name. Add it, or remove the line.`,
  )
}

function hooksOf(schema: AnySchema, model: ModelMeta, { models }: Resources): SchemaHooks {
  const read = (hook: 'indexQuery' | 'relatableQuery', where: unknown): Condition | null => {
    if (!where) return null
    try {
      return parseCondition(where, model, models)
    } catch (error) {
      throw new Error(`${hook} of ${model.name}: ${(error as Error).message}`, { cause: error })
    }
  }
  const { indexQuery, relatableQuery } = Schema.prototype
  return Object.freeze({
    areOwn: schema.indexQuery !== indexQuery || schema.relatableQuery !== relatableQuery,
    indexQuery: (request) => read('indexQuery', schema.indexQuery(request)),
    relatableQuery: (request) => read('relatableQuery', schema.relatableQuery(request)),
  } satisfies SchemaHooks)
}
