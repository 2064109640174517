import { errorsFaults } from './error-faults.ts'
import { type Expected, isObject, type Json, type Judged, linksFaults, members, paginationLinks } from './judged.ts'
import { linkageFaults } from './linkage-faults.ts'
import { identifierFaults, primaryFaults, resourceFaults } from './resource-faults.ts'

// Judges whole answers by the rules that JSON:API has for every document, whichever request it answers. It knows
// nothing of the server: its caller passes in what is true of the types.

const mediaType = 'application/vnd.api+json'
const applied = /^application\/vnd\.api\+json(?:; ?(?:ext|profile)="[^"]+")*$/i
const uri = /^[a-z][a-z0-9+.-]*:[^\s"<>\\^`{|}]+$/i

/** What is wrong with an answer: one line for each fault, with the place. */
export function documentFaults(answer: Judged, expected: Expected): string[] {
  const faults = [...httpFaults(answer)]
  if (answer.text === '') return faults
  let document: unknown
  try {
    document = JSON.parse(answer.text)
  } catch {
    return [...faults, 'the body is no JSON']
  }
  return [...faults, ...topFaults(document, answer, expected)]
}

function* httpFaults({ method, status, text, header }: Judged): Generator<string> {
  const type = header('content-type')
  if (!/\baccept\b/i.test(header('vary') ?? '')) yield 'Vary does not name Accept'
  if ((status === 204 || method === 'HEAD') && text !== '') yield `${status} ${method}: a body`
  if (status === 204 && type !== null) yield '204: a Content-Type'
  if (text !== '' && !applied.test(type ?? '')) yield `the Content-Type is ${type}, not ${mediaType}`
}

function* topFaults(document: unknown, answer: Judged, expected: Expected): Generator<string> {
  if (!isObject(document)) return yield 'the root is no object'
  const ext = parameterOf(answer, 'ext')
  const known = ['data', 'errors', 'meta', 'jsonapi', 'links', 'included']
  yield* members('', document, known, ext.length > 0)
  const has = (name: string) => Object.hasOwn(document, name)
  const isExtended = ext.length > 0 && Object.keys(document).some((name) => name.includes(':'))
  if (!has('data') && !has('errors') && !has('meta') && !isExtended) yield 'neither data, errors nor meta'
  if (has('data') && has('errors')) yield 'data and errors together'
  if (has('included') && !has('data')) yield 'included without data'
  if (answer.status >= 400 !== has('errors')) yield `${answer.status}: errors ${has('errors') ? 'present' : 'absent'}`
  yield* jsonapiFaults(document.jsonapi, answer, expected)
  if (has('meta') && !isObject(document.meta)) yield 'meta is no object'
  if (has('links'))
    yield* linksFaults('links', document.links, ['self', 'related', 'describedby', ...paginationLinks], expected)
  if (has('errors')) yield* errorsFaults(document.errors, answer, expected)
  if (has('data')) yield* dataFaults(document, answer, expected)
}

function* jsonapiFaults(jsonapi: unknown, answer: Judged, { version }: Expected): Generator<string> {
  if (!isObject(jsonapi)) return yield 'jsonapi is no object'
  yield* members('jsonapi', jsonapi, version === '1.0' ? ['version', 'meta'] : ['version', 'ext', 'profile', 'meta'])
  if (jsonapi.version !== version) yield `jsonapi.version is ${jsonapi.version}`
  for (const name of ['ext', 'profile'] as const) {
    const uris = jsonapi[name] ?? []
    if (!Array.isArray(uris) || !uris.every((each) => typeof each === 'string' && uri.test(each)))
      yield `jsonapi.${name} is no list of URIs`
    else if (uris.join(' ') !== parameterOf(answer, name).join(' '))
      yield `jsonapi.${name} is ${uris.join(' ')}, the Content-Type says ${parameterOf(answer, name).join(' ')}`
  }
}

/** `data` and `included` together: what each is, and that each is there for a reason, and once. */
function* dataFaults(document: Json, answer: Judged, expected: Expected): Generator<string> {
  const { data, included } = document
  const primary = data === null ? [] : Array.isArray(data) ? data : [data]
  yield* primaryFaults(data, expected)
  const isLinkage = expected.primary === 'identifier' || expected.primary === 'identifiers'
  for (const [i, item] of primary.entries())
    yield* isLinkage ? identifierFaults(`data.${i}`, item) : resourceFaults(`data.${i}`, item, expected)
  if (included === undefined) return
  if (!Array.isArray(included)) return yield 'included is no list'
  for (const [i, item] of included.entries()) yield* resourceFaults(`included.${i}`, item, expected)
  yield* linkageFaults(primary.filter(isObject), included.filter(isObject), { isLinkage, url: answer.url })
}

function parameterOf({ header }: Judged, name: 'ext' | 'profile'): readonly string[] {
  const [, value] = new RegExp(`; ?${name}="([^"]*)"`, 'i').exec(header('content-type') ?? '') ?? []
  return value ? value.split(' ') : []
}
