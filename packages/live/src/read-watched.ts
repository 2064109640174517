import { hash } from 'node:crypto'
import {
  type CheckedCollection,
  checkMany,
  manyDocument,
  planMany,
  readCollection,
} from '@prismapi/core/actions/fetch-many'
import { fetchOne } from '@prismapi/core/actions/fetch-one'
import { checkRelated, membersDocument, planMembers, readMembers } from '@prismapi/core/actions/fetch-related'
import { queryOf } from '@prismapi/core/actions/reading'
import { checkPrice } from '@prismapi/core/price/check-price'
import { pointsOfResource } from '@prismapi/core/price/price'
import { type CollectionPlan, idsWhere, noOrder, planLevel } from '@prismapi/core/read/plan'
import type { Resource } from '@prismapi/core/read/resource'
import { resourceDocument } from '@prismapi/core/serialize/documents'
import type { ServerContext } from '@prismapi/core/server/serving'
import { all } from '@prismapi/jsonapi/condition/build'
import { documentTooLarge, tooManyResources } from '@prismapi/jsonapi/document/errors'
import { documentText } from '@prismapi/jsonapi/document/rendered'
import type { DataDocument, Document } from '@prismapi/jsonapi/document/types'
import { inTurns } from '@prismapi/jsonapi/model/awaitable'
import type { Row } from '@prismapi/jsonapi/model/where'
import type { IncludeTree, Query } from '@prismapi/jsonapi/query/query'
import { sizeParameter } from '@prismapi/jsonapi/request/hook-context'
import type {
  CollectionOperation,
  Operation,
  RelationOperation,
  ResourceOperation,
} from '@prismapi/jsonapi/request/operation'
import { isToMany, type ToMany } from '@prismapi/jsonapi/schema/relation-kinds'
import { type ResourceSchema, schemaOf, targetSchemas } from '@prismapi/jsonapi/schema/resource-schema'
import { alone } from './alone.ts'

// What belongs to a stream is what GET would show: each of these goes the way of a GET, and asks for fewer rows.

/** What can be watched: a collection, a resource, or the targets of a to-many relation. */
export type Watchable =
  | (CollectionOperation & { readonly kind: 'viewAny' })
  | (ResourceOperation & { readonly kind: 'view' })
  | (RelationOperation & { readonly kind: 'viewRelated'; readonly relation: ToMany })

export const isWatchable = (op: Operation | null): op is Watchable =>
  op?.kind === 'viewAny' || op?.kind === 'view' || (op?.kind === 'viewRelated' && isToMany(op.relation))

/** The type whose resources are watched. */
export const watchedSchema = (ctx: Pick<ServerContext, 'server'>, op: Watchable): ResourceSchema =>
  op.kind === 'viewRelated' ? schemaOf(ctx.server.schemas, op.relation.model) : op.schema

/** A resource as an event shows it. */
export interface EventResource {
  readonly text: string
  /** Says whether it is the same as before. */
  readonly digest: string
}

/** Resources by their ids. */
export type EventResources = ReadonlyMap<string, EventResource>

/** What GET answers at this moment, and each resource of it by itself. */
export async function readSnapshot(
  ctx: ServerContext,
  op: Watchable,
): Promise<{ readonly text: string; readonly shown: EventResources }> {
  if (op.kind === 'view') {
    const document = (await fetchOne(ctx, op)).document as DataDocument
    return { text: textOf(ctx, document), shown: new Map([[idOf(document) ?? op.id, shownIn(document)]]) }
  }
  if (op.kind === 'viewRelated') {
    const { relation } = op
    const checked = await checkRelated(ctx, op)
    const parts = { relation, query: checked.query, schema: watchedSchema(ctx, op) }
    const members = await readMembers(ctx, checked.parent, parts)
    return answered(ctx, await membersDocument(ctx, checked, members), members.resources, checked.query)
  }
  const checked = await checkMany(ctx, op)
  const collection = await readCollection(ctx, planMany(checked), checked.query)
  return answered(ctx, await manyDocument(ctx, checked, collection), collection.resources, checked.query)
}

/** As the resource spells it, whatever its URL does. */
const idOf = ({ data }: DataDocument): string | undefined => (data as { readonly id?: string } | null)?.id

const answered = async (ctx: ServerContext, document: Document, resources: readonly Resource[], query: Query) => ({
  text: textOf(ctx, document),
  shown: await renderEach(ctx, resources, query),
})

function textOf({ at, limits: { documentBytes } }: ServerContext, document: Document): string {
  const text = documentText(document)
  if (Buffer.byteLength(text) > documentBytes) throw documentTooLarge(sizeParameter(at), documentBytes)
  return text
}

/** So many resources are read at once. */
const together = 100

/**
 * The resources that belong now: those of the given keys, or all.
 *
 * @throws {JsonApiError} as GET does; 400 for more resources or text than a document may have, and for a read that
 * costs too much
 */
export async function readWatched(
  ctx: ServerContext,
  op: Watchable,
  keys: readonly Row[] | null,
): Promise<EventResources> {
  if (op.kind === 'view') return (await readSnapshot(ctx, op)).shown
  const { plan, query } = await planWatched(ctx, op)
  const ids = keys ?? (await readIds(ctx, plan, query))
  const shown = new Map<string, EventResource>()
  let bytes = 0
  for (let i = 0; i < ids.length; i += together) {
    // SQLite answers at once: the server answers others between two parts.
    if (i > 0) await new Promise(setImmediate)
    const only = idsWhere(plan.schema, ids.slice(i, i + together))
    const { resources } = await readCollection(ctx, { ...plan, where: all(plan.where, only), order: noOrder }, query)
    for (const [id, each] of await renderEach(ctx, resources, query)) {
      shown.set(id, each)
      bytes += each.text.length
    }
    if (bytes > ctx.limits.documentBytes) throw documentTooLarge(sizeParameter(ctx.at), ctx.limits.documentBytes)
  }
  return shown
}

/** Whether resources of the type are shown inside of others, or have parents of their own type. */
export async function showsItself(ctx: ServerContext, op: Watchable): Promise<boolean> {
  const schema = watchedSchema(ctx, op)
  if (op.kind === 'viewRelated' && op.schema === schema) return true
  const { include } = op.kind === 'view' ? await queryOf(ctx, op) : (await planWatched(ctx, op)).query
  return leadsTo(ctx, schema, include, schema)
}

const leadsTo = (ctx: ServerContext, from: ResourceSchema, include: IncludeTree, to: ResourceSchema): boolean =>
  [...include].some(([name, further]) => {
    const relation = from.relations.get(name)
    const targets = relation ? targetSchemas(ctx.server.schemas, relation) : []
    return targets.some((target) => target === to || leadsTo(ctx, target, further, to))
  })

/** The whole collection, whatever its order and its pages. */
async function planWatched(ctx: ServerContext, op: Exclude<Watchable, ResourceOperation>) {
  if (op.kind === 'viewRelated') {
    const { parent, query } = await checkRelated(ctx, op)
    const whole = wholeOf(query)
    return {
      plan: planMembers(ctx, parent, { relation: op.relation, schema: watchedSchema(ctx, op), query: whole }),
      query: whole,
    }
  }
  const checked: CheckedCollection = await checkMany(ctx, op)
  const query = wholeOf(checked.query)
  return { plan: planMany({ ...checked, query }), query }
}

const wholeOf = (query: Query): Query => ({ ...query, page: null, stats: [], order: noOrder })

/**
 * Reports the price of reading everything once to the request's observer. @throws {JsonApiError} 400 if it is too high
 */
export async function priceWatched(ctx: ServerContext, op: Watchable): Promise<number> {
  if (op.kind === 'view') {
    await queryOf(ctx, op)
    return pointsOfResource
  }
  const { plan, query } = await planWatched(ctx, op)
  return (await priceWhole(ctx, plan, query)).points
}

const priceWhole = async (ctx: ServerContext, plan: CollectionPlan, query: Query) =>
  checkPrice(ctx, { query, plan, schemas: [plan.schema], parents: ctx.limits.resources })

/** The whole is priced at once, before it is read in parts. */
async function readIds(ctx: ServerContext, plan: CollectionPlan, query: Query): Promise<readonly Row[]> {
  const { schema, visibility, where } = plan
  const most = ctx.limits.resources
  await priceWhole(ctx, plan, query)
  const rows = await ctx.rows.read(visibility, { ...planLevel(schema, schema.id.columns, where), take: most + 1 })
  if (rows.length > most) throw tooManyResources(sizeParameter(ctx.at), most)
  return rows
}

async function renderEach(ctx: ServerContext, resources: readonly Resource[], query: Query): Promise<EventResources> {
  const shown = new Map<string, EventResource>()
  for await (const resource of inTurns(resources)) {
    const own = alone(resource, query.include)
    shown.set(resource.id, shownIn(await resourceDocument(ctx, own, { query, url: '' })))
  }
  return shown
}

function shownIn({ links, meta, ...document }: DataDocument): EventResource {
  const text = documentText(document)
  return { text, digest: hash('sha256', text, 'base64url').slice(0, 16) }
}
