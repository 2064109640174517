import type { CompiledServer } from '@prismapi/core/server/compile'
import {
  changingEndpoints,
  type FuzzedEndpoint,
  operationsEndpoints,
  pageEndpoint,
  readingEndpoints,
} from '@prismapi/testing/internal/kit/fuzz/endpoints'
import type { ReadableCollections } from '@prismapi/testing/internal/kit/fuzz/shown'
import type { TestRequest } from '@prismapi/testing/internal/send'
import fc, { type Arbitrary } from 'fast-check'
import { videoId } from '../../../prisma/seed-rows.ts'
import type { Caller } from './callers.ts'
import { formEndpoints, otherForms } from './forms.ts'
import { withHeaders } from './headers.ts'
import { descriptionJudge, documentJudge, type Judge, pageJudge, streamJudge } from './judges.ts'
import { descriptionEndpoints, pageEndpoints } from './pages.ts'
import { type EventIds, streamEndpoints } from './streams.ts'

// All that the example answers, as its own route table has it: documents, streams, pages, and the forms of pages.

/** An address of a server, and what is asked for there. */
export interface AskedEndpoint {
  readonly name: string
  readonly server: CompiledServer
  /** As each of the callers. */
  readonly requests: Arbitrary<TestRequest>
  readonly judge: Judge
  /** How many at once. */
  readonly together: number
}

export interface Asking {
  readonly servers: readonly CompiledServer[]
  readonly callers: readonly Caller[]
  /** Who has signed in on a page, too. */
  readonly browsers: readonly Caller[]
  readonly token: string
  readonly events: EventIds
  /** What the collections of each server show: what a query may ask for again. */
  readonly shown: ReadonlyMap<CompiledServer, ReadableCollections>
}

const numbers = (from: number, to: number): readonly string[] =>
  Array.from({ length: to - from + 1 }, (_, i) => String(from + i))

/** Rows of each type, the first of which is written to: not one of the users who write. */
const rows = new Map([
  ['posts', numbers(1, 60)],
  ['comments', numbers(1, 200)],
  ['tags', ['2', '1', ...numbers(3, 12)]],
  ['videos', numbers(1, 10).map((each) => videoId(Number(each)))],
  ['users', ['4', '1', '2', '3', ...numbers(6, 10)]],
  ['profiles', numbers(1, 10)],
  ['changes', numbers(1, 3)],
])
/** What others ask for is not deleted, nor is who asks. */
const keep: ReadonlySet<string> = new Set([
  'users/5',
  ...[...rows].flatMap(([type, ids]) => ids.slice(0, 3).map((id) => `${type}/${id}`)),
])

/** Reads come first: what is written makes them slow. What is deleted comes last. */
export function askedEndpoints(asking: Asking): readonly AskedEndpoint[] {
  const all = asking.servers.map((server) => endpointsOf(server, asking))
  const stages = ['reading', 'writing', 'deleting'] as const
  return stages.flatMap((stage) => all.flatMap((each) => each[stage]))
}

function endpointsOf(server: CompiledServer, { callers, browsers, token, events, shown }: Asking) {
  const grounds = { server, rows, keep, shown: shown.get(server) as ReadableCollections }
  const schemas = [...server.schemas.byType.values()]
  const reading = schemas.flatMap((schema) => readingEndpoints(grounds, schema))
  const changing = schemas.flatMap((schema) => changingEndpoints(grounds, schema))
  const asked = ({ name, requests }: FuzzedEndpoint, judge: Judge, together = 16): AskedEndpoint => ({
    ...{ name: `${name} below ${server.basePath}`, server, judge, together },
    requests: asEach(requests, judge === documentJudge || judge === streamJudge ? callers : browsers),
  })
  const documents = (endpoints: readonly FuzzedEndpoint[]) =>
    endpoints.map((each) => asked({ ...each, requests: withHeaders(each.requests) }, documentJudge))
  const pages = (endpoints: readonly FuzzedEndpoint[]) => endpoints.map((each) => asked(each, pageJudge))
  // A user may have five streams.
  const streams = (endpoints: readonly FuzzedEndpoint[]) => endpoints.map((each) => asked(each, streamJudge, 4))
  const isDelete = ({ operation }: FuzzedEndpoint) => operation?.kind === 'delete'
  return {
    reading: [
      ...documents([...reading, pageEndpoint(grounds), otherMethods(reading)]),
      ...streams(byType('streams', streamEndpoints(server, reading, events))),
      ...pages(byType('pages', pageEndpoints(server, reading))),
      ...descriptionEndpoints(server).map((each) => asked(each, descriptionJudge)),
    ],
    writing: [
      ...documents([...changing.filter((each) => !isDelete(each)), ...operationsEndpoints(grounds)]),
      ...pages(byType('forms', formEndpoints(changing))),
      ...pages(otherForms(server, { rows, keep, token })),
    ],
    deleting: documents(changing.filter(isDelete)),
  }
}

/** Each type has its pages, its forms and its streams, wherever they lie. */
function byType(what: string, endpoints: readonly FuzzedEndpoint[]): readonly FuzzedEndpoint[] {
  const types = [...new Set(endpoints.map(({ operation }) => operation?.schema.type))]
  return types.map((type) => ({
    name: `${what} of ${type}`,
    operation: null,
    requests: fc.oneof(
      ...endpoints.filter(({ operation }) => operation?.schema.type === type).map(({ requests }) => requests),
    ),
  }))
}

/** Methods that no path has, or few. */
function otherMethods(reading: readonly FuzzedEndpoint[]): FuzzedEndpoint {
  const methods = fc.constantFrom('OPTIONS', 'PUT', 'TRACE', 'SEARCH', 'LINK', 'PROPFIND', 'REPORT')
  const requests = fc.oneof(...reading.map((each) => each.requests))
  return {
    name: 'other methods',
    operation: null,
    requests: fc.tuple(methods, requests).map(([method, { path }]) => ({ method, path })),
  }
}

const mediaType = 'application/vnd.api+json'
const sealed = /(?:^|&)-seal=/

/** What a request has of its own comes before what its caller adds; forms are sealed as the pages of their callers are. */
function asEach(requests: Arbitrary<TestRequest>, callers: readonly Caller[]): Arbitrary<TestRequest> {
  return fc.tuple(requests, fc.constantFrom(...callers)).map(([request, { headers, seal }]) => {
    const { body } = request
    const isForm = /form/.test(request.headers?.['Content-Type'] ?? '')
    const own = { Accept: mediaType, ...(body !== undefined && { 'Content-Type': mediaType }), ...headers }
    return {
      ...request,
      headers: { ...own, ...request.headers },
      ...(body !== undefined && { body: isForm && seal && !sealed.test(body) ? `${body}&-seal=${seal}` : body }),
    }
  })
}
