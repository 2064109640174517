import { JsonApiError } from '@prismapi/jsonapi/document/error'
import { notFound } from '@prismapi/jsonapi/document/errors'
import { type ErrorObject, isObject } from '@prismapi/jsonapi/document/types'
import { requestedAt, withParts } from '@prismapi/jsonapi/request/hook-context'
import { type Operation, type Precondition, versionIn } from '@prismapi/jsonapi/request/operation'
import type { Relation } from '@prismapi/jsonapi/schema/relation-kinds'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { relationshipUrl, resourceUrl, typeUrl } from '../../serialize/links.ts'
import type { RequestContext } from '../context.ts'
import type { NamedVersion } from './operation-failures.ts'
import type { AtomicOperation } from './parse-operations.ts'
import {
  type AtomicTarget,
  type IdsOfLids,
  lidKey,
  linkageWithIds,
  methodOf,
  type OperationCode,
  withIds,
} from './target.ts'

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
export function contextForOperation(
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

type Pointed = Pick<AtomicOperation, 'pointer' | 'data'>

/** Does the work of an operation; its errors point into the document of which the operation is a part. */
export async function withOperationPointer<T>(operation: Pointed, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    // What the server could not do is no fault of the operation.
    throw error instanceof JsonApiError && error.status < 500 ? pointedInto(operation, error) : error
  }
}

const pointedInto = (operation: Pointed, error: JsonApiError): JsonApiError =>
  error.map((each) => ({ ...each, source: sourceIn(operation, each) }))

function sourceIn({ pointer, data }: Pointed, { source = { pointer: '' } }: Pick<ErrorObject, 'source'>) {
  // A parameter is one of the request's own URL.
  if (!('pointer' in source)) return source
  const isOfLid = source.pointer === '/data/id' && isObject(data) && !Object.hasOwn(data, 'id')
  return { pointer: pointer + (isOfLid ? '/data/lid' : source.pointer) }
}
