import { asTooLarge } from '@prismapi/core/actions/actions'
import { Call } from '@prismapi/core/http/call'
import { contextFor } from '@prismapi/core/http/execution'
import type { ServerContext } from '@prismapi/core/server/serving'
import { everything, isEverything } from '@prismapi/jsonapi/condition/build'
import { areAlike } from '@prismapi/jsonapi/condition/memory'
import { JsonApiError } from '@prismapi/jsonapi/document/error'
import type { Row } from '@prismapi/jsonapi/model/where'
import { withParts } from '@prismapi/jsonapi/request/hook-context'
import { noTracing } from '@prismapi/jsonapi/request/observer'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import type { Change } from './change-log.ts'
import { keyOf } from './key-of.ts'
import { NotedModels } from './noted-models.ts'
import {
  type EventResources,
  priceWatched,
  readSnapshot,
  readWatched,
  showsItself,
  type Watchable,
  watchedSchema,
} from './read-watched.ts'

/** A request for a stream that could be any of those that watch together. */
export interface Watched {
  readonly call: Call
  readonly op: Watchable
}

/** The rows of the type that changes are about, by their ids, and whether others may be touched. */
interface ChangedRows {
  /** Those of which something has changed that the callers see of each row, in the order of the changes. */
  readonly shown: ReadonlyMap<string, Row>
  /** The others: a client must not learn when they were changed. */
  readonly hidden: ReadonlyMap<string, Row>
  readonly hasOthers: boolean
}

/** Reads what streams watch, each time as a request that comes now, and notes what the answer depends on. */
export class WatchedReader {
  readonly schema: ResourceSchema
  private readonly watched: Watched
  private readonly models = new NotedModels()
  /** So many resources may be watched. */
  most = Number.POSITIVE_INFINITY
  /** What it costs to read all of it, where prices are counted. */
  points = 0
  /** And so many bytes of text. */
  mostBytes = Number.POSITIVE_INFINITY
  /** The columns that the callers see of each row. */
  private seen: ReadonlySet<string> = new Set()
  /** Resources of the type are shown inside of others, or are their parents; null before that was looked at. */
  private readsItself: boolean | null = null
  /** The id of the one resource that is watched, once it was read. */
  private spelt: string | null = null

  constructor(watched: Watched) {
    this.watched = watched
    this.schema = watchedSchema(watched.call.api, watched.op)
  }

  /** Time alone may change what belongs. */
  get dependsOnTime(): boolean {
    return this.models.dependsOnTime
  }

  /**
   * Charges a request's caller for a stream, where prices count. @throws {JsonApiError} 429 without points; as GET does
   */
  async charge({ observer }: Call): Promise<void> {
    if (!observer?.priced) return
    this.points = await priceWatched(withParts(await this.context(), { observer }), this.watched.op)
  }

  /**
   * What GET would return to the caller of a request, who pays. @throws {JsonApiError} as GET does; 429 without points
   */
  async snapshot({ observer }: Call): Promise<{ readonly text: string; readonly shown: EventResources }> {
    const priced = observer?.priced ? { observer: { ...noTracing, priced: observer.priced } } : {}
    const ctx = withParts(await this.context(), priced)
    const snapshot = await asTooLarge(ctx, () => readSnapshot(ctx, this.watched.op))
    this.noteSpelling(snapshot.shown)
    return snapshot
  }

  /** Those of these rows that belong, or all; nothing where GET refuses, which `onRefused` is told. */
  async readOrNothing(keys: readonly Row[] | null, onRefused: (error: JsonApiError) => void): Promise<EventResources> {
    try {
      return await this.read(await this.context(), keys)
    } catch (error) {
      if (!(error instanceof JsonApiError) || ![400, 401, 403, 404].includes(error.status)) throw error
      onRefused(error)
      return new Map()
    }
  }

  /** The rows that changes are about, and whether any other one may have come to belong, or left. */
  rowsOf(changes: readonly Change[]): ChangedRows {
    const { read, behind } = this.models
    const { op } = this.watched
    const shown = new Map<string, Row>()
    const hidden = new Map<string, Row>()
    let hasOthers = false
    for (const { model, key, columns } of changes) {
      const isOwn = model === this.schema.model.name
      hasOthers ||= behind.has(model) || (isOwn ? this.readsItself !== false : read.has(model))
      if (!isOwn) continue
      const row = keyOf(this.schema, key)
      const id = row && this.schema.id.format(row)
      // Only the database says whether that is another spelling of the one that is watched.
      const maybeSpelt = op.kind === 'view' && id !== null && areAlike(id, this.spelt ?? op.id)
      if (row === null || id === null || maybeSpelt) hasOthers = true
      else if (op.kind !== 'view' || (this.spelt ?? op.id) === id) {
        const rows = columns === null || columns.some((name) => this.seen.has(name)) ? shown : hidden
        // Behind those that changed before its last change.
        rows.delete(id)
        rows.set(id, row)
      }
    }
    for (const id of shown.keys()) hidden.delete(id)
    return { shown, hidden, hasOthers }
  }

  // What GET refuses is refused in its order: the query is looked at behind the rows.
  private async read(ctx: ServerContext, keys: readonly Row[] | null): Promise<EventResources> {
    this.most = ctx.limits.resources
    this.seen = seenColumns(ctx, this.schema)
    const shown = await asTooLarge(ctx, () => readWatched(ctx, this.watched.op, keys))
    this.noteSpelling(shown)
    this.mostBytes = ctx.limits.documentBytes
    this.readsItself ??= await showsItself(ctx, this.watched.op)
    return shown
  }

  /** Changes name a resource as it is spelt. */
  private noteSpelling(shown: EventResources): void {
    const [id] = shown.keys()
    if (this.watched.op.kind === 'view' && id !== undefined) this.spelt = id
  }

  private async context(): Promise<ServerContext> {
    const { koa, api, user, operation, negotiated } = this.watched.call
    const call = new Call(koa, api)
    Object.assign(call, { user, operation, negotiated, store: this.models.noting(api.store) })
    const context = await contextFor(call)
    return { ...context, seen: this.models.notingFields(context.seen) }
  }
}

/** Columns of which a field shows the value in each row that the caller sees. */
function seenColumns(ctx: ServerContext, { model, attributes, relations }: ResourceSchema): ReadonlySet<string> {
  const access = ctx.seen(model.name)
  const isSeen = ({ name }: { readonly name: string }) => isEverything(access?.fields.get(name) ?? everything)
  return new Set([
    ...[...attributes.values()]
      .filter(isSeen)
      .flatMap(({ column, writeOnly }) => (column && !writeOnly ? [column.name] : [])),
    ...[...relations.values()].filter(isSeen).flatMap((relation) => ('columns' in relation ? relation.columns : [])),
  ])
}
