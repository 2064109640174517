import { manyMark, newMark, rowMark, sentMethod, sentSeal, sentVersion } from '../../browse/data/page-request.ts'
import { putFields } from '../../browse/forms/sent-fields.ts'
import { operationsOf } from '../../browse/many/sent.ts'
import { badRequest } from '../../document/errors.ts'
import { atomicExtension } from '../../document/profiles.ts'
import { say } from '../../document/text.ts'
import type { Call } from '../call.ts'
import { jsonApiMediaType } from '../request/negotiate.ts'
import { operationOf } from '../routes.ts'
import { acceptSeal, refuseOthers, refuseUntold } from './browser-session.ts'
import { readForm } from './read-form.ts'

/**
 * Does a page send a form here without a script: to a resource, to which no client posts anything, or to a collection as only the page
 * says that creates, or to where operations are sent, which no client sends as a form.
 */
export const isSentForm = ({ koa, route, isAtomic }: Call): boolean =>
  koa.method === 'POST' &&
  koa.is('urlencoded') === 'urlencoded' &&
  (isAtomic ||
    route?.pattern === '/:type/:id' ||
    (route?.pattern === '/:type' && new URLSearchParams(koa.search).has(newMark)))

/** A form that was sent, and the session that it is of; null for a guest. */
export interface SentForm {
  readonly form: URLSearchParams
  readonly session: string | null
}

/**
 * Makes the request of the API that the form stands for, as the pages' script would.
 *
 * @throws {JsonApiError} 400 for a form that no page has, 403 for one that is not of a page of this server, 413
 */
export async function becomeRequest(call: Call): Promise<SentForm> {
  const { koa, route, api, isAtomic } = call
  refuseOthers(koa)
  const { limits } = api.server
  const form = await readForm(koa, { bytes: limits.bodyBytes, rows: isAtomic ? limits.operations : 0 })
  const isCreating = route?.pattern === '/:type'
  const known = isCreating || (isAtomic ? form.has(manyMark) : form.get(sentMethod) === 'DELETE')
  if (!known) throw badRequest(say`No page has this form.`)
  if (isAtomic && !form.has(rowMark)) throw badRequest(say`Choose at least one row.`)
  const session = acceptSeal(koa, form.get(sentSeal))
  if (session === null) refuseUntold(koa)
  const { headers } = koa.req
  for (const name of sentHeaders) delete headers[name]
  headers.accept = jsonApiMediaType
  if (isAtomic) {
    headers.accept = atomicMediaType
    sendDocument(call, operationsOf(form, limits), atomicMediaType)
    return { form, session }
  }
  if (isCreating) sendDocument(call, documentOf(form, route.about.schema.type))
  const version = form.get(sentVersion)
  if (version !== null) headers['if-match'] = version
  koa.method = isCreating ? 'POST' : 'DELETE'
  call.operation = route && operationOf(route, koa.method)
  return { form, session }
}

const atomicMediaType = `${jsonApiMediaType};ext="${atomicExtension}"`

const sentHeaders = [
  ...['content-type', 'content-length', 'content-encoding', 'transfer-encoding', 'if-none-match', 'if-match'],
]

function documentOf(form: URLSearchParams, type: string): object {
  const document = { data: { type } }
  putFields(form, document)
  return document
}

/** As if a client had sent it: it is read, and looked at, like every other. */
function sendDocument(call: Call, document: object, mediaType = jsonApiMediaType): void {
  call.bytes = Buffer.from(JSON.stringify(document))
  const { headers } = call.koa.req
  headers['content-type'] = mediaType
  headers['content-length'] = String(call.bytes.length)
}
