import type { Can } from '../document/types.ts'
import { type Awaitable, after, isPromise, together } from '../model/awaitable.ts'
import type { Row } from '../model/where.ts'
import type { IncludeTree } from '../query/query.ts'
import { noField, type Resource } from '../read/resource.ts'
import { isModifyingRelationship, type Operation } from '../request/operation.ts'
import { withParts } from '../request/with-parts.ts'
import type { ResourceSchema } from '../schema/resource-schema.ts'
import { includedResources } from '../serialize/included.ts'
import { describeRulesFor } from '../validation/request/describe-rules.ts'
import { isUnruled } from '../validation/request/unruled.ts'
import { isTrashed } from '../write/write-row.ts'
import { undecidable } from './ability.ts'
import type { AuthContext } from './auth-context.ts'
import { permission } from './authorize.ts'
import type { Decision } from './decision.ts'
import { lazyRelation } from './lazy-relation.ts'
import { mayLinkSome } from './may-link.ts'
import { type Possible, possibleWithRow, possibleWithType } from './possible.ts'
import { fieldsFor } from './viewable.ts'
import { decidesItself, resolveAuthorizer } from './who-decides.ts'
import { writableFields } from './writable-fields.ts'

// `meta.can`: what the caller may do with a resource. The framework reads nothing for it; null where a query would be needed.

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
  const inMemory = withoutDatabase(ctx)
  return together(
    shown.map((resource) => () => {
      const { schema, row, id } = resource
      const possible = possibleWithRow(schema)[isTrashed(schema, row) ? 'trashed' : 'kept']
      return after(canOf(inMemory, possible, { schema, row, id }), (can) => {
        resource.can = can
      })
    }),
  )
}

const typeCan = (ctx: AuthContext, schema: ResourceSchema): Awaitable<Can> =>
  canOf(withoutDatabase(ctx), possibleWithType(schema), { schema, row: null, id: null })

const withoutDatabase = (ctx: AuthContext): AuthContext =>
  withParts(ctx, { abilityOf: (model) => ctx.abilityOf(model).inMemory() })

interface Subject {
  readonly schema: ResourceSchema
  readonly row: Row | null
  readonly id: string | null
}

function canOf(ctx: AuthContext, possible: readonly Possible[], subject: Subject): Awaitable<Can> {
  const Class = ctx.server.requests.get(subject.schema.model.name)?.request
  // Its `authorize()` would read a document, and this request has none.
  if (Class && decidesItself(Class)) return Object.fromEntries(possible.map(({ name }) => [name, null]))
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
    const answer = toAnswer(decision)
    return answer && namesFields.has(possible.name) ? fieldsOrAll(ctx, operation, row) : answer
  })
}

/** Where rules about fields do not allow all of them: those that the caller may write, and has a validation rule for. */
function fieldsOrAll(ctx: AuthContext, operation: Operation, row: Row | null): readonly string[] | true {
  const written = writableFields(ctx, operation.schema, row)
  const ruled = written && describeRulesFor(ctx, operation, row)?.rules.fields
  if (!ruled) return written ?? true
  // A relation that has no rule is none of what the caller could send.
  const isWhole = !hasFieldRules(ctx, operation) && [...ruled.keys()].every((name) => written.includes(name))
  return isWhole || written.filter((name) => ruled.has(name))
}

const hasFieldRules = (ctx: AuthContext, { schema, kind }: Operation): boolean =>
  fieldsFor(ctx, schema.model.name, kind === 'create' ? 'create' : 'update') !== null

/** Of these it is told which fields may be written, where that is not all of them. */
const namesFields: ReadonlySet<string> = new Set(['create', 'update'])

/** The rows of an empty body. */
const noRows = Object.freeze({ find: async () => [] })

const toAnswer = (decision: Decision | null): boolean | null =>
  decision === undecidable ? null : (decision?.allowed ?? true)
