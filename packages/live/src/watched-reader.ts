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
import { rowOfLoggedKey } from './row-of-logged-key.ts'

/** The request that a watch reads as. Its callers see the same, so any of their requests will do. */
export interface Watched {
  readonly call: Call
  readonly op: Watchable
}

/** The rows of the type that changes are about, by their ids, and whether others may be touched. */
interface ChangedRows {
  /** Rows that came, went, or changed in a column that the callers see in every row: in the order of the changes. */
  readonly withSeenChange: ReadonlyMap<string, Row>
  /** The others: a client must not learn when they were changed. */
  readonly withUnseenChange: ReadonlyMap<string, Row>
  readonly hasOthers: boolean
}

/** Reads what streams watch, each time as a request that comes now, and notes what the answer depends on. */
export class WatchedReader {
  readonly schema: ResourceSchema
  private readonly watched: Watched
  private readonly models = new NotedModels()
  /** The most resources that may be watched. */
  most = Number.POSITIVE_INFINITY
  /** The most bytes of text that may be watched. */
  mostBytes = Number.POSITIVE_INFINITY
  /** What it costs to read all of it, where prices are counted. */
  points = 0
  /** The columns that the callers see of each row. */
  private seen: ReadonlySet<string> = new Set()
  /** Resources of the type are shown inside of others, or are their parents; null before that was looked at. */
  private readsItself: boolean | null = null
  /** The id of the one resource that is watched, once it was read. */
  private canonicalId: string | null = null

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
    const { readModels, conditionModels } = this.models
    const { op } = this.watched
    const withSeenChange = new Map<string, Row>()
    const withUnseenChange = new Map<string, Row>()
    let hasOthers = false
    for (const { model, key, columns } of changes) {
      const isOwn = model === this.schema.model.name
      hasOthers ||= conditionModels.has(model) || (isOwn ? this.readsItself !== false : readModels.has(model))
      if (!isOwn) continue
      const row = rowOfLoggedKey(this.schema, key)
      const id = row && this.schema.id.format(row)
      // The ids differ only in case, accents, width or spaces at the end. Only the database knows whether they are the
      // same row, so read all.
      const mayBeSameId = op.kind === 'view' && id !== null && areAlike(id, this.canonicalId ?? op.id)
      if (row === null || id === null || mayBeSameId) hasOthers = true
      else if (op.kind !== 'view' || (this.canonicalId ?? op.id) === id) {
        const isSeen = columns === null || columns.some((name) => this.seen.has(name))
        const rows = isSeen ? withSeenChange : withUnseenChange
        // Behind those that changed before its last change.
        rows.delete(id)
        rows.set(id, row)
      }
    }
    for (const id of withSeenChange.keys()) withUnseenChange.delete(id)
    return { withSeenChange, withUnseenChange, hasOthers }
  }

  // Read the rows before `showsItself`, so that errors come in the same order as in GET.
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
    if (this.watched.op.kind === 'view' && id !== undefined) this.canonicalId = id
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
