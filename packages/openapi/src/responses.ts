import { eachOperation } from '@prismapi/core/server/open-api-part'
import { statusPhrase } from '@prismapi/jsonapi/document/errors'
import { type Described, type Part, type Paths, responseRef, schemaRef } from './described.ts'

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

/** What a collection's answer is described by, at the URL of the type and at those of relations. */
export const manyResources = 'The resources, or a page of them.'

export const noContent: Part = { description: 'Done: the answer has no document.' }

export const header = (description: string): Part => ({ description, schema: { type: 'string' } })

export const location = { Location: header('The URL of the new resource.') }

const causes = {
  400: 'The query or the document is wrong; the errors say where.',
  401: 'Credentials are missing or wrong.',
  403: 'The caller may not do this, or may not change a resource that the document links.',
  404: 'There is no such resource, or none that the caller may see.',
  405: 'The path has no such method; `Allow` lists those that it has.',
  406: 'The client accepts no media type that the server has.',
  408: 'The request did not arrive in time.',
  409: 'The request contradicts its URL, or what is stored.',
  412: 'The resource is not at the version that the request names.',
  413: 'The document is too large.',
  415: 'The document has a media type that the server does not read.',
  422: 'Rules failed; the errors point at the fields.',
  428: 'The request has to name the version of the resource that it is about.',
  431: 'The request has too many header fields, or they are too large.',
} as const

type Told = Pick<Described, 'features'>

/** The error that operations refer to, and those of features by their status. */
export function errorResponses({ features }: Told): Part {
  const headers = {
    'WWW-Authenticate': header('How to sign in, with 401.'),
    Allow: header('The methods that the path has, with 405.'),
    ...Object.assign({}, ...features.openapi.flatMap(({ errorHeaders = {} }) => Object.values(errorHeaders))),
  }
  const causesByStatus = Object.entries(causes).map(
    ([status, cause]) => `- ${status} ${statusPhrase(Number(status))}. ${cause}`,
  )
  return {
    '4XX': answer(['The request is refused.', '', ...causesByStatus].join('\n'), schemaRef('errors'), { headers }),
    ...Object.fromEntries(
      [...errorsOf(features)].map(([status, told]) => {
        const causes = told.map(({ cause }) => cause).join(' ')
        const own = Object.assign({}, ...told.map((each) => each.headers))
        const more = Object.keys(own).length > 0 ? { headers: own } : {}
        return [status, answer(`${statusPhrase(Number(status))}. ${causes}`, schemaRef('errors'), more)]
      }),
    ),
  }
}

type ToldError = NonNullable<Told['features']['openapi'][number]['errors']>[string]

/** The errors of features by their statuses, which several may answer with. */
function errorsOf({ openapi }: Told['features']): ReadonlyMap<string, readonly ToldError[]> {
  const found = new Map<string, readonly ToldError[]>()
  for (const { errors = {} } of openapi)
    for (const [status, error] of Object.entries(errors)) found.set(status, [...(found.get(status) ?? []), error])
  return found
}

/** Paths whose operations refer to the errors of features. */
export function withErrors({ features }: Told, paths: Paths): Paths {
  const told = Object.fromEntries([...errorsOf(features).keys()].map((status) => [status, responseRef(status)]))
  if (Object.keys(told).length === 0) return paths
  return eachOperation(paths, (operation) => ({
    ...operation,
    responses: { ...(operation.responses as Part), ...told },
  }))
}

/** Every operation may be answered by an error. One of the server, which no operation is without, `info` tells of. */
export const failures: Part = { '4XX': responseRef('4XX') }

export const saidOfFailures =
  'Every operation may fail with 5XX and a document of errors, too: 503 has `Retry-After`, in seconds, and what was to be written was undone, unless its commit was on the way.'
