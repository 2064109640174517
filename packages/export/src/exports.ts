import { Readable } from 'node:stream'
import type { Feature, ServeParts } from '@prismapi/core/api/feature'
import { ceilingOf } from '@prismapi/core/auth/caller'
import type { Authenticate } from '@prismapi/core/http/api'
import { Call, contextOf } from '@prismapi/core/http/call'
import { contextFor } from '@prismapi/core/http/execution'
import type { HttpStage } from '@prismapi/core/http/plugin'
import { DearRequests } from '@prismapi/core/http/throttling'
import { loggedError } from '@prismapi/core/server/logger'
import type { ServerContext } from '@prismapi/core/server/serving'
import { forbidden, notInExport } from '@prismapi/jsonapi/document/errors'
import { throwAny } from '@prismapi/jsonapi/query/failures'
import { wellFormedParameters } from '@prismapi/jsonapi/query/parameters'
import { FeatureKey } from '@prismapi/jsonapi/request/features'
import { withParts } from '@prismapi/jsonapi/request/hook-context'
import type { CollectionOperation, Operation } from '@prismapi/jsonapi/request/operation'
import { isToMany } from '@prismapi/jsonapi/schema/relation-kinds'
import { describedExports } from './described-exports.ts'
import { type Format, formats, wantedFormat } from './formats.ts'
import { exportGroups } from './groups.ts'
import type { Lines } from './lines.ts'
import { type Exported, exportRows } from './rows.ts'

/** A client may have so many exports at the same time, and all of them together. */
const places = { atOnce: 16, atOnceOfClient: 4, waiting: 0, waitingOfClient: 0 }
/** A client that reads nothing for so long is cut off. */
const silenceMilliseconds = 60_000

/**
 * Collections and groups as CSV and NDJSON, by `Accept: text/csv` or `application/x-ndjson`: all rows that the caller
 * sees, sent while the client reads. It needs no option.
 */
export const exports: Feature = {
  compiled: { key: new FeatureKey<true>('exports'), compile: () => true, openapi: () => describedExports },
  serve: (parts) => {
    const going = new DearRequests(places)
    return () => ({ located: chooseFormat, prepared: answer(parts, going), page: { downloads } })
  },
}

/** What pages offer. */
const downloads = { CSV: 'text/csv', NDJSON: 'application/x-ndjson' } as const

const chooseFormat: HttpStage = (next) => (call) => {
  const { koa, operation } = call
  if (isExportable(operation)) call.mediaType = wantedFormat(koa.req.headers.accept)?.mediaType ?? null
  return next(call)
}

const isGroups = (op: Operation): op is CollectionOperation & { readonly kind: 'viewStats' } => op.kind === 'viewStats'

const isExportable = (op: Operation | null): op is Exported | (CollectionOperation & { readonly kind: 'viewStats' }) =>
  op?.kind === 'viewAny' || op?.kind === 'viewStats' || (op?.kind === 'viewRelated' && isToMany(op.relation))

const answer =
  ({ options }: ServeParts, going: DearRequests): HttpStage =>
  (next, { server }) => {
    const authenticate = server.authenticate ?? options.authenticate ?? (() => null)
    return async (call) => {
      const { koa, operation, mediaType } = call
      const format = formats.find((each) => each.mediaType === mediaType)
      if (!format || !isExportable(operation)) return next(call)
      refuseOthers(call)
      const place = going.placeFor(koa)
      await place.take(Number.POSITIVE_INFINITY)
      koa.res.once('close', () => place.leave())
      const ctx = named(contextOf(call))
      const lines = isGroups(operation)
        ? await exportGroups(ctx, operation)
        : await exportRows(ctx, operation, () => renewed(call, authenticate))
      const body = koa.method === 'HEAD' ? null : await opened(call, textOf(lines, format))
      setHeaders(call, format, lines.name)
      if (body) koa.body = body
      // Koa takes a stream for bytes of no kind.
      koa.set('Content-Type', format.contentType)
      koa.res.setTimeout(silenceMilliseconds, () => koa.res.destroy())
    }
  }

/** To-one relations are named by the ids that rows have of them. */
const named = (ctx: ServerContext): ServerContext => withParts(ctx, { namesTargets: true })

/** All rows are exported, and no resources beside them. @throws {JsonApiError} 400 */
function refuseOthers({ at, operation }: Call): void {
  const families = operation?.kind === 'viewStats' ? ofPages : ofDocuments
  const others = wellFormedParameters(at).filter(({ family }) => families.has(family))
  throwAny(others.map(({ key }) => notInExport(key)))
}

const ofPages: ReadonlySet<string> = new Set(['page'])
const ofDocuments: ReadonlySet<string> = new Set(['page', 'include', 'includePage', 'withCount', 'withStats'])

function setHeaders({ koa }: Call, { extension }: Format, name: string): void {
  koa.status = 200
  koa.vary('Accept')
  koa.set('Cache-Control', 'no-store')
  koa.set('X-Content-Type-Options', 'nosniff')
  koa.attachment(`${name}.${extension}`)
}

/**
 * The same request as one that comes now.
 *
 * @throws {JsonApiError} 403 where something is known of the user that was not known before
 */
async function renewed(call: Call, authenticate: Authenticate): Promise<ServerContext> {
  const { koa, api, operation, negotiated, store } = call
  const user = (await authenticate(koa)) ?? null
  if (rightsOf(user) !== rightsOf(call.user)) throw forbidden()
  const now = Object.assign(new Call(koa, api), { user, operation, negotiated, store })
  return named(await contextFor(now))
}

/** What is known of a user. Instants, such as that of the last request, are no rights. */
const rightsOf = (user: unknown): string =>
  JSON.stringify([user ?? null, ceilingOf(user)?.name ?? null], function (this: Record<string, unknown>, key, value) {
    if (this[key] instanceof Date) return null
    return typeof value === 'bigint' ? `${value}n` : value
  })

async function* textOf({ headings, parts }: Lines, format: Format): AsyncGenerator<string> {
  let text = format.head(headings)
  for await (const lines of parts()) {
    for (const values of lines) text += format.line(headings, values)
    if (text !== '') yield text
    text = ''
  }
  if (text !== '') yield text
}

/** A stream of texts, of which the first is there: what fails before it is answered with an error. */
async function opened(call: Call, texts: AsyncGenerator<string>): Promise<Readable> {
  const { value: first } = await texts.next()
  return Readable.from(following(call, first ?? '', texts), { objectMode: false })
}

async function* following(call: Call, first: string, texts: AsyncGenerator<string>): AsyncGenerator<string> {
  try {
    yield first
    yield* texts
  } catch (err) {
    const { koa, api } = call
    api.server.logger.warn({ err: loggedError(err), path: call.path }, 'An export has ended before its last row')
    // Half a file must not look like a whole one.
    koa.res.destroy()
  }
}
