import { type Awaitable, after } from '@prismapi/jsonapi/model/awaitable'
import { checkQuery } from '@prismapi/jsonapi/query/check-query'
import type { Query } from '@prismapi/jsonapi/query/query'
import { asStage } from '@prismapi/jsonapi/request/observer'
import type { Operation } from '@prismapi/jsonapi/request/operation'
import { isToMany } from '@prismapi/jsonapi/schema/relation-kinds'
import { schemaOf, targetSchemas } from '@prismapi/jsonapi/schema/resource-schema'
import { checkPrice } from '../price/check-price.ts'
import { priceOfShown } from '../price/price.ts'
import { loadRelated } from '../read/loading/load.ts'
import type { Resource } from '../read/resource.ts'
import { actionParameters, actionQueryErrors } from '../validation/run/action-query.ts'
import { checkQueryRules } from '../validation/run/query-rules.ts'
import { onThread, type RequestContext } from './context.ts'

// What recipes have in common: the query of a request, and what it shows beside the rows.

/** The query of a request, checked as `queryOf` does, without its price. */
export const unpricedQueryOf = asStage('query', checkedQuery)

/**
 * The query of a request, checked against the types that the operation answers with and the application's query class.
 * A query about one resource is priced here; the price of a collection depends on which collection it is.
 */
export function queryOf(ctx: RequestContext, op: Operation): Awaitable<Query> {
  const query = unpricedQueryOf(ctx, op)
  const { schemas, isCollection, isRelationship } = subjectOf(ctx, op)
  if (isCollection || (query.include.size === 0 && query.counts.size === 0)) return query
  const subject = { query, schemas: isRelationship ? [op.schema] : schemas, plan: null, parents: 1 }
  return after(checkPrice(ctx, subject), () => query)
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

function subjectOf(ctx: RequestContext, op: Operation) {
  if (op.kind === 'action') return { ...single, schemas: [schemaOf(ctx.server.schemas, op.action.answers)] }
  if (!('relation' in op)) return { ...single, schemas: [op.schema], isCollection: op.kind === 'viewAny' }
  const isRead = op.kind === 'viewRelated' || op.kind === 'viewRelationship'
  return {
    schemas: targetSchemas(ctx.server.schemas, op.relation),
    isCollection: isRead && isToMany(op.relation),
    relation: op.relation,
    isRelationship: op.kind !== 'viewRelated',
  }
}

const single = { isCollection: false, relation: null, isRelationship: false }

/** Loads what a document shows beside the rows: their relations and, if `meta.can` is on, what the caller may do. */
export function loadShown(ctx: RequestContext, resources: readonly Resource[], query: Query): Awaitable<unknown> {
  const loaded = loadAside(ctx, resources, query)
  const { permissions } = ctx.server
  return permissions ? after(loaded, () => permissions.attach(ctx, resources, query.include)) : loaded
}

/** Loads the relations that a query includes, beside the event loop where there are many. */
export function loadAside(ctx: RequestContext, resources: readonly Resource[], query: Query): Awaitable<unknown> {
  if (ctx.store.threads === null || (query.include.size === 0 && query.counts.size === 0))
    return loadRelated(ctx, resources, query)
  const schemas = [...new Set(resources.map(({ schema }) => schema))]
  const price = priceOfShown(ctx, schemas, { query, parents: resources.length })
  return onThread<unknown>(ctx, price, (within) => loadRelated(within, resources, query))
}
