import { findUser } from '@prismapi/core/http/authentication'
import type { Call } from '@prismapi/core/http/call'
import { actionRules } from '@prismapi/core/validation/run/validate-action'
import { badRequest, forbidden, payloadTooLarge, unauthorized } from '@prismapi/jsonapi/document/errors'
import { say } from '@prismapi/jsonapi/document/text'
import { jsonApiMediaType } from '@prismapi/jsonapi/document/types'
import { findOperation, type Operation, operationsPath } from '@prismapi/jsonapi/request/operation'
import { manyMark, newMark, rowMark, sentMethod, sentSeal, sentToken, sentVersion } from '../data/page-request.ts'
import { putFields, touched } from '../forms/sent-fields.ts'
import { actionsOf, operationsOf } from '../many/sent.ts'
import { signing as words } from '../texts/reading.ts'
import { acceptSeal, refuseOthers, refuseUntold, startSession, toAuthorization } from './browser-session.ts'
import { readForm } from './read-form.ts'

/** What the forms of pages do below a collection. Actions have a method of their own. */
const methods: Readonly<Record<string, readonly string[]>> = {
  '/:type/:id': ['PATCH', 'DELETE'],
  '/:type/:id/relationships/:relation': ['POST', 'PATCH', 'DELETE'],
  '/:type/:id/-actions/:action': ['POST', 'PUT', 'PATCH', 'DELETE'],
}

/**
 * Whether a page sends a form here without a script: to a resource, a relationship or an action, to the form of a
 * collection that creates, or to the operations. No client sends a form there.
 */
export const isSentForm = (call: Call): boolean =>
  call.koa.method === 'POST' &&
  call.koa.is('urlencoded') === 'urlencoded' &&
  (isOfMany(call) ||
    (call.route !== null && Object.hasOwn(methods, call.route.pattern)) ||
    (call.route?.pattern === '/:type' && new URLSearchParams(call.koa.search).has(newMark)))

/** Of many rows: every server takes them from its pages, whatever it offers to clients. */
export const isOfMany = ({ isAtomic, path, route }: Call): boolean =>
  isAtomic || (path === operationsPath && route === null)

/** A form may be longer than a document: it takes three bytes for a letter, and is shown again if it is too long. */
const formLength = 4

/**
 * Reads a form that a page has sent.
 *
 * @throws {JsonApiError} 400 for what is no form, 403 for one that is not of a page of this server, 413
 */
export async function readSent(call: Call): Promise<URLSearchParams> {
  const { koa, api, isAtomic } = call
  refuseOthers(koa)
  const { bodyBytes, operations } = api.server.limits
  return readForm(call, { bytes: formLength * bodyBytes, rows: isAtomic ? operations : 0 })
}

/**
 * The session of a form; null for a guest. A form with a token is signed in.
 *
 * @throws {JsonApiError} 400 for a form that no page has, 401 for a token of nobody, 403 for a form of no page of the
 * session
 */
export async function sessionOfForm(call: Call, form: URLSearchParams): Promise<string | null> {
  const { koa, route, isAtomic } = call
  if (isAtomic ? !form.has(manyMark) : methodOf(route, form) === null) throw badRequest(say`No page has this form.`)
  if (isAtomic && !form.has(rowMark)) throw badRequest(say`Choose at least one row.`)
  const token = form.get(sentToken)
  if (token !== null) return signIn(call, token)
  const seal = form.get(sentSeal)
  const session = acceptSeal(koa, seal)
  // Nobody writes as somebody else than the page was made for, nor as a guest.
  if (session === null && seal) throw forbidden(say`You have signed in or out since this page was made.`)
  if (session === null) refuseUntold(koa)
  return session
}

async function signIn(call: Call, token: string): Promise<string> {
  const { koa, api } = call
  refuseUntold(koa)
  const authorization = toAuthorization(koa, api.server, token)
  koa.req.headers.authorization = authorization
  if ((await findUser(call)) === null) throw unauthorized('Bearer', words.unknown)
  startSession(koa, api.server, authorization)
  return authorization
}

/**
 * Makes the request of the API that the form stands for, as the pages' script would.
 *
 * @throws {JsonApiError} 400 for more rows than one request takes, 413, 422 for a value that is no JSON
 */
export function becomeRequest(call: Call, form: URLSearchParams): void {
  const { koa, route, api, isAtomic } = call
  const { limits } = api.server
  const { headers } = koa.req
  for (const name of sentHeaders) delete headers[name]
  headers.accept = jsonApiMediaType
  if (isAtomic) {
    call.operations = actionsOf(form, api.server)
    sendDocument(call, call.operations ? {} : operationsOf(form, limits))
    return
  }
  const version = form.get(sentVersion)
  if (version !== null) headers['if-match'] = version
  koa.method = methodOf(route, form) as string
  call.operation = route && findOperation(route, koa.method)
  const document = call.operation && documentOf(call.operation, form, limits.bodyBytes)
  if (document) sendDocument(call, document)
}

/** What a form asks for; null for one that no page has. */
function methodOf(route: Call['route'], form: URLSearchParams): string | null {
  if (route?.pattern === '/:type') return 'POST'
  const method = form.get(sentMethod)
  return method !== null && methods[route?.pattern ?? '']?.includes(method) ? method : null
}

const sentHeaders = [
  ...['content-type', 'content-length', 'content-encoding', 'transfer-encoding', 'if-none-match', 'if-match'],
]

/** Null for what is asked for without one. */
function documentOf(operation: Operation, form: URLSearchParams, most: number): object | null {
  const { type } = operation.schema
  switch (operation.kind) {
    case 'create':
      return putFields(form, { data: { type } }, { most })
    case 'update':
      return putFields(touched(form), { data: { type, id: operation.id } }, { isUpdate: true, most })
    case 'updateRelationship':
    case 'attach':
    case 'detach':
      return putFields(form, {}, { about: 'linkage', most })
    case 'action':
      return actionRules(operation.schema, operation.action).fields.size > 0
        ? putFields(form, { meta: {} }, { about: 'action', most })
        : null
    default:
      return null
  }
}

/** As if a client had sent it: it is read, and looked at, like every other. */
function sendDocument(call: Call, document: object): void {
  call.formBody = Buffer.from(JSON.stringify(document))
  const { headers } = call.koa.req
  headers['content-type'] = jsonApiMediaType
  headers['content-length'] = String(call.formBody.length)
  const { bodyBytes } = call.api.server.limits
  if (call.formBody.length > bodyBytes) throw payloadTooLarge(bodyBytes)
}
