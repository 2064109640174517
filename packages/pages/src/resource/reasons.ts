import { checkPossible } from '@prismapi/core/actions/perform-action'
import { type AuthorizationSubject, authorize, permission } from '@prismapi/core/auth/authorize'
import { explain } from '@prismapi/core/auth/explanation'
import { lazyRelation } from '@prismapi/core/auth/lazy-relation'
import { policyFile } from '@prismapi/core/auth/policy'
import { methodPlace, rulePlaces, type SourcePlace } from '@prismapi/core/auth/rule-places'
import { relatedRows } from '@prismapi/core/read/find'
import type { ServerContext } from '@prismapi/core/server/serving'
import { makeRequest } from '@prismapi/core/validation/request/make-request'
import { validateDelete } from '@prismapi/core/validation/run/validate'
import { isTrashed } from '@prismapi/core/write/write-row'
import { JsonApiError } from '@prismapi/jsonapi/document/error'
import type { Row } from '@prismapi/jsonapi/model/where'
import { isModifyingRelationship, type Operation, policyAction } from '@prismapi/jsonapi/request/operation'
import { dashed } from '@prismapi/jsonapi/schema/naming'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { errorTold, type Words } from '../texts/words.ts'

/** Why the API refuses something. */
export interface Reason {
  readonly sentences: readonly Words[]
  /** What decides so: its text, its file and its line. Empty in production. */
  readonly places: readonly SourcePlace[]
  /** Is it a rule about what refers to the resource, and not about who asks. */
  readonly isOfRows?: boolean
}

/** Why the API would refuse an operation before it looks at a document; null where it would not. */
export async function whyDenied(ctx: ServerContext, operation: Operation, row: Row | null): Promise<Reason | null> {
  const value = isModifyingRelationship(operation)
    ? lazyRelation(ctx, operation.relation, undefined, nothingSent)
    : null
  const subject = { request: null, row, value }
  const sentences = await refusalOf(() => authorize(ctx, operation, subject))
  if (!sentences) return null
  return { sentences, places: ctx.server.production ? [] : await decidingPlaces(ctx, operation, subject) }
}

/** The rules by which the API lets an operation through, outside of production. */
export const whyAllowed = async (
  ctx: ServerContext,
  operation: Operation,
  row: Row | null,
): Promise<readonly SourcePlace[]> =>
  ctx.server.production ? [] : decidingPlaces(ctx, operation, { request: null, row, value: null })

/** What denies it: a method, an authorizer, the rule that forbids it, or those that would allow it of other rows. */
async function decidingPlaces(
  ctx: ServerContext,
  operation: Operation,
  subject: AuthorizationSubject,
): Promise<readonly SourcePlace[]> {
  const { row } = subject
  const decision = await permission(ctx, operation, subject)
  const { by, place, rules, decisive } = await explain(ctx, { operation, row, request: null, decision })
  const { name } = operation.schema.model
  const policy = ctx.server.policies.get(name)
  const file = policyFile(name, policy)
  const unknown = { at: place ?? file, text: null }
  if (by === 'method') return [methodPlace([file], policyAction(operation)) ?? unknown]
  if (by !== 'rules' || !policy) return [unknown]
  const places = rulePlaces(policy, name, ctx.user)
  const deciding = rules.filter(({ rule, effect }) => (decisive === null ? effect === 'can' : rule === decisive))
  const found = deciding.flatMap(({ rule }) => places[rule - 1] ?? [])
  return found.length > 0 ? found : [unknown]
}

const nothingSent = Object.freeze({ find: async () => [] })

interface Doomed {
  readonly id: string
  readonly row: Row
}

/** Why the API would refuse to delete a resource for the caller; null if only trying it tells. */
export async function whyKept(ctx: ServerContext, schema: ResourceSchema, { id, row }: Doomed): Promise<Reason | null> {
  const operation = { kind: isTrashed(schema, row) ? 'forceDelete' : 'delete', schema, id } as const
  const request = makeRequest(ctx, operation, row)
  const denied = await refusalOf(() => authorize(ctx, operation, { request, row, value: null }))
  if (denied) return { sentences: denied, places: (await whyDenied(ctx, operation, row))?.places ?? [] }
  const refused = await refusalOf(() => validateDelete(ctx, operation, { request, row, related: relatedRows(ctx) }))
  return (
    refused && { sentences: refused, isOfRows: true, places: ctx.server.production ? [] : requestPlaces(ctx, schema) }
  )
}

/** Why an action cannot be done with the row as it is now; null where it can. */
export async function whyUnable(operation: Operation, row: Row): Promise<Reason | null> {
  const refused = operation.kind === 'action' ? await refusalOf(async () => checkPossible(operation.action, row)) : null
  return refused && { sentences: refused, places: [] }
}

/** What an error of the client says; null for none. */
async function refusalOf(work: () => Promise<unknown>): Promise<readonly Words[] | null> {
  try {
    await work()
    return null
  } catch (error) {
    // A database that is busy is no reason.
    if (error instanceof JsonApiError && error.status < 500) return error.split().map(errorTold)
    throw error
  }
}

/** Where the rules of deletes stand, in the folders that they are looked for in. */
function requestPlaces({ server }: ServerContext, { model }: ResourceSchema): readonly SourcePlace[] {
  const file = `${dashed(model.name)}.request.ts`
  const place = methodPlace([`requests/${server.name}/${file}`, `requests/${file}`], 'deleteRules')
  return place ? [place] : []
}
