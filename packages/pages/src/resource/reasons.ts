import { checkPossible } from '@prismapi/core/actions/perform-action'
import { allowsSome } from '@prismapi/core/auth/allows-some'
import { type AuthorizationSubject, askRequest, authorize, explainPolicy } from '@prismapi/core/auth/authorize'
import { isDecidedByRequest } from '@prismapi/core/auth/authorizer'
import { isAboveCeiling } from '@prismapi/core/auth/caller'
import { explain } from '@prismapi/core/auth/explanation'
import { lazyRelation } from '@prismapi/core/auth/lazy-relation'
import { policyFile } from '@prismapi/core/auth/policy'
import { methodPlace, requestPlace, rulePlaces, type SourcePlace } from '@prismapi/core/auth/rule-places'
import { relatedRows } from '@prismapi/core/read/find'
import type { ServerContext } from '@prismapi/core/server/serving'
import { isUnruled } from '@prismapi/core/validation/request/describe-rules'
import { makeRequest } from '@prismapi/core/validation/request/make-request'
import { validateDelete } from '@prismapi/core/validation/run/validate'
import { isTrashed } from '@prismapi/core/write/write-row'
import { JsonApiError } from '@prismapi/jsonapi/document/error'
import type { Row } from '@prismapi/jsonapi/model/where'
import type { ExplainedDecision } from '@prismapi/jsonapi/request/observer'
import { isModifyingRelationship, type Operation, policyAction } from '@prismapi/jsonapi/request/operation'
import { isKeptElsewhere, keeperOf } from '@prismapi/jsonapi/schema/relation-kinds'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { may as words } from '../texts/reading.ts'
import { errorTold, type Words } from '../texts/words.ts'

/** Why the API refuses something. */
export interface Reason {
  readonly sentences: readonly Words[]
  /** What decides so: its text, its file and its line. Empty in production. */
  readonly places: readonly SourcePlace[]
  /** Is it a rule about what refers to the resource, and not about who asks. */
  readonly isOfRows?: boolean
}

/**
 * Why the API would refuse an operation before it looks at a document; null where it would not. The request class is
 * asked where one is given.
 */
export async function whyDenied(
  ctx: ServerContext,
  operation: Operation,
  row: Row | null,
  request: AuthorizationSubject['request'] = null,
): Promise<Reason | null> {
  const value = isModifyingRelationship(operation)
    ? lazyRelation(ctx, operation.relation, undefined, nothingSent)
    : null
  const refused = await refusalOf(() => authorize(ctx, operation, { request, row, value }))
  if (!refused) return null
  const byRequest = request && (await askRequest(operation, request))
  const explained = byRequest
    ? await explain(ctx, { operation, row, request, decision: byRequest })
    : await explainPolicy(ctx, operation, { request, row, value })
  // The default names files, outside of production.
  const isOwn = explained.by !== 'nobody' && explained.message !== null
  const isKept = isOwn || isAboveCeiling(ctx.user, operation.schema, policyAction(operation))
  const sentences = isKept ? refused : [await plainReason(ctx, operation)]
  if (ctx.server.production) return { sentences, places: [] }
  // Who lets the request class pass is to know that the policy would not.
  const next = byRequest && (await whyDenied(ctx, operation, row))
  return { sentences, places: [...decidingPlaces(ctx, explained), ...(next?.places ?? [])] }
}

async function plainReason(ctx: ServerContext, operation: Operation): Promise<Words> {
  if (await allowsSome(ctx, operation)) return words.notThis
  return ctx.user === null ? words.notGuests : words.notAccount
}

/** The rules by which the API lets an operation through, outside of production. */
export async function whyAllowed(
  ctx: ServerContext,
  operation: Operation,
  row: Row | null,
): Promise<readonly SourcePlace[]> {
  if (ctx.server.production) return []
  return decidingPlaces(ctx, await explainPolicy(ctx, operation, { request: null, row, value: null }))
}

/** What denies it: a method, an authorizer, the rule that forbids it, or those that would allow it of other rows. */
function decidingPlaces(ctx: ServerContext, explained: ExplainedDecision): readonly SourcePlace[] {
  const { operation, by, place, rules, decisive } = explained
  const { name } = operation.schema.model
  const policy = ctx.server.policies.get(name)
  const file = policyFile(name, policy)
  const unknown = { at: place ?? file, text: null }
  if (by === 'request') return [classPlace(ctx, operation.schema, 'authorize') ?? unknown]
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
  const operation = deleteOf(schema, { id, row })
  const denied = await whyDenied(ctx, operation, row, makeRequest(ctx, operation, row))
  return denied ?? whyRuledOut(ctx, schema, { id, row })
}

const deleteOf = (schema: ResourceSchema, { id, row }: Doomed) =>
  ({ kind: isTrashed(schema, row) ? 'forceDelete' : 'delete', schema, id }) as const

/** Why the rules about deletes refuse it to everybody. Only types that have such rules take a query. */
export async function whyRuledOut(
  ctx: ServerContext,
  schema: ResourceSchema,
  { id, row }: Doomed,
): Promise<Reason | null> {
  const operation = deleteOf(schema, { id, row })
  const request = makeRequest(ctx, operation, row)
  const refused = await refusalOf(() => validateDelete(ctx, operation, { request, row, related: relatedRows(ctx) }))
  return refused && { sentences: refused, isOfRows: true, places: listed(classPlace(ctx, schema, 'deleteRules')) }
}

/** Why an action cannot be done with the row as it is now; null where it can. */
export async function whyUnable(operation: Operation, row: Row): Promise<Reason | null> {
  const refused = operation.kind === 'action' ? await refusalOf(async () => checkPossible(operation.action, row)) : null
  return refused && { sentences: refused, places: [] }
}

/** What decides once a request is sent: `authorize()` of the request class; null where its place is not known. */
export function whyOpen(ctx: ServerContext, { schema }: Operation): Reason | null {
  const place = isDecidedByRequest(ctx.server, schema.model.name) ? classPlace(ctx, schema, 'authorize') : null
  return place && { sentences: [], places: [place] }
}

/** Why the API would take no document for what it allows: none has a field for it, or it would change other rows. */
export function whyUnwritten(ctx: ServerContext, operation: Operation, row: Row | null): Reason {
  if (isUnruled(ctx, operation, row))
    return { sentences: [words.unruled], places: listed(classPlace(ctx, operation.schema, 'rules')) }
  const keeper = 'relation' in operation && isKeptElsewhere(operation.relation) ? keeperOf(operation.relation) : null
  const isTold = keeper !== null && !ctx.server.production
  const at = isTold && policyFile(keeper, ctx.server.policies.get(keeper))
  return { sentences: [words.links], places: at ? [{ at, text: null }] : [] }
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

/** Where a method of the request class stands; null in production, and where it is not found. */
const classPlace = ({ server }: ServerContext, { model }: ResourceSchema, method: string): SourcePlace | null =>
  server.production ? null : requestPlace(server.name, model.name, method)

const listed = (place: SourcePlace | null): readonly SourcePlace[] => (place ? [place] : [])
