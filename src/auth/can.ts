import type { Can } from '../document/types.ts'
import { type Awaitable, after, isPromise, together } from '../model/awaitable.ts'
import { memo } from '../model/memo.ts'
import type { Row } from '../model/where.ts'
import type { IncludeTree } from '../query/query.ts'
import type { RequestContext } from '../request/context.ts'
import type { ResourceSchema } from '../schema/resource-schema.ts'
import { includedResources } from '../serialize/included.ts'
import type { Resource } from '../store/resource.ts'
import { isTrashed } from '../store/writing/write-row.ts'
import type { RequestClass } from '../validation/classes/request-classes.ts'
import { ResourceRequest } from '../validation/classes/resource-request.ts'
import { isUnruled } from '../validation/running/unruled.ts'
import { permission } from './authorize.ts'
import type { Decision } from './decision.ts'
import { lazyRelation } from './lazy-relation.ts'
import { type Possible, possibleWithRow, possibleWithType } from './possible.ts'
import { resolveAuthorizer } from './resolve-authorizer.ts'
import { unasked, unaskingAbilities } from './unasking.ts'

/** Tells resources, and what is included with them, what the caller may do with each; by no query of ours. */
export function tellCan(ctx: RequestContext, resources: readonly Resource[], include: IncludeTree): Awaitable<unknown> {
  const shown = [...resources, ...includedResources(resources, include)].filter(({ schema }) => schema.showsCan)
  const unasking = withoutAsking(ctx)
  return together(
    shown.map((resource) => () => {
      const { schema, row, id } = resource
      const possible = possibleWithRow(schema)[isTrashed(schema, row) ? 'trashed' : 'kept']
      return after(canOf(unasking, possible, { schema, row, id }), (can) => {
        resource.can = can
      })
    }),
  )
}

/** What the caller may do with a type as a whole. */
export const typeCan = (ctx: RequestContext, schema: ResourceSchema): Awaitable<Can> =>
  canOf(withoutAsking(ctx), possibleWithType(schema), { schema, row: null, id: null })

const withoutAsking = (ctx: RequestContext): RequestContext => ({ ...ctx, abilityOf: unaskingAbilities(ctx.abilityOf) })

interface Subject {
  readonly schema: ResourceSchema
  readonly row: Row | null
  readonly id: string | null
}

function canOf(ctx: RequestContext, possible: readonly Possible[], subject: Subject): Awaitable<Can> {
  const Class = ctx.server.requests.get(subject.schema.model.name)?.request
  // It would look into a document that nobody has sent.
  if (Class && decidesItself(Class)) return Object.fromEntries(possible.map(({ name }) => [name, null]))
  const answers = together(possible.map((each) => () => mayDo(ctx, each, subject)))
  const toCan = (all: readonly (boolean | null)[]): Can =>
    Object.fromEntries(possible.map(({ name }, i) => [name, all[i] as boolean | null]))
  return isPromise(answers) ? answers.then(toCan) : toCan(answers)
}

const decidesItself = memo((Class: RequestClass) => Class.prototype.authorize !== ResourceRequest.prototype.authorize)

function mayDo(ctx: RequestContext, possible: Possible, { schema, row, id }: Subject): Awaitable<boolean | null> {
  const operation = possible.operationOn(id)
  if (isUnruled(ctx, operation, row)) return false
  const value =
    'relation' in operation && possible.method !== 'GET'
      ? lazyRelation(ctx, operation.relation, undefined, noRows)
      : null
  // Authorizers may look at what is asked for; rules and methods of policies have no way to.
  const asked = resolveAuthorizer(ctx, schema) ? possible.request(ctx, id) : ctx
  return after(permission(asked, operation, { request: null, row, value }), toAnswer)
}

/** Nothing is submitted. */
const noRows = Object.freeze({ find: async () => [] })

const toAnswer = (decision: Decision | null): boolean | null =>
  decision === unasked ? null : (decision?.allowed ?? true)
