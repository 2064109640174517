import { statusPhrase } from '../document/errors.ts'
import { type Described, type Part, responseRef, schemaRef } from './described.ts'
import { limited } from './rate-limits.ts'

export const mediaType = 'application/vnd.api+json'

const content = (schema: Part): Part => ({ [mediaType]: { schema } })

/** A document that is sent. */
export const bodyOf = (description: string, schema: Part, isRequired = true): Part => ({
  description,
  required: isRequired,
  content: content(schema),
})

export const answer = (description: string, schema: Part, more: Part = {}): Part => ({
  description,
  ...more,
  content: content(schema),
})

export const noContent: Part = { description: 'Done; there is nothing to show.' }

export const header = (description: string): Part => ({ description, schema: { type: 'string' } })

export const location = { Location: header('The URL of the new resource.') }

const causes = {
  400: 'The query or the document is wrong; the errors say where.',
  401: 'Credentials are missing or wrong.',
  403: 'The caller may not do this, or may not change a resource that the document links.',
  404: 'There is no such resource, or none that the caller may see.',
  406: 'The client accepts no media type that the server has.',
  408: 'The request did not arrive in time.',
  409: 'The request contradicts its URL, or what is stored.',
  412: 'The resource is not at the version that the request names.',
  413: 'The document is too large.',
  415: 'The document has a media type that the server does not read.',
  422: 'Rules failed; the errors point at the fields.',
  428: 'The request has to name the version of the resource that it is about.',
  431: 'The request has too many header fields, or they are too large.',
  503: 'The database is busy or gone, or it took too long. What was to be written was undone, unless its commit was on the way.',
} as const

export type ErrorStatus = keyof typeof causes

const retryAfter = { 'Retry-After': header('The seconds to wait.') }

type Told = Pick<Described, 'isRateLimited' | 'features'>

const headersOf = ({ features }: Told): Readonly<Partial<Record<string, Part>>> => ({
  401: { 'WWW-Authenticate': header('How to sign in.') },
  503: retryAfter,
  ...Object.assign({}, ...features.openapi.map(({ errorHeaders }) => errorHeaders)),
})

/** Every error of HTTP that a server answers with, as an error document. */
export function errorResponses(server: Told): Part {
  const headers = headersOf(server)
  return {
    ...Object.fromEntries(
      Object.entries(causes).map(([status, says]) => [status, errorAnswer(status, says, headers[status])]),
    ),
    ...(server.isRateLimited && {
      429: errorAnswer('429', 'The caller has made as many requests as there may be.', { ...retryAfter, ...limited }),
    }),
    default: answer('Any other error.', schemaRef('errors'), {
      headers: { Allow: header('With 405: the methods that the path has.') },
    }),
  }
}

const errorAnswer = (status: string, says: string, headers: Part | undefined): Part =>
  answer(`${statusPhrase(Number(status))}. ${says}`, schemaRef('errors'), headers ? { headers } : {})

const read: readonly ErrorStatus[] = [400, 401, 403, 406, 408, 431, 503]

/** What may go wrong with every request, and with this one. */
export const errors = (...more: readonly ErrorStatus[]): Part => ({
  ...Object.fromEntries(
    [...read, ...more].sort((a, b) => a - b).map((status) => [status, responseRef(String(status))]),
  ),
  default: responseRef('default'),
})

/** What may go wrong with a document that is sent. */
export const written: readonly ErrorStatus[] = [404, 409, 413, 415, 422]
