import { JsonApiError } from '@prismapi/jsonapi/document/error'
import { notFound } from '@prismapi/jsonapi/document/errors'
import type { RenderedResource } from '@prismapi/jsonapi/document/rendered'
import { type ErrorObject, isObject, type ResultObject } from '@prismapi/jsonapi/document/types'
import { inTurns } from '@prismapi/jsonapi/model/awaitable'
import { requestedAt, withParts } from '@prismapi/jsonapi/request/hook-context'
import {
  type CollectionOperation,
  type Operation,
  type Precondition,
  versionIn,
} from '@prismapi/jsonapi/request/operation'
import type { Relation } from '@prismapi/jsonapi/schema/relation-kinds'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { retryOnConflict } from '../../database/attempts.ts'
import { type AbsentRows, findAbsent, readerWithout } from '../../read/absent-rows.ts'
import { resultsDocument } from '../../serialize/documents.ts'
import { actionUrl, relationshipUrl, resourceUrl, typeUrl } from '../../serialize/links.ts'
import { resourceWriters } from '../../serialize/resource-text.ts'
import { columnValue } from '../../validation/run/column-values.ts'
import { hasPrepareHooks } from '../../write/hooks.ts'
import { dispatch, prepareAhead } from '../actions.ts'
import { type ActionResult, contextWithin, noContent, type RequestContext } from '../context.ts'
import { type Inserted, insert } from '../create.ts'
import { readCreated } from '../reading.ts'
import { type AtomicOperation, fieldOf, isAddition, type NamedVersion } from './parse-operations.ts'
import {
  type AtomicTarget,
  type IdsOfLids,
  lidKey,
  linkageWithIds,
  methodOf,
  type OperationCode,
  withIds,
} from './target.ts'
import { upserting, type Wanted } from './upsert.ts'

/** Carries all operations out, in their order and in one transaction: one that fails undoes those before it. */
export const executeOperations = (ctx: RequestContext, operations: readonly AtomicOperation[]): Promise<ActionResult> =>
  retryOnConflict(ctx, '', async () => {
    await prepareOperations(ctx, operations)
    return dispatchOperations(ctx, operations)
  })

/** Runs the `preparing` hooks of all operations, as far as each can be judged before the operations ahead of it run. */
export async function prepareOperations(ctx: RequestContext, operations: readonly AtomicOperation[]): Promise<void> {
  for (const operation of operations) {
    if (operation.op === 'remove' || operation.action || operation.target.relationship !== null) continue
    if (!hasPrepareHooks(ctx, schemaOfTarget(ctx, operation.target).model.name)) continue
    const wanted = await wantedBy(ctx, operation, new Map()).catch(refused)
    if (wanted) await prepareAhead(wanted.ctx, wanted.op)
  }
}

/** The transaction comes upon it, too, unless an operation before this one changes it. */
const refused = (error: unknown): null => {
  if (error instanceof JsonApiError) return null
  throw error
}

/** One attempt, without retry. */
export async function dispatchOperations(
  ctx: RequestContext,
  operations: readonly AtomicOperation[],
): Promise<ActionResult> {
  const results = await ctx.store.write((transaction) => inOrder(contextWithin(ctx, transaction), operations))
  if (!results.some(({ data }) => data)) return noContent
  // No version, and not null: what several resources became has no entity tag.
  return { status: 200, document: resultsDocument(ctx, results) }
}

async function inOrder(ctx: RequestContext, operations: readonly AtomicOperation[]): Promise<readonly ResultObject[]> {
  const ids = new Map<string, string>()
  const results: ResultObject[] = []
  for await (const run of inTurns(runsOf(operations)))
    results.push(...(isAddition(run[0]) ? await addAll(ctx, run, ids) : [await runOne(ctx, run[0], ids)]))
  return results
}

/** The operations in their order; neighbours that add resources of one type are one run. */
function runsOf(operations: readonly AtomicOperation[]): readonly Run[] {
  const runs: [AtomicOperation, ...AtomicOperation[]][] = []
  for (const operation of operations) {
    const [before] = runs.at(-1) ?? []
    const isOneMore =
      before && isAddition(before) && isAddition(operation) && before.target.type === operation.target.type
    if (isOneMore) runs.at(-1)?.push(operation)
    else runs.push([operation])
  }
  return runs
}

async function runOne(
  ctx: RequestContext,
  operation: AtomicOperation,
  ids: Map<string, string>,
): Promise<ResultObject> {
  const answer = await withOperationPointer(operation, async () => {
    const wanted = await wantedBy(ctx, operation, ids)
    return dispatch(wanted.ctx, wanted.op)
  })
  const data = dataOf(operation, answer)
  if (data && operation.lid !== null) ids.set(lidKey(data.type, operation.lid), data.id)
  return data ? { data } : {}
}

/** The request that an operation stands for. */
async function wantedBy(ctx: RequestContext, operation: AtomicOperation, ids: IdsOfLids): Promise<Wanted> {
  const op = toOperation(ctx, operation, ids)
  const context = contextForOperation(ctx, op, operation, ids)
  return operation.upsertBy && op.kind === 'create' ? upserting(context, op, operation.upsertBy) : { ctx: context, op }
}

/** The resource that an operation led to. What a relationship holds is shown by its own URL, page by page. */
function dataOf({ target, action }: AtomicOperation, { document }: ActionResult): RenderedResource | null {
  if (action || target.relationship !== null || !document || !('data' in document)) return null
  return document.data as RenderedResource | null
}

/** Neighbours, of one type. */
type Run = readonly [AtomicOperation, ...AtomicOperation[]]

/** Adds resources of one type one by one, each judged by the writes before it, and reads all of them at the end. */
async function addAll(ctx: RequestContext, run: Run, ids: Map<string, string>): Promise<readonly ResultObject[]> {
  const [first, ...others] = run
  const schema = schemaOfTarget(ctx, first.target)
  const wanted: CollectionOperation = { kind: 'create', schema }
  const free = others.length > 0 ? await findFree(ctx, schema, run) : null
  const rows = free ? ctx.rows.over(readerWithout(ctx.rows.unscoped, free)) : ctx.rows
  const add = async (operation: AtomicOperation): Promise<Inserted> => {
    const context = contextForOperation(withParts(ctx, { rows }), wanted, operation, ids)
    const inserted = await withOperationPointer(operation, () => insert(context, wanted, async (_, each) => each))
    for (const [column, value] of uniqueValues(ctx, schema, operation)) free?.values.get(column)?.delete(value)
    if (operation.lid !== null) ids.set(lidKey(schema.type, operation.lid), schema.id.format(inserted.key))
    return inserted
  }
  const { key, query } = await add(first)
  const keys = [key]
  for (const operation of others) keys.push((await add(operation)).key)
  const resources = await readCreated(ctx, schema, { keys, query })
  const write = resourceWriters(ctx, query.fields)(schema)
  return keys.map((each) => {
    const resource = resources.get(schema.id.format(each))
    return resource ? { data: write(resource) } : {}
  })
}

// Each `add` asks whether its unique values are free. One query answers for many of them ahead. If a hook takes one of
// the values after that, the database's constraint refuses the `add`.
function findFree(ctx: RequestContext, schema: ResourceSchema, run: Run): Promise<AbsentRows> {
  const candidates = new Map<string, unknown[]>()
  for (const operation of run) {
    for (const [column, value] of uniqueValues(ctx, schema, operation)) {
      const values = candidates.get(column)
      if (values) values.push(value)
      else candidates.set(column, [value])
    }
  }
  return findAbsent(ctx.rows.unscoped, schema, candidates)
}

/** The values of columns that are unique by themselves, as far as the document has them. */
function* uniqueValues(
  ctx: RequestContext,
  schema: ResourceSchema,
  { data }: AtomicOperation,
): Generator<readonly [column: string, value: unknown]> {
  if (!isObject(data)) return
  for (const attribute of schema.attributes.values()) {
    const { column, name } = attribute
    const isUnique = schema.model.uniques.some((unique) => unique.length === 1 && unique[0] === column?.name)
    const value = column && isUnique ? columnValue(ctx, schema, attribute, fieldOf(data, name)) : null
    if (column && (typeof value === 'string' || typeof value === 'number')) yield [column.name, value]
  }
}

// An operation of an atomic request becomes the request that it stands for: what endpoints do, they do for it.

/** What the operation does. @throws {JsonApiError} 404 where its lid stands for nothing that can be seen. */
function toOperation(ctx: RequestContext, { op, target, action }: AtomicOperation, ids: IdsOfLids): Operation {
  const schema = schemaOfTarget(ctx, target)
  if (action) return { kind: 'action', schema, action: action.action, id: target.id }
  const relation = target.relationship === null ? null : (schema.relations.get(target.relationship) as Relation)
  const id = idOf(target, ids)
  if (id === null) return { kind: 'create', schema }
  return relation ? { kind: ofRelationships[op], schema, id, relation } : { kind: ofResources[op], schema, id }
}

/** The operation's syntax was checked, so there is one. */
const schemaOfTarget = ({ server }: RequestContext, { type }: AtomicTarget): ResourceSchema =>
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
function contextForOperation(
  ctx: RequestContext,
  operation: Operation,
  atomic: AtomicOperation,
  ids: IdsOfLids,
): RequestContext {
  const { op, data, version, action } = atomic
  const isLinkage = 'relation' in operation
  const hasBody = isLinkage || op !== 'remove'
  const body = hasBody ? { data: isLinkage ? linkageWithIds(data, ids) : withIds(data, ids) } : undefined
  const url = new URL(urlOf(ctx, operation) + ctx.at.search)
  const precondition = version && toPrecondition(version)
  const preparation = ctx.preparation.of(atomic)
  const asked = action ? { method: action.action.method, body: action.body } : { method: methodOf[op], body }
  return withParts(ctx, { ...asked, at: requestedAt(url), precondition, preparation })
}

const toPrecondition = ({ text, pointer }: NamedVersion): Precondition => ({
  match: text === '*' ? 'any' : [versionIn(text)],
  noneMatch: null,
  pointer,
})

function urlOf(ctx: RequestContext, operation: Operation): string {
  const { schema } = operation
  if (operation.kind === 'action') return actionUrl(ctx, operation)
  if (!('id' in operation) || operation.id === null) return typeUrl(ctx, schema.type)
  // A text of JSON may have half of a pair of UTF-16. No URL has, and no id either.
  const self = resourceUrl(ctx, { schema, id: operation.id.toWellFormed() })
  return 'relation' in operation ? relationshipUrl(self, operation.relation) : self
}

type Pointed = Pick<AtomicOperation, 'pointer' | 'data'>

/** Does the work of an operation; its errors point into the document of which the operation is a part. */
async function withOperationPointer<T>(operation: Pointed, work: () => Promise<T>): Promise<T> {
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
