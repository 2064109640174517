import type { Can } from '@prismapi/jsonapi/document/types'
import { type Awaitable, after, isPromise, together } from '@prismapi/jsonapi/model/awaitable'
import type { Row } from '@prismapi/jsonapi/model/where'
import type { IncludeTree } from '@prismapi/jsonapi/query/query'
import { isModifyingRelationship, type Operation } from '@prismapi/jsonapi/request/operation'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { noField, type Resource } from '../read/resource.ts'
import { includedResources } from '../serialize/documents.ts'
import { describeRulesFor, isUnruled } from '../validation/request/describe-rules.ts'
import { isTrashed } from '../write/write-row.ts'
import { isLinkedByRequest, mayLinkSome } from './allows-some.ts'
import { askingTogether } from './asked-together.ts'
import type { AuthContext } from './auth-context.ts'
import { permission } from './authorize.ts'
import { isDecidedByRequest, resolveAuthorizer } from './authorizer.ts'
import { lazyRelation } from './lazy-relation.ts'
import { type Possible, possibleWithRow, possibleWithType } from './possible.ts'
import { fieldsFor } from './viewable.ts'
import { writableFields } from './writable-fields.ts'

// `meta.can`: what the caller may do with a resource. One query decides for all rows what their columns cannot.

/** Tells what callers may do, for a server of which some type shows that. */
export interface Permissions {
  /** Sets `can` of the resources, and of those included with them, where their schemas show it. */
  attach(ctx: AuthContext, resources: readonly Resource[], include: IncludeTree): Awaitable<unknown>
  /** What the caller may do with a type as a whole; null where its schema does not show it. */
  ofType(ctx: AuthContext, schema: ResourceSchema): Awaitable<Can | null>
}

export const permissions: Permissions = {
  attach: attachPermissions,
  ofType: (ctx, schema) => (schema.showsCan ? typeCan(ctx, schema) : null),
}

/** Sets `can` of the resources, and of those included with them, where their schemas show it. */
export function attachPermissions(
  ctx: AuthContext,
  resources: readonly Resource[],
  include: IncludeTree,
): Awaitable<unknown> {
  const shown = [...resources, ...includedResources(resources, include)].filter(
    ({ schema, hidden }) => schema.showsCan && hidden !== noField,
  )
  const asking = askingTogether(ctx)
  return together(
    shown.map((resource) => () => {
      const { schema, row, id } = resource
      const possible = possibleWithRow(schema)[isTrashed(schema, row) ? 'trashed' : 'kept']
      return after(canOf(asking, possible, { schema, row, id }), (can) => {
        resource.can = can
      })
    }),
  )
}

const typeCan = (ctx: AuthContext, schema: ResourceSchema): Awaitable<Can> =>
  canOf(ctx, possibleWithType(schema), { schema, row: null, id: null })

interface Subject {
  readonly schema: ResourceSchema
  readonly row: Row | null
  readonly id: string | null
}

function canOf(ctx: AuthContext, possible: readonly Possible[], subject: Subject): Awaitable<Can> {
  // Its `authorize()` is about a request that nobody has sent.
  if (isDecidedByRequest(ctx.server, subject.schema.model.name))
    return Object.fromEntries(possible.map(({ name }) => [name, null]))
  const answers = together(possible.map((each) => () => mayDo(ctx, each, subject)))
  const toCan = (all: readonly Can[string][]): Can =>
    Object.fromEntries(possible.map(({ name }, i) => [name, all[i] as Can[string]]))
  return isPromise(answers) ? answers.then(toCan) : toCan(answers)
}

function mayDo(ctx: AuthContext, possible: Possible, { schema, row, id }: Subject): Awaitable<Can[string]> {
  const operation = possible.operationOn(id)
  if (isUnruled(ctx, operation, row)) return false
  if (isModifyingRelationship(operation) && !mayLinkSome(ctx, operation.relation, operation.kind)) return false
  const value =
    'relation' in operation && possible.method !== 'GET'
      ? lazyRelation(ctx, operation.relation, undefined, noRows)
      : null
  // Only authorizers read method and URL; rules and methods of policies cannot.
  const asked = resolveAuthorizer(ctx, schema) ? possible.request(ctx, id) : ctx
  return after(permission(asked, operation, { request: null, row, value }), (decision) => {
    const isAllowed = decision?.allowed ?? true
    if (isAllowed && isModifyingRelationship(operation) && isLinkedByRequest(ctx, operation.relation)) return null
    return isAllowed && namesFields.has(possible.name) ? fieldsOrAll(ctx, operation, row) : isAllowed
  })
}

/** The fields that the caller may write and that have a validation rule, where rules about fields do not allow all. */
function fieldsOrAll(ctx: AuthContext, operation: Operation, row: Row | null): Awaitable<readonly string[] | true> {
  const { schema } = operation
  return after(writableFields(ctx, schema, row), (written) => {
    const ruled = written && describeRulesFor(ctx, operation, row)?.rules.fields
    if (!ruled) return written ?? true
    // A relation that has no rule is none of what the caller could send.
    const isWritten = (name: string) => written.includes(name) || name === schema.deletedAtAttribute
    const isWhole = !hasFieldRules(ctx, operation) && [...ruled.keys()].every(isWritten)
    return isWhole || written.filter((name) => ruled.has(name))
  })
}

const hasFieldRules = (ctx: AuthContext, { schema, kind }: Operation): boolean =>
  fieldsFor(ctx, schema.model.name, kind === 'create' ? 'create' : 'update') !== null

/** Of these it is told which fields may be written, where that is not all of them. */
const namesFields: ReadonlySet<string> = new Set(['create', 'update'])

/** The rows of an empty body. */
const noRows = Object.freeze({ find: async () => [] })
