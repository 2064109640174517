import { checkQuery } from '../query/check-query.ts'
import type { Query } from '../query/query.ts'
import type { Operation } from '../request/operation.ts'
import { staged } from '../request/tracing.ts'
import { isToMany } from '../schema/relation-kinds.ts'
import { schemaOf, targetSchemas } from '../schema/resource-schema.ts'
import { checkQueryRules } from '../validation/run/query-rules.ts'
import type { RequestContext } from './context.ts'

/** The query of a request, checked against what the operation answers with, and against the application's query class. */
export const queryOf = staged('query', checkedQuery)

function checkedQuery(ctx: RequestContext, op: Operation): Query {
  const rules = checkQueryRules(ctx, op)
  return checkQuery(ctx, subjectOf(ctx, op), rules ? { rules } : {})
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
