import { isAllowed } from '../auth/authorize.ts'
import { policyMethod } from '../auth/policy.ts'
import { decidesItself, leavesToPolicy, resolveAuthorizer } from '../auth/who-decides.ts'
import { everything, isEverything, nothing } from '../condition/build.ts'
import { comparedColumns } from '../condition/compared-columns.ts'
import type { Condition } from '../condition/condition.ts'
import type { FieldAccess } from '../condition/field-access.ts'
import { judge } from '../condition/memory.ts'
import type { Awaitable } from '../model/awaitable.ts'
import { memo } from '../model/memo.ts'
import type { Row } from '../model/where.ts'
import { readNamedRows } from '../read/chunks.ts'
import { allColumns, withColumns } from '../read/columns.ts'
import { noField, type Resource, toResource } from '../read/resource.ts'
import type { RelationOperation, ResourceOperation } from '../request/operation.ts'
import { requestedAt } from '../request/request-url.ts'
import { withParts } from '../request/with-parts.ts'
import type { Relation } from '../schema/relation-kinds.ts'
import type { ResourceSchema } from '../schema/resource-schema.ts'
import { relationshipUrl, resourceUrl } from '../serialize/links.ts'
import { makeReadRequest } from '../validation/request/make-request.ts'
import type { RequestContext } from './context.ts'

// Who may write a resource may not view it for that: the answer to a write tells as much as GET of it would.

/** The rows that the caller may view, or `code` where a policy's method, an authorizer or a request class decides on each. */
type Viewed = Condition | 'code'

function viewedOf(ctx: RequestContext, schema: ResourceSchema): Viewed {
  const { server } = ctx
  const { name } = schema.model
  const Class = server.requests.get(name)?.request
  if (Class && decidesItself(Class)) return 'code'
  if (!server.authorizable || !schema.authorizable) return everything
  const Authorizer = resolveAuthorizer(ctx, schema)
  if (Authorizer && !leavesToPolicy(Authorizer, 'view')) return 'code'
  const policy = server.policies.get(name)
  if (!policy) return nothing
  return policyMethod(policy, 'view') ? 'code' : ctx.abilityOf(name).conditionFor('view')
}

/** Does code of the application decide who views the type: it may throw, and then nothing is written. */
export const isViewedByCode = (ctx: RequestContext, schema: ResourceSchema): boolean => viewedOf(ctx, schema) === 'code'

/** May the caller view every row of the type. */
export function viewsAll(ctx: RequestContext, schema: ResourceSchema): boolean {
  const viewed = viewedOf(ctx, schema)
  return viewed !== 'code' && isEverything(viewed)
}

/** The columns, with those by which it is told without the database who may view a row. */
export function withViewColumns(
  ctx: RequestContext,
  schema: ResourceSchema,
  columns: readonly string[],
): readonly string[] {
  const viewed = viewedOf(ctx, schema)
  return viewed === 'code' ? allColumns(schema) : withColumns(columns, comparedColumns(viewed))
}

/**
 * Notes of resources of one type that were read for the answer to a write which ones the caller may not view: nothing is shown of
 * them but type and id. What memory cannot judge costs one query for all of them.
 */
export function concealUnviewed(
  ctx: RequestContext,
  schema: ResourceSchema,
  resources: readonly Resource[],
): Awaitable<unknown> {
  const viewed = viewedOf(ctx, schema)
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
  const rows = await readNamedRows(ctx.store.reader, schema, { keys, columns: schema.id.columns, where })
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
export interface Written {
  readonly schema: ResourceSchema
  readonly relation?: Relation
}

/** May the caller read what it is about to change. */
export const mayRead = (ctx: RequestContext, { schema, relation }: Written, row: Row): Awaitable<boolean> =>
  relation
    ? mayGet(ctx, { kind: 'viewRelationship', schema, id: schema.id.format(row), relation }, row)
    : mayView(ctx, schema, row)

/**
 * The context of a caller who sees none of the fields of a row that is about to be changed, where it may not view the row: comparisons
 * and validation then tell nothing of it.
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
