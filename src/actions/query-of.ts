import { type Awaitable, after } from '../model/awaitable.ts'
import { checkPrice } from '../price/check-price.ts'
import { checkQuery } from '../query/check-query.ts'
import type { Query } from '../query/query.ts'
import type { Operation } from '../request/operation.ts'
import { staged } from '../request/tracing.ts'
import { isToMany } from '../schema/relation-kinds.ts'
import { schemaOf, targetSchemas } from '../schema/resource-schema.ts'
import { actionParameters, actionQueryErrors } from '../validation/run/action-query.ts'
import { checkQueryRules } from '../validation/run/query-rules.ts'
import type { RequestContext } from './context.ts'

const checked = staged('query', checkedQuery)

/**
 * The query of a request, checked against what the operation answers with, and against the application's query class. Where it
 * is about one resource, it has its price; that of a collection depends on which one it is.
 */
export function queryOf(ctx: RequestContext, op: Operation): Awaitable<Query> {
  const query = checked(ctx, op)
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
