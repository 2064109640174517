import { allowsSome } from '@prismapi/core/auth/allows-some'
import { permission } from '@prismapi/core/auth/authorize'
import { lazyRelation } from '@prismapi/core/auth/lazy-relation'
import type { ServerContext } from '@prismapi/core/server/serving'
import type { ResourceObject } from '@prismapi/jsonapi/document/types'
import type { Row } from '@prismapi/jsonapi/model/where'
import { isModifyingRelationship, type Operation, operationsPath } from '@prismapi/jsonapi/request/operation'
import type { Action } from '@prismapi/jsonapi/schema/actions'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { type PageRequest, shownSchema } from '../data/page-request.ts'
import type { FormField } from '../forms/form-field.ts'
import { fieldsOf } from '../forms/form-fields.ts'

/** What can be done with many rows of a collection at once, by one atomic request. */
export interface Many {
  readonly schema: ResourceSchema
  readonly rows: readonly ResourceObject[]
  /** Those of which all rows can get one value. */
  readonly fields: readonly FormField[]
  readonly mayDelete: boolean
  /** Of the application, at one resource each. */
  readonly actions: readonly Action[]
}

/** Null where its reader may do nothing with any row. */
export async function checkMany({ server, caller, operation, document }: PageRequest): Promise<Many | null> {
  // A server of JSON:API 1.0 may have a type at the path that takes them.
  if (!caller || !operation || server.schemas.byType.has(operationsPath.slice(1))) return null
  const { api, ctx } = caller
  const isList = operation.kind === 'viewAny' || operation.kind === 'viewRelated'
  const schema = isList ? shownSchema({ caller, operation }) : null
  const { data } = document
  if (!schema || !Array.isArray(data) || data.length === 0) return null
  const may = async (kind: 'update' | 'delete') =>
    schema.operations.has(kind) && (await allowsSome(ctx, { kind, schema, id: '' }))
  const fields = (await may('update')) ? fieldsOf(api, { schema, kind: 'update' }, null) : []
  const many: Many = {
    schema,
    rows: data as readonly ResourceObject[],
    fields: fields.filter((field) => !field.isSecret && !isUnique(schema, field.name)),
    mayDelete: await may('delete'),
    actions: await actionsOf(ctx, schema),
  }
  return many.fields.length > 0 || many.mayDelete || many.actions.length > 0 ? many : null
}

async function actionsOf(ctx: ServerContext, schema: ResourceSchema): Promise<readonly Action[]> {
  const offered: Action[] = []
  for (const action of schema.actions.values()) {
    const isWrite = action.on === 'member' && action.method !== 'GET'
    if (isWrite && (await allowsSome(ctx, { kind: 'action', schema, action, id: '' }))) offered.push(action)
  }
  return offered
}

/** No two rows have the same value. */
function isUnique({ model, attributes }: ResourceSchema, name: string): boolean {
  const column = attributes.get(name)?.column?.name
  return model.uniques.some((unique) => unique.length === 1 && unique[0] === column)
}

/**
 * Whether to offer this for the row, judging by what is known before a request is sent: if only the request itself can
 * tell, the reader may try.
 */
export async function isOffered(ctx: ServerContext, operation: Operation, row: Row | null): Promise<boolean> {
  if (!(await allowsSome(ctx, operation))) return false
  const value = isModifyingRelationship(operation)
    ? lazyRelation(ctx, operation.relation, undefined, nothingSent)
    : null
  try {
    if (operation.kind === 'action' && row && operation.action.unless?.(row)) return false
    return (await permission(ctx, operation, { request: null, row, value }))?.allowed ?? true
  } catch {
    return true
  }
}

const nothingSent = Object.freeze({ find: async () => [] })
