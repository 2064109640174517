import { allowsSome } from '../../auth/allows-some.ts'
import { permission } from '../../auth/authorize.ts'
import { lazyRelation } from '../../auth/lazy-relation.ts'
import type { Row } from '../../model/where.ts'
import { isModifyingRelationship, type Operation } from '../../request/operation.ts'
import type { ServerContext } from '../../server/server-context.ts'

/**
 * May the caller do this with the row, as far as that can be told before anything is sent: what only the request itself tells
 * may be tried.
 */
export async function isOffered(ctx: ServerContext, operation: Operation, row: Row | null): Promise<boolean> {
  if (!(await allowsSome(ctx, operation))) return false
  const value = isModifyingRelationship(operation)
    ? lazyRelation(ctx, operation.relation, undefined, nothingSent)
    : null
  try {
    return (await permission(ctx, operation, { request: null, row, value }))?.allowed ?? true
  } catch {
    return true
  }
}

const nothingSent = Object.freeze({ find: async () => [] })
