import { STATUS_CODES } from 'node:http'
import { type ErrorInit, JsonApiError } from './error.ts'
import { phrases } from './phrases.ts'
import { type Message, say, type Text } from './text.ts'
import { cursorErrors, type Meta } from './types.ts'

// One factory per cause. Call sites name the cause; no other file builds a status, a title or a source.

/** The phrase of an HTTP status, as titles spell it; for a number without one, that of its class. */
export const statusPhrase = (status: number): string =>
  phrases[status] ?? STATUS_CODES[status] ?? (status < 500 ? 'Bad Request' : 'Internal Server Error')

const plain = (status: number, detail?: Text): ErrorInit => ({
  title: statusPhrase(status),
  ...(detail !== undefined && detail !== '' && { detail }),
})

/**
 * 404: the thing named in the URL is absent, or hidden by a scope; the two look the same.
 *
 * @see https://jsonapi.org/format/#fetching-resources-responses-404
 * @example
 * const gone = notFound('There is no such invitation.')
 */
export const notFound = (detail?: Text): JsonApiError => new JsonApiError(404, plain(404, detail))

/** 404: no route has this path. */
export const routeNotFound = (path: string): JsonApiError => notFound(say`The route ${path} could not be found.`)

/** 405: the path exists, but not for this verb. */
export function methodNotAllowed(method: string, path: string, allow: readonly string[]): JsonApiError {
  const supported = allow.join(', ')
  const detail = say`The ${method} method is not supported for route ${path}. Supported methods: ${supported}.`
  return new JsonApiError(405, plain(405, detail), { Allow: supported })
}

/** 406: no media range of `Accept` fits. */
export const notAcceptable = (): JsonApiError =>
  new JsonApiError(
    406,
    plain(
      406,
      say`The requested resource is capable of generating only content not acceptable according to the Accept headers sent in the request.`,
    ),
  )

/** 415: the body has a media type that the server does not read. */
export const unsupportedMediaType = (): JsonApiError =>
  new JsonApiError(
    415,
    plain(415, say`The request entity has a media type which the server or resource does not support.`),
  )

/** 415: the body of a QUERY request has another media type than that of query strings. */
export const unsupportedQueryType = (mediaType: string): JsonApiError =>
  new JsonApiError(415, plain(415, say`The Content-Type of a QUERY request must be ${mediaType}.`))

/** 415: the body has a `Content-Encoding` that the server does not decode; `encodings` are those that it does. */
export const unsupportedEncoding = (encodings: readonly string[]): JsonApiError =>
  new JsonApiError(415, plain(415, say`The request body has a Content-Encoding which the server does not support.`), {
    'Accept-Encoding': encodings.join(', '),
  })

/** 400: the body is not a JSON object. */
export const invalidJson = (detail: Message): JsonApiError =>
  new JsonApiError(400, { title: say`Invalid JSON`, detail })

/**
 * 400 for what has no factory of its own; `detail` is for people.
 *
 * @see https://jsonapi.org/format/#error-objects
 * @example
 * const failure = badRequest('The file is empty.')
 */
export const badRequest = (detail: Text): JsonApiError => new JsonApiError(400, plain(400, detail))

/** 413: closes the connection, because the rest of the body is still on its way. */
export const payloadTooLarge = (limitBytes: number): JsonApiError =>
  new JsonApiError(413, plain(413, say`The request body must not be larger than ${limitBytes} bytes.`), {
    Connection: 'close',
  })

/** 400: a short text of very many values takes many times its bytes once it is parsed. */
export const tooManyValues = (limitBytes: number): JsonApiError =>
  badRequest(say`The request body must not take more than ${limitBytes} bytes once it is parsed.`)

/** 414: path and query are longer than the server's limit. */
export const uriTooLong = (): JsonApiError => new JsonApiError(414, plain(414, say`The URL is too long.`))

/** 431: more header fields than the server's limit. */
export const tooManyHeaders = (limit: number): JsonApiError =>
  new JsonApiError(431, plain(431, say`A request must not have more than ${limit} header fields.`))

/** 408: the body is not complete in time; closes the connection, because the rest may still come. */
export const requestTimeout = (): JsonApiError =>
  new JsonApiError(408, plain(408, say`The request was not complete in time.`), { Connection: 'close' })

/** 400: a header that cannot be parsed. */
export const invalidHeader = (detail: Message): JsonApiError =>
  new JsonApiError(400, { title: say`Invalid Header`, detail })

/**
 * 412: the resource is not what the request takes it for; `pointer` is where an operation says so, null for headers.
 */
export const preconditionFailed = (detail: Message, pointer: string | null): JsonApiError =>
  new JsonApiError(412, { ...plain(412, detail), ...(pointer !== null && { source: { pointer } }) })

/** 428: the request does not say which version of the resource it is about. */
export const preconditionRequired = (type: string): JsonApiError =>
  new JsonApiError(
    428,
    plain(
      428,
      say`Changes of resources of type ${type} have to name the version that they are about: by If-Match, or by meta.version in an atomic operation.`,
    ),
  )

/**
 * 401: credentials are missing or wrong; `challenge` is the value of `WWW-Authenticate`.
 *
 * @see https://jsonapi.org/format/#error-objects
 * @example
 * const authenticate: Authenticate = async (ctx) => {
 *   const token = ctx.get('Authorization')
 *   if (token === '') return null
 *   throw unauthorized('Bearer')
 * }
 */
export const unauthorized = (challenge: string, detail: Text = say`Unauthenticated.`): JsonApiError =>
  new JsonApiError(401, plain(401, detail), { 'WWW-Authenticate': challenge })

/**
 * 403: the caller may not do that. Policies and authorizers return `deny()` instead.
 *
 * @see https://jsonapi.org/format/#crud-creating-responses-403
 * @example
 * const failure = forbidden('Only editors may pick.')
 */
export const forbidden = (detail: Text = say`This action is unauthorized.`): JsonApiError =>
  new JsonApiError(403, plain(403, detail))

/** 403: the caller may not write the field at the pointer; null where it stands in no document. */
export const fieldForbidden = (field: string, at: string | null, reason: Text | null = null): JsonApiError =>
  new JsonApiError(403, {
    ...plain(403, reason ?? say`You may not change the field ${field}.`),
    ...(at !== null && { source: { pointer: at } }),
  })

/**
 * 403, or a denial's own status: the caller may not change a row that keeps a link which
 * the document makes or ends; `at` is the place of its identifier, or of the relationship.
 */
export const linkForbidden = (status: number, detail: Text, at: string): JsonApiError =>
  new JsonApiError(status, { ...plain(status, detail), source: { pointer: at } })

/** A denial that brings its own status, such as "deny as not found". */
export const denied = (status: number, detail?: Text): JsonApiError => new JsonApiError(status, plain(status, detail))

/**
 * 400: `parameter` is the exact key of the query string, `page[size]`.
 *
 * @see https://jsonapi.org/format/#query-parameters
 * @example
 * const failure = badParameter('timeZone', 'There is no such time zone.')
 */
export const badParameter = (parameter: string, detail: Text): JsonApiError =>
  new JsonApiError(400, { title: say`Invalid Query Parameter`, detail, source: { parameter } })

/** 400: the document that a query asks for would have too many resources and identifiers. */
export const tooManyResources = (parameter: string, limit: number): JsonApiError =>
  new JsonApiError(400, {
    code: 'too-many-resources',
    title: say`Invalid Query Parameter`,
    detail: say`A document must not have more than ${limit} resources and identifiers. Ask for a smaller page, or include less.`,
    source: { parameter },
  })

/** 400: an export would have too many rows. */
export const tooManyRows = (limit: number): JsonApiError =>
  new JsonApiError(400, {
    code: 'too-many-rows',
    title: say`Invalid Query Parameter`,
    detail: say`An export must not have more than ${limit} rows. Narrow it by a filter.`,
    source: { parameter: 'filter' },
  })

/** 400: what is asked for beside a search is not known in SQL. */
export const unsearchable = (): JsonApiError =>
  badParameter(
    'filter[search]',
    say`A search cannot stand beside a filter inside of Json, or an order that the database has no SQL for.`,
  )

/** 400: a parameter that means nothing in an export. */
export const notInExport = (parameter: string): JsonApiError =>
  badParameter(parameter, say`An export has all rows, and no resources beside them: leave out ${parameter}.`)

/** 400: the document that a query asks for would have too many bytes. */
export const documentTooLarge = (parameter: string, limit: number): JsonApiError =>
  new JsonApiError(400, {
    code: 'too-large',
    title: say`Invalid Query Parameter`,
    detail: say`A document must not be larger than ${limit} bytes. Ask for a smaller page, for fewer fields, or include less.`,
    source: { parameter },
  })

/** 400: what a query asks for would cost too much; `explanation` says more about it, where that is no secret. */
export const tooExpensive = (parameter: string, explanation: string | null): JsonApiError => {
  const tooMuch = say`The request would cost too much. Narrow it by a filter on ids, ask for a smaller page, or include less.`
  return new JsonApiError(400, {
    code: 'too-expensive',
    title: say`Invalid Query Parameter`,
    detail: explanation === null ? tooMuch : say`${tooMuch} ${explanation}`,
    source: { parameter },
  })
}

/**
 * 400: what a document changes, or takes the place of, would cost too
 * much; `explanation` says more about it, where that is no secret.
 */
export const tooMuchWritten = (pointer: string, explanation: string | null): JsonApiError => {
  const tooMuch = say`The request would cost too much. Change fewer links at a time.`
  return new JsonApiError(400, {
    code: 'too-expensive',
    title: statusPhrase(400),
    detail: explanation === null ? tooMuch : say`${tooMuch} ${explanation}`,
    source: { pointer },
  })
}

/** 400: the database would remove too much with a resource. */
export const goesWithTooMuch = (): JsonApiError =>
  new JsonApiError(400, {
    code: 'too-expensive',
    title: statusPhrase(400),
    detail: say`More goes with this resource than one request may remove. Remove some of that first.`,
  })

/** 400 of the cursor profile: `maxSize` is the largest page that may be asked for. */
export const maxSizeExceeded = (parameter: string, maxSize: number): JsonApiError =>
  new JsonApiError(400, {
    links: { type: cursorErrors.maxSizeExceeded },
    title: say`Invalid Query Parameter`,
    detail: say`Page parameter size must not be greater than ${maxSize}.`,
    source: { parameter },
    meta: { page: { maxSize } },
  })

/** 400 of the cursor profile: a page between two cursors, where there are none. */
export const rangeNotSupported = (parameter: string): JsonApiError =>
  new JsonApiError(400, {
    links: { type: cursorErrors.rangeNotSupported },
    title: say`Invalid Query Parameter`,
    detail: say`Page parameters after and before must not be sent together.`,
    source: { parameter },
  })

/** 400 of the cursor profile: an order that pages cannot be made of. */
export const unsupportedSort = (): JsonApiError =>
  new JsonApiError(400, {
    links: { type: cursorErrors.unsupportedSort },
    title: say`Invalid Query Parameter`,
    detail: say`The collection cannot be paged in this order.`,
    source: { parameter: 'sort' },
  })

/** 400: the document is JSON, but not JSON:API. */
export const nonCompliant = (detail: Message, pointer: string): JsonApiError =>
  new JsonApiError(400, { title: say`Non-Compliant JSON:API Document`, detail, source: { pointer } })

/** The document is JSON:API, and asks for what this endpoint does not do: 400, 403 or 409. */
export const notSupported = (status: number, detail: Message, pointer: string): JsonApiError =>
  new JsonApiError(status, { title: say`Not Supported`, detail, source: { pointer } })

/**
 * 409: the request contradicts the state of the database; `pointer` is
 * the place in the request document, `/data/attributes/slug`.
 *
 * @see https://jsonapi.org/format/#crud-creating-responses-409
 * @example
 * const failure = conflict('The post is published already.', '/data/attributes/publishedAt')
 */
export const conflict = (detail: Text, pointer?: string): JsonApiError =>
  new JsonApiError(409, { ...plain(409, detail), ...(pointer !== undefined && { source: { pointer } }) })

/** 409: a constraint of the database forbids the change, and no schema class says more about it. */
export const constraintBroken = (detail: Message): JsonApiError =>
  new JsonApiError(409, { ...plain(409, detail), code: 'constraint' })

/** 409: the resource cannot go while others need it; `relations` are theirs. */
export const stillRelated = (type: string, relations: readonly string[]): JsonApiError =>
  new JsonApiError(409, {
    ...plain(409, say`Resources of type ${type} are still related, by ${relations.join(', ')}.`),
    code: 'constraint',
    meta: { type, relations },
  })

/** What `invalidField` says. */
export interface InvalidField {
  /** What is wrong, for people. */
  readonly detail: Text
  /** The place in the request document, a JSON pointer: `/data/attributes/title`. */
  readonly pointer: string
  /** What is wrong, for programs; the name of the rule, as a rule. */
  readonly code?: string
  /** Whatever else there is to say. */
  readonly meta?: Meta
}

/**
 * 422: one failed rule.
 *
 * @see https://jsonapi.org/format/#error-objects
 * @example
 * const failure = invalidField({ detail: 'There is no such city.', pointer: '/data/attributes/city', code: 'city' })
 */
export const invalidField = ({ detail, pointer, code, meta }: InvalidField): JsonApiError =>
  new JsonApiError(422, {
    ...(code !== undefined && { code }),
    ...plain(422, detail),
    source: { pointer },
    ...(meta !== undefined && { meta }),
  })

/** 404: an identifier of the document names what does not exist, or what a scope hides. */
export const relatedNotFound = (pointer: string): JsonApiError =>
  new JsonApiError(404, { ...plain(404, say`The related resource does not exist.`), source: { pointer } })

/** 422: a delete rule failed. */
export const notDeletable = (detail: Message, code?: string): JsonApiError =>
  new JsonApiError(422, { ...(code !== undefined && { code }), title: say`Not Deletable`, detail })

/** 429: the caller has made all the requests that it may, for that many seconds. */
export const tooManyRequests = (retryAfterSeconds: number): JsonApiError =>
  new JsonApiError(
    429,
    plain(429, retryAfterSeconds === 1 ? say`Try again in 1 second.` : say`Try again in ${retryAfterSeconds} seconds.`),
    {
      'Retry-After': String(retryAfterSeconds),
    },
  )

/** 400: the `Idempotency-Key` is none. */
export const badKey = (): JsonApiError =>
  invalidHeader(say`The Idempotency-Key header must be 1 to 255 visible ASCII characters.`)

/** 400: an `Idempotency-Token` that could be guessed, or that is none. */
export const badToken = (): JsonApiError =>
  invalidHeader(say`The Idempotency-Token header must be 22 to 255 letters, digits or characters of "-._~+/=".`)

/** 409: a request with this `Idempotency-Key` is being carried out. */
export const keyInUse = (): JsonApiError =>
  new JsonApiError(409, plain(409, say`A request with this Idempotency-Key is still being carried out.`), {
    'Retry-After': '1',
  })

/** 409: a guest's request was carried out, and no token says that it was this guest's. */
export const answeredBefore = (): JsonApiError =>
  new JsonApiError(
    409,
    plain(
      409,
      say`The request with this Idempotency-Key was carried out. Its answer is repeated with its Idempotency-Token only.`,
    ),
  )

/** 409: the request was carried out, and its answer shows a field that its caller may not see any more. */
export const answerHidden = (): JsonApiError =>
  new JsonApiError(
    409,
    plain(
      409,
      say`The request with this Idempotency-Key was carried out. Its answer is not repeated: it shows what you may not see any more.`,
    ),
  )

/** 422: the `Idempotency-Key` belongs to another request. */
export const keyReused = (): JsonApiError =>
  new JsonApiError(422, plain(422, say`This Idempotency-Key was sent with another request. Take a new one.`))

/** 503: the database is busy or gone; worth another try after that many seconds. */
export const unavailable = (retryAfterSeconds: number): JsonApiError =>
  new JsonApiError(503, plain(503), { 'Retry-After': String(retryAfterSeconds) })

/** 500: the log repeats `id` with the cause. */
export const internalError = (id: string, meta?: Meta): JsonApiError =>
  new JsonApiError(500, { id, ...plain(500), ...(meta !== undefined && { meta }) })
