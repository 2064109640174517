import { createHash, hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { invalidHeader, preconditionFailed } from '@prismapi/jsonapi/document/errors'
import { documentParts, documentText } from '@prismapi/jsonapi/document/rendered'
import { say } from '@prismapi/jsonapi/document/text'
import { type Document, type JsonApiObject, jsonApiMediaType } from '@prismapi/jsonapi/document/types'
import { type Awaitable, othersFirst } from '@prismapi/jsonapi/model/awaitable'
import { type Precondition, type Versions, versionEnd, versionIn } from '@prismapi/jsonapi/request/operation'
import type { Context } from 'koa'
import { splitUnquoted } from '../request/headers.ts'

/**
 * Answers with a document; with none where that is null. Answers depend on who asks. So the client's own cache may keep
 * one, and asks again before each use. No cache keeps an error.
 *
 * @example
 * respond(ctx, 201, document, { Location: self })
 */
export function respond(
  ctx: Context,
  status: number,
  document: Document | null,
  headers: Readonly<Record<string, string>> = {},
): void {
  send(ctx, { status, document, headers }, document && [toBytes(documentText(document))])
}

/** What is answered with. */
export interface Answered {
  readonly status: number
  readonly document: Document | null
  readonly headers?: Readonly<Record<string, string>>
  /** With one, or null for none, the answer has an ETag, and is 304 to who has it already. */
  readonly version?: string | null | undefined
  /** May refuse the number of its bytes. */
  readonly checkSize?: ((bytes: number) => void) | undefined
}

/** Answers with a document that may be long: then others have their turn while its bytes are made. */
export function respondInTurns(ctx: Context, answer: Answered): Awaitable<void> {
  const { document, checkSize } = answer
  const parts = document && documentParts(document)
  if (parts) return bytesOf(parts, checkSize).then((bytes) => send(ctx, answer, bytes))
  const bytes = document && [toBytes(documentText(document))]
  if (bytes) checkSize?.(lengthOf(bytes))
  send(ctx, answer, bytes)
}

async function bytesOf(parts: Iterable<string>, checkSize: Answered['checkSize']): Promise<readonly Buffer[]> {
  const bytes: Buffer[] = []
  let length = 0
  for (const part of parts) {
    await othersFirst()
    const some = toBytes(part)
    bytes.push(some)
    length += some.length
    checkSize?.(length)
  }
  await othersFirst()
  return bytes
}

const lengthOf = (parts: readonly Buffer[]): number => parts.reduce((sum, part) => sum + part.length, 0)

/**
 * An answer whose bytes are ready to be sent, to whoever asks for the same.
 *
 * @internal
 */
export interface ReadyAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Null where `headers` say it, or there is no document. */
  readonly mediaType: string | null
  /** Null for none. */
  readonly etag: string | null
  /** Null for an answer without a body. */
  readonly bytes: Buffer | null
}

/** The bytes of an answer; null where it has no document, or a long one, which is made part by part. */
export function readyAnswer({ status, document, headers = {}, version }: Answered): ReadyAnswer | null {
  if (document === null || documentParts(document)) return null
  const bytes = toBytes(documentText(document))
  const etag = version === undefined ? null : makeETag(version, [bytes])
  return Object.freeze({ status, headers, mediaType: mediaTypeOf(document.jsonapi), etag, bytes })
}

/** Answers with bytes that are ready, or with 304. */
export function respondReady(ctx: Context, { bytes, ...answer }: ReadyAnswer): void {
  sendParts(ctx, answer, bytes && [bytes])
}

function send(
  ctx: Context,
  { status, document, headers = {}, version }: Answered,
  parts: readonly Buffer[] | null,
): void {
  const mediaType = document && mediaTypeOf(document.jsonapi)
  const etag = version === undefined || parts === null ? null : makeETag(version, parts)
  sendParts(ctx, { status, headers, mediaType, etag }, parts)
}

function sendParts(
  ctx: Context,
  { status, headers, mediaType, etag }: Omit<ReadyAnswer, 'bytes'>,
  parts: readonly Buffer[] | null,
): void {
  // The client was told that its time is over; what comes of it now is answered to no client.
  if (ctx.res.headersSent) return
  const isKnown = etag !== null && setETag(ctx, etag)
  const { res } = ctx
  if (res.hasHeader('Vary')) ctx.vary('Accept')
  else res.setHeader('Vary', 'Accept')
  res.setHeader('X-Content-Type-Options', 'nosniff')
  res.setHeader('Cache-Control', status < 400 ? 'private, no-cache' : 'no-store')
  // Not by `ctx.type`, which would add a charset, which JSON:API forbids.
  if (mediaType !== null && !isKnown) res.setHeader('Content-Type', mediaType)
  setBody(ctx, isKnown ? null : parts)
  // After the body: Koa makes a 204 of every empty one.
  ctx.status = isKnown ? 304 : status
  for (const name in headers) ctx.set(name, headers[name] as string)
}

/** Bytes, because they are asked for thrice: by the entity tag, for their number, and by the socket. */
function toBytes(text: string): Buffer {
  if (text.length > shortText) return Buffer.from(text)
  // Encoded where there is room for whatever it may need, and copied: sooner done than asking for its length first.
  const { written } = encoder.encodeInto(text, room)
  return Buffer.from(room.subarray(0, written))
}

const encoder = new TextEncoder()
const shortText = 131_072
/** Three bytes for each unit of UTF-16 are the most. */
const room = new Uint8Array(3 * shortText)

function setBody(ctx: Context, parts: readonly Buffer[] | null): void {
  if (parts === null || parts.length === 1) {
    ctx.body = parts?.[0] ?? null
    return
  }
  ctx.body = Readable.from(parts, { objectMode: false })
  ctx.length = lengthOf(parts)
}

/** The media type with what was applied to the document. */
export function mediaTypeOf({ ext, profile }: JsonApiObject): string {
  if (!ext && !profile) return jsonApiMediaType
  const parameters = Object.entries({ ext, profile }).map(([name, uris]) => uris && `;${name}="${uris.join(' ')}"`)
  return jsonApiMediaType + parameters.filter(Boolean).join('')
}

type Headers = Pick<IncomingMessage, 'headers'>

/**
 * The entity tag of a body. It is strong where it begins with a version, which `If-Match` of a write is compared with;
 * others say nothing but whether the body is the same.
 */
export const makeETag = (version: string | null, body: readonly Uint8Array[]): string =>
  version === null ? `W/"${digestOf(body)}"` : `"${version}${versionEnd}${digestOf(body)}"`

// SHA-1 takes a third of the time of SHA-256 on processors that have an instruction for neither. A client gains nothing
// by forging a tag.
function digestOf([whole = new Uint8Array(), ...more]: readonly Uint8Array[]): string {
  if (more.length === 0) return hash('sha1', whole, 'base64url').slice(0, 22)
  const digest = createHash('sha1').update(whole)
  for (const part of more) digest.update(part)
  return digest.digest('base64url').slice(0, 22)
}

/**
 * Gives the answer its entity tag. To who reads, and has that very body already, nothing more needs to be said.
 * @returns true where the answer is 304.
 * @throws {JsonApiError} 412 where the client takes no other body than one that it names.
 */
export function setETag(ctx: Context, etag: string): boolean {
  ctx.set('ETag', etag)
  return (ctx.method === 'GET' || ctx.method === 'HEAD') && isUnmodified(ctx.req, etag)
}

function isUnmodified({ headers }: Headers, etag: string): boolean {
  const match = headers['if-match']
  if (
    match !== undefined &&
    !parseTags('If-Match', match).some((tag) => tag === '*' || (isStrong(tag) && tag === etag))
  )
    throw preconditionFailed(say`The answer has another entity tag than those of If-Match.`, null)
  const noneMatch = headers['if-none-match']
  return (
    noneMatch !== undefined && splitUnquoted(noneMatch, ',').some((tag) => tag === '*' || opaque(tag) === opaque(etag))
  )
}

/** What a write's headers say of the resource that it changes; null where that is nothing. */
export function parsePrecondition({ headers }: Headers): Precondition | null {
  const match = headers['if-match']
  const noneMatch = headers['if-none-match']
  if (match === undefined && noneMatch === undefined) return null
  return Object.freeze({
    match: match === undefined ? null : toVersions(parseTags('If-Match', match).filter(isStrong)),
    noneMatch: noneMatch === undefined ? null : toVersions(parseTags('If-None-Match', noneMatch).map(opaque)),
    pointer: null,
  })
}

const toVersions = (tags: readonly string[]): Versions =>
  tags.includes('*') ? 'any' : tags.map((tag) => versionIn(tag.slice(1, -1)))

const isStrong = (tag: string): boolean => !tag.startsWith('W/')
const opaque = (tag: string): string => tag.replace(/^W\//, '')

const entityTag = /^(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"$/

/** @throws {JsonApiError} 400 */
function parseTags(name: string, header: string): readonly string[] {
  const tags = splitUnquoted(header, ',').filter((tag) => tag !== '')
  const isWell = header.trim() === '*' || (tags.length > 0 && tags.every((tag) => entityTag.test(tag)))
  if (!isWell) throw invalidHeader(say`The ${name} header must be * or a list of entity tags in double quotes.`)
  return tags
}

/** The document that is the answer, which may be bytes, or sent in parts; null where it is none. */
export async function readAnswer({ body, response }: Context): Promise<string | null> {
  if (!String(response.get('Content-Type')).startsWith(jsonApiMediaType)) return null
  if (body instanceof Readable) return text(body)
  return typeof body === 'string' || Buffer.isBuffer(body) ? body.toString() : null
}
