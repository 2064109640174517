import { mediaTypeOf } from '@prismapi/core/http/response/respond'
import type { CompiledServer } from '@prismapi/core/server/compile'
import { answerFaults, internals } from '@prismapi/testing/internal/kit/judges/answer-faults'
import { documentFaults } from '@prismapi/testing/internal/kit/judges/document-faults'
import { isObject } from '@prismapi/testing/internal/kit/judges/judged'
import { lackedIn } from '@prismapi/testing/internal/kit/tested'
import type { TestRequest } from '@prismapi/testing/internal/send'
import { hiddenFields } from '../../../test/support/hidden-fields.ts'
import type { Received } from '../app.ts'

/** Says what is wrong with an answer. */
export type Judge = (server: CompiledServer, sent: TestRequest, received: Received) => readonly string[]

const mayLack = lackedIn(hiddenFields)

/** An answer that is a document of JSON:API, or nothing. */
export const documentJudge: Judge = (server, sent, received) => {
  const { status, headers } = received
  // What another one has locked is 503, and says when to come back.
  if (status === 503 && headers['retry-after'] !== undefined) return []
  const text = isExplained(sent) ? withoutExplanation(received.text) : received.text
  const header = (name: string) => headerOf(received, name)
  // What ends at the authorization has neither data nor links, wherever it was sent.
  if (status < 400 && endsEarly(sent))
    return documentFaults({ ...sent, url: sent.path, status, header, text }, { version: server.version, primary: null })
  return answerFaults({ ...server, mayLack }, sent, { status, text, headers: { get: header } })
}

const headerOf = ({ headers }: Received, name: string): string | null => {
  const value = headers[name]
  return value === undefined ? null : String(value)
}

const isExplained = ({ headers }: TestRequest): boolean => /explain/.test(headers?.Prefer ?? '')

const endsEarly = ({ headers }: TestRequest): boolean => /explain=authorization/.test(headers?.Prefer ?? '')

/** An explanation is there to tell of the inside. */
function withoutExplanation(text: string): string {
  if (text === '') return text
  const document: unknown = JSON.parse(text)
  if (!isObject(document) || !isObject(document.meta)) return text
  const { explain: _, ...meta } = document.meta
  return JSON.stringify({ ...document, meta })
}

/** A page, a way to another one, or a document where the client gets no page. */
export const pageJudge: Judge = (server, sent, received) => {
  const { status, text } = received
  if (status === 303) return redirectFaults(server, received)
  if (!headerOf(received, 'content-type')?.startsWith('text/html')) return documentJudge(server, sent, received)
  if (status >= 500 && headerOf(received, 'retry-after') === null) return [`the answer is ${status} ${text}`]
  const isWhole = sent.method === 'HEAD' || /^<!doctype html>\n<html lang="[a-z]+".*<\/html>$/s.test(text)
  return [
    ...(isWhole ? [] : [`the page is cut off: ${text.slice(-200)}`]),
    ...(sent.method === 'HEAD' && text !== '' ? ['HEAD: a body'] : []),
    ...(headerOf(received, 'content-security-policy')?.includes("default-src 'none'")
      ? []
      : ['the page has no policy']),
    ...(/<img src=x|<script>|javascript:alert\(1\)"/.test(text) ? ['the page has what a client sent, as it is'] : []),
    ...(status >= 400 && internals.test(text) ? [`the page tells of the inside: ${internals.exec(text)}`] : []),
  ]
}

/** Readers are sent to pages of the same server alone. */
function redirectFaults({ basePath }: CompiledServer, received: Received): readonly string[] {
  const to = headerOf(received, 'location') ?? ''
  const isOwn = to === basePath || to.startsWith(`${basePath}/`) || to.startsWith(`${basePath}?`)
  return [...(isOwn ? [] : [`the reader is sent to ${to}`]), ...(received.text === '' ? [] : ['303: a body'])]
}

const events = new Set(['snapshot', 'upsert', 'remove', 'reset', 'end'])

/** The beginning of a stream, or a document where the client gets no stream. */
export const streamJudge: Judge = (server, sent, received) => {
  const { status, text } = received
  if (headerOf(received, 'content-type') !== 'text/event-stream') return documentJudge(server, sent, received)
  const [block = ''] = text.split('\n\n')
  const lines = block.split('\n')
  const field = (name: string) =>
    lines
      .find((line) => line.startsWith(`${name}:`))
      ?.slice(name.length + 1)
      .trimStart()
  return [
    ...(status === 200 ? [] : [`a stream with ${status}`]),
    ...(headerOf(received, 'cache-control') === 'no-store' ? [] : ['a stream that caches may keep']),
    // One that goes on says nothing until something happens.
    ...(block === '' ? [] : eventFaults(server, sent, { event: field('event'), id: field('id'), data: field('data') })),
  ]
}

interface Told {
  readonly event: string | undefined
  readonly id: string | undefined
  readonly data: string | undefined
}

function eventFaults(
  server: CompiledServer,
  sent: TestRequest,
  { event = '', id, data = '' }: Told,
): readonly string[] {
  if (!events.has(event) || !id) return [`the event ${event} with the id ${id} is none of a stream`]
  if (event === 'reset' || event === 'end') return []
  if (event === 'remove') return /^\{"data":\{"type":"[^"]+","id":"[^"]+"\}\}$/.test(data) ? [] : [`remove of ${data}`]
  // What was applied is said by the document alone.
  const headers = { 'content-type': mediaTypeOf(JSON.parse(data).jsonapi ?? {}), vary: 'Accept' }
  const faults = documentJudge(server, { method: 'GET', path: sent.path }, { status: 200, headers, text: data })
  // A resource that came or changed is told without links of its document.
  return event === 'upsert' ? faults.filter((fault) => fault !== 'links.self is missing') : faults
}

/** What describes a server: JSON, a page, a style or a script. */
export const descriptionJudge: Judge = (server, sent, received) => {
  const { status, text } = received
  const type = headerOf(received, 'content-type') ?? ''
  if (type.startsWith('text/html')) return pageJudge(server, sent, received)
  if (status >= 400 || status === 204) return documentJudge(server, sent, received)
  if (type.startsWith('application/json'))
    return text === '' || isDescription(text) ? [] : ['this is no OpenAPI document']
  if (/^text\/(?:css|javascript)/.test(type)) return []
  return status === 304 ? [] : documentJudge(server, sent, received)
}

const isDescription = (text: string): boolean => /^3\./.test((JSON.parse(text) as { openapi?: string }).openapi ?? '')
