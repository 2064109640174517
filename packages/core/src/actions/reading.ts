import { everything, isEverything, nothing } from '@prismapi/jsonapi/condition/build'
import type { Condition } from '@prismapi/jsonapi/condition/condition'
import { comparedColumns, judge } from '@prismapi/jsonapi/condition/memory'
import type { FieldAccess } from '@prismapi/jsonapi/condition/scopes'
import type { Awaitable } from '@prismapi/jsonapi/model/awaitable'
import { memo } from '@prismapi/jsonapi/model/memo'
import type { Row } from '@prismapi/jsonapi/model/where'
import { checkQuery, type QuerySubject } from '@prismapi/jsonapi/query/check-query'
import type { Query } from '@prismapi/jsonapi/query/query'
import { requestedAt, withParts } from '@prismapi/jsonapi/request/hook-context'
import { asStage } from '@prismapi/jsonapi/request/observer'
import type { Operation, RelationOperation, ResourceOperation } from '@prismapi/jsonapi/request/operation'
import { isToMany, type Relation } from '@prismapi/jsonapi/schema/relation-kinds'
import { type ResourceSchema, schemaOf, targetSchemas } from '@prismapi/jsonapi/schema/resource-schema'
import { isAllowed } from '../auth/authorize.ts'
import { isDecidedByRequest, leavesToPolicy, resolveAuthorizer } from '../auth/authorizer.ts'
import { isAboveCeiling } from '../auth/caller.ts'
import { policyMethod } from '../auth/policy.ts'
import { checkPrice } from '../price/check-price.ts'
import { priceOfShown } from '../price/price.ts'
import { readNamedRows } from '../read/find.ts'
import { loadRelated } from '../read/loading/load.ts'
import { allColumns, idWhere, planRow, shownColumns, withColumns } from '../read/plan.ts'
import { noField, type Resource, toResource } from '../read/resource.ts'
import { relationshipUrl, resourceUrl } from '../serialize/links.ts'
import { makeReadRequest } from '../validation/request/make-request.ts'
import { actionParameters, actionQueryErrors, checkQueryRules } from '../validation/run/query-rules.ts'
import type { ShownOfWritten } from '../write/single-statement.ts'
import { toldVersion, withVersion } from '../write/write-row.ts'
import { onThread, type RequestContext } from './context.ts'

// What recipes have in common: the query of a request, what it shows beside the rows, and the answer to a write.

/** The query of a request, checked as `queryOf` does, without its price. */
export const unpricedQueryOf = asStage('query', checkedQuery)

/**
 * The query of a request, checked against the types that the operation answers with and the application's query class.
 * A query about one resource is priced here; the price of a collection depends on which collection it is.
 */
export async function queryOf(ctx: RequestContext, op: Operation): Promise<Query> {
  const query = unpricedQueryOf(ctx, op)
  const { schemas, isCollection, isRelationship } = subjectOf(ctx, op)
  if (isCollection || (query.include.size === 0 && query.counts.size === 0)) return query
  await checkPrice(ctx, { query, schemas: isRelationship ? [op.schema] : schemas, plan: null, parents: 1 })
  return query
}

function checkedQuery(ctx: RequestContext, op: Operation): Query {
  const rules = checkQueryRules(ctx, op)
  const subject = subjectOf(ctx, op)
  if (op.kind !== 'action' || Object.keys(op.action.query).length === 0)
    return checkQuery(ctx, subject, rules ? { rules } : {})
  return checkQuery(ctx, subject, {
    allow: actionParameters(op.action),
    rules: (raw) => [...(rules?.(raw) ?? []), ...actionQueryErrors(ctx, op, raw)],
  })
}

function subjectOf(ctx: RequestContext, op: Operation): QuerySubject {
  if (op.kind === 'action') return subjectsOf(schemaOf(ctx.server.schemas, op.action.answers)).single
  if (!('relation' in op)) return op.kind === 'viewAny' ? subjectsOf(op.schema).many : subjectsOf(op.schema).single
  const isRead = op.kind === 'viewRelated' || op.kind === 'viewRelationship'
  return {
    schemas: targetSchemas(ctx.server.schemas, op.relation),
    isCollection: isRead && isToMany(op.relation),
    relation: op.relation,
    isRelationship: op.kind !== 'viewRelated',
  }
}

const subjectsOf = memo((schema: ResourceSchema): { readonly single: QuerySubject; readonly many: QuerySubject } => {
  const single = { schemas: [schema], isCollection: false, relation: null, isRelationship: false }
  return { single, many: { ...single, isCollection: true } }
})

/** Loads what a document shows beside the rows: their relations and, if `meta.can` is on, what the caller may do. */
export async function loadShown(ctx: RequestContext, resources: readonly Resource[], query: Query): Promise<void> {
  await loadAside(ctx, resources, query)
  await ctx.server.permissions?.attach(ctx, resources, query.include)
}

/** Loads the relations that a query includes, beside the event loop where there are many. */
export function loadAside(ctx: RequestContext, resources: readonly Resource[], query: Query): Awaitable<unknown> {
  if (ctx.store.threads === null || (query.include.size === 0 && query.counts.size === 0))
    return loadRelated(ctx, resources, query)
  const schemas = [...new Set(resources.map(({ schema }) => schema))]
  const price = priceOfShown(ctx, schemas, { query, parents: resources.length })
  return onThread<unknown>(ctx, price, (within) => loadRelated(within, resources, query))
}

// Permission to write is not permission to view: the answer to a write shows no more than a GET would.

/** The rows that the caller may act on, or `code` where a policy's method, an authorizer or a request class decides. */
type Allowed = Condition | 'code'

export function rowsAllowed(ctx: RequestContext, schema: ResourceSchema, action: 'view' | 'update'): Allowed {
  const { server } = ctx
  const { name } = schema.model
  if (isAboveCeiling(ctx.user, schema, action)) return nothing
  if (isDecidedByRequest(server, name)) return 'code'
  if (!server.authorizable || !schema.authorizable) return everything
  const Authorizer = resolveAuthorizer(ctx, schema)
  if (Authorizer && !leavesToPolicy(Authorizer, action)) return 'code'
  const policy = server.policies.get(name)
  if (!policy) return nothing
  return policyMethod(policy, action) ? 'code' : ctx.abilityOf(name).conditionFor(action)
}

/** Does code of the application decide who views the type: it may throw, and then nothing is written. */
const isViewedByCode = (ctx: RequestContext, schema: ResourceSchema): boolean =>
  rowsAllowed(ctx, schema, 'view') === 'code'

/** May the caller view every row of the type. */
export function viewsAll(ctx: RequestContext, schema: ResourceSchema): boolean {
  const viewed = rowsAllowed(ctx, schema, 'view')
  return viewed !== 'code' && isEverything(viewed)
}

/** The columns, with those by which it is told without the database who may view a row. */
export function withViewColumns(
  ctx: RequestContext,
  schema: ResourceSchema,
  columns: readonly string[],
): readonly string[] {
  const viewed = rowsAllowed(ctx, schema, 'view')
  return viewed === 'code' ? allColumns(schema) : withColumns(columns, comparedColumns(viewed))
}

/**
 * Marks the resources of one type that were read for the answer to a write and that the caller may not view: the
 * document shows only their type and id. What memory cannot judge costs one query for all of them.
 */
export function concealUnviewed(
  ctx: RequestContext,
  schema: ResourceSchema,
  resources: readonly Resource[],
): Awaitable<unknown> {
  const viewed = rowsAllowed(ctx, schema, 'view')
  if (viewed === 'code') return concealByCode(ctx, schema, resources)
  const { provider } = ctx.server.resources
  const asked: Resource[] = []
  for (const resource of resources) {
    const verdict = judge(viewed, { row: resource.row, provider })
    if (verdict === 'ask') asked.push(resource)
    else if (verdict !== true) resource.hidden = noField
  }
  return asked.length === 0 ? undefined : concealByAsking(ctx, schema, asked, viewed)
}

async function concealByAsking(
  ctx: RequestContext,
  schema: ResourceSchema,
  resources: readonly Resource[],
  where: Condition,
): Promise<void> {
  const keys = resources.map(({ row }) => row)
  const rows = await readNamedRows(ctx.rows.unscoped, schema, { keys, columns: schema.id.columns, where })
  const viewed = new Set(rows.map((row) => schema.id.format(row)))
  for (const resource of resources) if (!viewed.has(resource.id)) resource.hidden = noField
}

async function concealByCode(
  ctx: RequestContext,
  schema: ResourceSchema,
  resources: readonly Resource[],
): Promise<void> {
  for (const resource of resources)
    if (!(await mayGet(ctx, { kind: 'view', schema, id: resource.id }, resource.row))) resource.hidden = noField
}

/** Would GET of this URL be answered. */
export function mayGet(ctx: RequestContext, operation: ReadingOfRow, row: Row): Awaitable<boolean> {
  const { schema, id } = operation
  const self = resourceUrl(ctx, { schema, id })
  const url = operation.kind === 'viewRelationship' ? relationshipUrl(self, operation.relation) : self
  // Authorizers read the method, the URL and the document.
  const reading = withParts(ctx, { method: 'GET', at: requestedAt(new URL(url)), body: undefined })
  return isAllowed(reading, operation, { request: makeReadRequest(reading, operation, row), row, value: null })
}

type ReadingOfRow = (ResourceOperation & { kind: 'view' }) | (RelationOperation & { kind: 'viewRelationship' })

/** May the caller view a row that has all of its columns. */
async function mayView(ctx: RequestContext, schema: ResourceSchema, row: Row): Promise<boolean> {
  if (viewsAll(ctx, schema)) return true
  const resource = toResource(schema, row)
  await concealUnviewed(ctx, schema, [resource])
  return !isUnviewed(resource)
}

/** What a URL names that is about to be changed: a resource, or one of its relationships. */
export interface ToChange {
  readonly schema: ResourceSchema
  readonly relation?: Relation
}

/** May the caller read what it is about to change. */
export const mayRead = (ctx: RequestContext, { schema, relation }: ToChange, row: Row): Awaitable<boolean> =>
  relation
    ? mayGet(ctx, { kind: 'viewRelationship', schema, id: schema.id.format(row), relation }, row)
    : mayView(ctx, schema, row)

/**
 * If the caller may not view the row that is about to be changed, the context of a caller who sees none of its fields.
 * So comparisons and validation reveal nothing of the row.
 */
export async function asViewerOf(ctx: RequestContext, schema: ResourceSchema, row: Row): Promise<RequestContext> {
  if (await mayView(ctx, schema, row)) return ctx
  const { name } = schema.model
  return withParts(ctx, { seen: (model) => (model === name ? unseen(schema) : ctx.seen(model)) })
}

/** Of a row that may not be viewed. */
const unseen = memo(({ attributes, relations, model }: ResourceSchema): FieldAccess => {
  const hide = (names: Iterable<string>) => new Map([...names].map((name) => [name, nothing]))
  return Object.freeze({
    fields: hide([...attributes.keys(), ...relations.keys()]),
    stored: hide([...Object.keys(model.columns), ...Object.keys(model.relations)]),
    ruledBy: () => [],
  })
})

/** Is nothing of the resource shown but type and id. */
export const isUnviewed = ({ hidden }: Resource): boolean => hidden === noField

interface WrittenResource {
  readonly key: Row
  readonly query: Query
  /** What the statement that wrote the row told of it; null where it has to be read. */
  readonly shown: Row | null
  /** False: shown even where a scope hides it. */
  readonly isScoped: boolean
}

/** What the answer to a write shows. */
export const shownOfWritten = (ctx: RequestContext, schema: ResourceSchema, query: Query): ShownOfWritten => ({
  columns: columnsOfWritten(ctx, schema, query),
  mayFail: reasonToFail(ctx, schema, query),
})

const columnsOfWritten = (ctx: RequestContext, schema: ResourceSchema, { fields }: Query): readonly string[] =>
  withViewColumns(ctx, schema, withVersion(schema, shownColumns(schema, fields)))

function reasonToFail(ctx: RequestContext, schema: ResourceSchema, query: Query): string | null {
  if (query.include.size > 0 || query.counts.size > 0 || namesMembers(schema, query))
    return 'the answer shows other rows'
  return isViewedByCode(ctx, schema) ? 'code decides who may view the row' : null
}

/** Does the document say without being asked whom a to-many relation leads to. */
function namesMembers({ type, relations }: ResourceSchema, { fields }: Query): boolean {
  const asked = fields.get(type)
  return [...relations.values()].some(
    (relation) => relation.alwaysShowData && isToMany(relation) && (!asked || asked.has(relation.name)),
  )
}

/** Reads resources of one type again after they were created, by their ids; whether a scope hides them or not. */
export async function readCreated(
  ctx: RequestContext,
  schema: ResourceSchema,
  { keys, query }: { readonly keys: readonly Row[]; readonly query: Query },
): Promise<ReadonlyMap<string, Resource>> {
  const columns = withViewColumns(ctx, schema, shownColumns(schema, query.fields))
  const rows = await readNamedRows(ctx.rows.unscoped, schema, { keys, columns })
  const resources = rows.map((row) => toResource(schema, row))
  await concealUnviewed(ctx, schema, resources)
  await loadShown(ctx, resources, query)
  return new Map(resources.map((resource) => [resource.id, resource]))
}

/** Reads a resource after a write that did not return it: the database may have changed more than the client did. */
export async function readWritten(
  ctx: RequestContext,
  schema: ResourceSchema,
  { key, query, shown, isScoped }: WrittenResource,
): Promise<Resource | null> {
  const row = shown ?? (await readAgain(ctx, schema, { key, query, isScoped }))
  if (!row) return null
  const resource = toResource(schema, row)
  await concealUnviewed(ctx, schema, [resource])
  await loadShown(ctx, [resource], query)
  return resource
}

async function readAgain(
  ctx: RequestContext,
  schema: ResourceSchema,
  { key, query, isScoped }: Omit<WrittenResource, 'shown'>,
): Promise<Row | undefined> {
  const plan = planRow(schema, columnsOfWritten(ctx, schema, query), idWhere(schema, key))
  const [row] = await (isScoped ? ctx.rows.read('named', plan) : ctx.rows.unscoped.read(plan))
  return row
}

/** The version of what the answer to a write shows. */
export const shownVersion = (ctx: RequestContext, resource: Resource): string | null =>
  isUnviewed(resource) ? null : toldVersion(ctx, resource.schema, resource.row)
