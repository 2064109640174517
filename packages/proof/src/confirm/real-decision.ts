import { abilitiesFor } from '@prismapi/core/auth/ability'
import { isFieldAction } from '@prismapi/core/auth/actions'
import type { AuthContext } from '@prismapi/core/auth/auth-context'
import { permission } from '@prismapi/core/auth/authorize'
import { decidesItself } from '@prismapi/core/auth/authorizer'
import { toDecision } from '@prismapi/core/auth/decision'
import type { LazyRelation } from '@prismapi/core/auth/lazy-relation'
import { possibleWithRow, possibleWithType } from '@prismapi/core/auth/possible'
import { fieldsFor, viewableRows, visibleTrash } from '@prismapi/core/auth/viewable'
import type { Reader } from '@prismapi/core/database/reader'
import { Rows } from '@prismapi/core/read/rows'
import type { CompiledServer } from '@prismapi/core/server/compile'
import { serve } from '@prismapi/core/server/serving'
import { factsOf } from '@prismapi/core/validation/request/request-base'
import { all, everything } from '@prismapi/jsonapi/condition/build'
import type { Condition } from '@prismapi/jsonapi/condition/condition'
import { readCondition } from '@prismapi/jsonapi/condition/parse'
import { NotKnown } from '@prismapi/jsonapi/model/register'
import type { Row } from '@prismapi/jsonapi/model/where'
import { isReading, type Operation } from '@prismapi/jsonapi/request/operation'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { meets } from './ask.ts'

/** An action of one caller. */
export interface DecisionQuery {
  readonly server: CompiledServer
  readonly schema: ResourceSchema
  readonly action: string
  /** Asks about a field of the row as well. */
  readonly field?: string | undefined
  /** As `authenticate` gives it; null for a guest. */
  readonly user: unknown
  /** Null for an action on the type. */
  readonly row: Row | null
  readonly reader: Reader
}

/**
 * What a request would be answered: the row is seen, and the action is permitted. It runs the application's own code.
 *
 * @throws what that code throws; a `NotKnown`, or an error with one as its cause, for code that reads the document.
 */
export async function decideReally(query: DecisionQuery): Promise<boolean> {
  const { server, schema, action, user, row, reader } = query
  const abilityOf = abilitiesFor(server, user, reader)
  const trash = await visibleTrash({ server, user, abilityOf })
  if (action === 'viewTrashed') return trash.has(schema.model.name)
  const { params } = server
  const request = { user, method: 'GET', url: new URL(`${server.baseUrl}/${schema.type}`, 'http://localhost'), params }
  const served = await serve(request, server, { trash, viewable: viewableRows({ server, abilityOf }) })
  const { resources } = server
  const read = (where: object | undefined | null): Condition =>
    where ? readCondition(where, schema.model, resources.models) : everything
  const operation = operationOf(query)
  if (operation === null) return false
  if (row !== null) {
    const isList = operation.kind === 'viewAny'
    const rows = new Rows(reader, served, () => listedOnly(query, abilityOf))
    const visible = rows.visible(isList ? 'listed' : 'named', schema.model.name)
    const index = isList ? read(schema.hooks.indexQuery(request)) : everything
    if (!(await meets(reader, schema.model, row, all(visible, index)))) return false
  }
  const Class = server.requests.get(schema.model.name)?.request
  if (Class && decidesItself(Class)) {
    const answer = await new Class(
      factsOf(operation, { caller: { user, rows: null }, row, services: server.services }),
    ).authorize()
    if (answer !== null) return toDecision(answer).allowed
  }
  const at = { url: request.url, search: '' }
  const sent = isReading(operation) ? undefined : notSent
  const context = { server, served, abilityOf, user, method: 'GET', at, body: sent, observer: null }
  const decision = await permission(context as unknown as AuthContext, operation, {
    request: null,
    value: sent && 'relation' in operation ? (sent as LazyRelation) : null,
    row: operation.kind === 'viewAny' ? null : row,
  })
  return (decision?.allowed ?? true) && (await isFieldAllowed(query, context as unknown as AuthContext))
}

/** The document of a request: there is none here. */
const notSent = new Proxy(Object.freeze({}), {
  get() {
    throw new NotKnown('it reads the document of the request')
  },
  has() {
    throw new NotKnown('it reads the document of the request')
  },
  ownKeys() {
    throw new NotKnown('it reads the document of the request')
  },
})

async function isFieldAllowed(
  { schema, action, field, row, reader }: DecisionQuery,
  context: AuthContext,
): Promise<boolean> {
  if (field === undefined || !isFieldAction(action)) return true
  const condition = fieldsFor(context, schema.model.name, action)?.fields.get(field)
  return !condition || (row !== null && (await meets(reader, schema.model, row, condition)))
}

/** A collection may list only what the caller may view. */
function listedOnly({ server, schema }: DecisionQuery, abilityOf: AuthContext['abilityOf']): Condition {
  if (!(schema.viewAnyByView ?? server.viewAnyByView) || !server.authorizable || !schema.authorizable) return everything
  return abilityOf(schema.model.name).conditionFor('view')
}

/** The operation that asks for an action; null where DELETE means another one for this row. */
function operationOf({ schema, action, row }: DecisionQuery): Operation | null {
  if (action === 'viewAny') return { kind: 'viewAny', schema }
  const { kept, trashed } = possibleWithRow(schema)
  const isTrashed = row !== null && schema.deletedAt !== null && row[schema.deletedAt] !== null
  const possible = row === null ? possibleWithType(schema) : isTrashed ? trashed : kept
  return possible.find(({ name }) => name === action)?.operationOn(null) ?? null
}
