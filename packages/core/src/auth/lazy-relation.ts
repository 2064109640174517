import { type Identifier, isObject } from '@prismapi/jsonapi/document/types'
import type { Row } from '@prismapi/jsonapi/model/where'
import { isToMany, type Relation } from '@prismapi/jsonapi/schema/relation-kinds'
import { targetSchemas } from '@prismapi/jsonapi/schema/resource-schema'
import type { RelatedRows } from '../read/find.ts'
import type { ReadContext } from '../read/read-context.ts'

/** What a client submitted for a to-one relation, before it is validated. It is loaded once, when it is read. */
export interface LazyToOne<T = Row> {
  /** The submitted row. Null for `null`, and for an identifier that is malformed, unknown, hidden or mistyped. */
  get(): Promise<T | null>
}

/** What a client submitted for a to-many relation: all, the added or the removed ones, by the action. */
export interface LazyToMany<T = Row> extends AsyncIterable<T> {
  /** The submitted rows, in order. Identifiers that are malformed, unknown, hidden or of a wrong type are skipped. */
  collect(): Promise<T[]>
}

/** What a client submitted for a relation, to one or to many. */
export type LazyRelation = LazyToOne | LazyToMany

type RelationContext = Pick<ReadContext, 'server' | 'limits' | 'preparation'>

/** The value of a relation as the raw body states it; reading it never fails because of what the client sent. */
export function lazyRelation(
  ctx: RelationContext,
  relation: Relation,
  body: unknown,
  related: Pick<RelatedRows, 'find'>,
): LazyRelation {
  const load = once(async () => {
    ctx.preparation.hasReadOthers = true
    const rows = await related.find(submitted(ctx, relation, body))
    return rows.filter((row): row is Row => row !== null)
  })
  if (!isToMany(relation)) return Object.freeze({ get: async () => (await load())[0] ?? null })
  return Object.freeze({
    collect: async () => [...(await load())],
    async *[Symbol.asyncIterator]() {
      yield* await load()
    },
  })
}

function submitted(ctx: RelationContext, relation: Relation, body: unknown): readonly Identifier[] {
  const data = isObject(body) && Object.hasOwn(body, 'data') ? body.data : null
  const types = new Set(targetSchemas(ctx.server.schemas, relation).map((schema) => schema.type))
  if (!isToMany(relation)) return toIdentifiers([data], types)
  // A longer list is refused when the document is checked; here it must merely not be loaded.
  return toIdentifiers(Array.isArray(data) ? data.slice(0, ctx.limits.linkage) : [], types)
}

/** The identifiers among the items, each once. */
function toIdentifiers(items: readonly unknown[], types: ReadonlySet<string>): readonly Identifier[] {
  const found = new Map<string, Identifier>()
  for (const item of items) {
    if (!isObject(item)) continue
    const { type, id } = item
    if (typeof type !== 'string' || !types.has(type) || typeof id !== 'string' || id === '') continue
    found.set(JSON.stringify([type, id]), { type, id })
  }
  return [...found.values()]
}

function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | null = null
  return () => {
    loading ??= load()
    return loading
  }
}
