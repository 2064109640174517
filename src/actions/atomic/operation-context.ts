import { notFound } from '../../document/errors.ts'
import type { Operation } from '../../request/operation.ts'
import { type Precondition, versionIn } from '../../request/precondition.ts'
import { requestedAt } from '../../request/request-url.ts'
import { withParts } from '../../request/with-parts.ts'
import type { Relation } from '../../schema/relation-kinds.ts'
import type { ResourceSchema } from '../../schema/resource-schema.ts'
import { relationshipUrl, resourceUrl, typeUrl } from '../../serialize/links.ts'
import type { RequestContext } from '../context.ts'
import { type IdsOfLids, lidKey, linkageWithIds, withIds } from './local-ids.ts'
import type { NamedVersion } from './operation-version.ts'
import type { AtomicOperation } from './parse-operations.ts'
import { type AtomicTarget, methodOf, type OperationCode } from './target.ts'

// An operation of an atomic request becomes the request that it stands for: what endpoints do, they do for it.

/** What the operation does. @throws {JsonApiError} 404 where its lid stands for nothing that can be seen. */
export function toOperation(ctx: RequestContext, { op, target }: AtomicOperation, ids: IdsOfLids): Operation {
  const schema = schemaOfTarget(ctx, target)
  const relation = target.relationship === null ? null : (schema.relations.get(target.relationship) as Relation)
  const id = idOf(target, ids)
  if (id === null) return { kind: 'create', schema }
  return relation ? { kind: ofRelationships[op], schema, id, relation } : { kind: ofResources[op], schema, id }
}

/** The operation's syntax was checked, so there is one. */
export const schemaOfTarget = ({ server }: RequestContext, { type }: AtomicTarget): ResourceSchema =>
  server.schemas.byType.get(type) as ResourceSchema

const ofRelationships = { add: 'attach', update: 'updateRelationship', remove: 'detach' } as const
const ofResources = { add: 'update', update: 'update', remove: 'delete' } as const satisfies Record<
  OperationCode,
  string
>

function idOf({ type, id, lid }: AtomicTarget, ids: IdsOfLids): string | null {
  if (lid === null) return id
  const known = ids.get(lidKey(type, lid))
  if (known === undefined) throw notFound()
  return known
}

/** The context as the operation's endpoint would have it. */
export function contextOf(
  ctx: RequestContext,
  operation: Operation,
  atomic: AtomicOperation,
  ids: IdsOfLids,
): RequestContext {
  const { op, data, version } = atomic
  const isLinkage = 'relation' in operation
  const hasBody = isLinkage || op !== 'remove'
  const body = hasBody ? { data: isLinkage ? linkageWithIds(data, ids) : withIds(data, ids) } : undefined
  const url = new URL(urlOf(ctx, operation) + ctx.at.search)
  const precondition = version && toPrecondition(version)
  const preparation = ctx.preparation.of(atomic)
  return withParts(ctx, { method: methodOf[op], at: requestedAt(url), body, precondition, preparation })
}

const toPrecondition = ({ text, pointer }: NamedVersion): Precondition => ({
  match: text === '*' ? 'any' : [versionIn(text)],
  noneMatch: null,
  pointer,
})

function urlOf(ctx: RequestContext, operation: Operation): string {
  const { schema } = operation
  if (!('id' in operation) || operation.id === null) return typeUrl(ctx, schema.type)
  // A text of JSON may have half of a pair of UTF-16. No URL has, and no id either.
  const self = resourceUrl(ctx, { schema, id: operation.id.toWellFormed() })
  return 'relation' in operation ? relationshipUrl(self, operation.relation) : self
}
