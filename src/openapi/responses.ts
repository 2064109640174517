import { statusPhrase } from '../document/errors.ts'
import { type Part, responseRef, schemaRef } from './described.ts'

export const mediaType = 'application/vnd.api+json'

const content = (schema: Part): Part => ({ [mediaType]: { schema } })

/** A document that is sent. */
export const bodyOf = (schema: Part, isRequired = true): Part => ({ required: isRequired, content: content(schema) })

export const answer = (description: string, schema: Part, more: Part = {}): Part => ({
  description,
  ...more,
  content: content(schema),
})

export const noContent: Part = { description: 'Done; there is nothing to show.' }

const header = (description: string): Part => ({ description, schema: { type: 'string' } })

export const location = { headers: { Location: header('The URL of the new resource.') } }

const causes = {
  400: 'The query or the document is wrong; the errors say where.',
  401: 'Credentials are missing or wrong.',
  403: 'The caller may not do this.',
  404: 'There is no such resource, or none that the caller may see.',
  406: 'The client accepts no media type that the server has.',
  409: 'It contradicts the URL, or what is stored.',
  413: 'The document is too large.',
  415: 'The document has a media type that the server does not read.',
  422: 'Rules failed; the errors point at the fields.',
} as const

export type ErrorStatus = keyof typeof causes

/** Every error of HTTP that a server answers with, as an error document. */
export const errorResponses: Part = {
  ...Object.fromEntries(
    Object.entries(causes).map(([status, says]) => [
      status,
      answer(`${statusPhrase(Number(status))}. ${says}`, schemaRef('errors'), {
        ...(status === '401' && { headers: { 'WWW-Authenticate': header('How to sign in.') } }),
      }),
    ]),
  ),
  default: answer('Any other error.', schemaRef('errors'), {
    headers: {
      Allow: header('Of 405: the methods of the path.'),
      'Retry-After': header('Of 503: the seconds to wait.'),
    },
  }),
}

const read: readonly ErrorStatus[] = [400, 401, 403, 406]

/** What may go wrong with every request, and with this one. */
export const errors = (...more: readonly ErrorStatus[]): Part => ({
  ...Object.fromEntries(
    [...read, ...more].sort((a, b) => a - b).map((status) => [status, responseRef(String(status))]),
  ),
  default: responseRef('default'),
})

/** What may go wrong with a document that is sent. */
export const written: readonly ErrorStatus[] = [404, 409, 413, 415, 422]
