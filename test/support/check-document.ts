// Judges whole answers by what JSON:API says of every document, whoever asked for it and whatever it is about. It knows
// nothing of the server: what is true of the example's types is told to it.

type Json = Readonly<Record<string, unknown>>

export interface Judged {
  readonly method: string
  /** The URL that was asked, with its query. */
  readonly url: string
  readonly status: number
  /** A header of the answer by its name in lower case; null where it is absent. */
  header(name: string): string | null
  /** The bytes of the body as text, empty where there is none. */
  readonly text: string
  /** The body of the request, if it had one. */
  readonly sent?: string
}

export interface Expected {
  readonly version: '1.0' | '1.1'
  /** What the primary data is of a document that has some; null where the URL does not say. */
  readonly primary: 'resource' | 'resources' | 'identifier' | 'identifiers' | null
  /** Names of foreign keys, which no attribute has. */
  readonly foreignKeys: readonly string[]
}

const mediaType = 'application/vnd.api+json'
const applied = /^application\/vnd\.api\+json(?:; ?(?:ext|profile)="[^"]+")*$/i
const uri = /^[a-z][a-z0-9+.-]*:[^\s"<>\\^`{|}]+$/i
// RFC 3986, where brackets stand nowhere but around an address of IPv6.
const uriReference = /^(?:[A-Za-z0-9\-._~:/?#@!$&'()*+,;=]|%[0-9A-Fa-f]{2})+$/
const memberName = /^[a-zA-Z0-9\u0080-\uffff](?:[a-zA-Z0-9\u0080-\uffff\-_ ]*[a-zA-Z0-9\u0080-\uffff])?$/
const pagination = ['first', 'last', 'prev', 'next']

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
    yield* linksFaults('links', document.links, ['self', 'related', 'describedby', ...pagination], expected)
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

function* linksFaults(at: string, links: unknown, known: readonly string[], expected: Expected): Generator<string> {
  if (!isObject(links)) return yield `${at} is no object`
  yield* members(at, links, known)
  for (const [name, link] of Object.entries(links)) {
    if (name.startsWith('@')) continue
    yield* linkFaults(`${at}.${name}`, link, expected)
    if (link === null && expected.version === '1.0' && !pagination.includes(name)) yield `${at}.${name} is null`
  }
}

function* linkFaults(at: string, link: unknown, { version }: Expected): Generator<string> {
  if (link === null) return
  const href = isObject(link) ? link.href : link
  if (isObject(link)) {
    const known = version === '1.0' ? [] : ['rel', 'describedby', 'title', 'type', 'hreflang']
    yield* members(at, link, ['href', 'meta', ...known])
  }
  if (typeof href !== 'string' || !uriReference.test(href)) yield `${at} is no link: ${JSON.stringify(link)}`
}

function* errorsFaults(errors: unknown, { status, sent }: Judged, expected: Expected): Generator<string> {
  if (!Array.isArray(errors) || errors.length === 0) return yield 'errors is no list with something in it'
  const known = ['id', 'links', 'status', 'code', 'title', 'detail', 'source', 'meta']
  for (const [i, error] of errors.entries()) {
    const at = `errors.${i}`
    if (!isObject(error)) {
      yield `${at} is no object`
      continue
    }
    yield* members(at, error, known)
    if (!known.some((name) => Object.hasOwn(error, name))) yield `${at} says nothing`
    for (const name of ['id', 'status', 'code', 'title', 'detail'])
      if (error[name] !== undefined && typeof error[name] !== 'string') yield `${at}.${name} is no string`
    if (errors.length === 1 && error.status !== String(status)) yield `${at}.status is ${error.status} in a ${status}`
    if (error.meta !== undefined && !isObject(error.meta)) yield `${at}.meta is no object`
    if (error.links !== undefined)
      yield* linksFaults(
        `${at}.links`,
        error.links,
        expected.version === '1.0' ? ['about'] : ['about', 'type'],
        expected,
      )
    if (error.source !== undefined) yield* sourceFaults(`${at}.source`, error.source, sent, expected)
  }
  if (errors.length > 1 && !isGeneral(status, errors)) yield `${status} is not what its errors have in common`
}

/** The status that they share; or else the general one of their kind, 5xx before 4xx. */
function isGeneral(status: number, errors: readonly Json[]): boolean {
  const own = new Set(errors.map((error) => error.status))
  if (own.size === 1) return own.has(String(status))
  return status === ([...own].some((each) => String(each).startsWith('5')) ? 500 : 400)
}

const jsonPointer = /^(?:\/(?:[^~/]|~[01])*)*$/

function* sourceFaults(at: string, source: unknown, sent: string | undefined, expected: Expected): Generator<string> {
  if (!isObject(source)) return yield `${at} is no object`
  yield* members(at, source, ['pointer', 'parameter', ...(expected.version === '1.0' ? [] : ['header'])])
  for (const [name, value] of Object.entries(source)) if (typeof value !== 'string') yield `${at}.${name} is no string`
  const { pointer } = source
  if (typeof pointer !== 'string') return
  if (!jsonPointer.test(pointer)) yield `${at}.pointer is no JSON Pointer: ${pointer}`
  else if (!pointsInto(sent, pointer)) yield `${at}.pointer leads to nothing that was sent: ${pointer}`
}

function pointsInto(sent: string | undefined, pointer: string): boolean {
  let value: unknown
  try {
    value = JSON.parse(sent ?? '')
  } catch {
    return false
  }
  for (const step of pointer.split('/').slice(1)) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return false
    value = (value as Json)[name]
  }
  return true
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

function* primaryFaults(data: unknown, { primary }: Expected): Generator<string> {
  if (primary === null) return
  const isMany = primary === 'resources' || primary === 'identifiers'
  if (isMany !== Array.isArray(data)) yield `data is ${isMany ? 'no list' : 'a list'}`
  else if (!isMany && data !== null && !isObject(data)) yield 'data is neither an object nor null'
}

function* identifierFaults(at: string, item: unknown): Generator<string> {
  if (!isObject(item)) return yield `${at} is no object`
  yield* members(at, item, ['type', 'id', 'meta'])
  yield* identityFaults(at, item)
}

function* identityFaults(at: string, item: Json): Generator<string> {
  if (typeof item.id !== 'string' || item.id === '') yield `${at}.id is no string`
  if (typeof item.type !== 'string' || !memberName.test(item.type)) yield `${at}.type is no name: ${item.type}`
  if (item.meta !== undefined && !isObject(item.meta)) yield `${at}.meta is no object`
}

function* resourceFaults(at: string, item: unknown, expected: Expected): Generator<string> {
  if (!isObject(item)) return yield `${at} is no object`
  yield* members(at, item, ['type', 'id', 'attributes', 'relationships', 'links', 'meta'])
  yield* identityFaults(at, item)
  const { attributes = {}, relationships = {}, links } = item
  if (!isObject(attributes)) yield `${at}.attributes is no object`
  if (!isObject(relationships)) yield `${at}.relationships is no object`
  if (!isObject(attributes) || !isObject(relationships)) return
  for (const name of [...Object.keys(attributes), ...Object.keys(relationships)]) {
    if (!memberName.test(name) || name === 'type' || name === 'id') yield `${at}: ${name} is no name of a field`
    if (Object.hasOwn(attributes, name) && Object.hasOwn(relationships, name))
      yield `${at}: two fields are called ${name}`
  }
  for (const name of expected.foreignKeys) if (Object.hasOwn(attributes, name)) yield `${at}: ${name} is a foreign key`
  for (const [name, value] of Object.entries(relationships)) yield* relationshipFaults(`${at}.${name}`, value, expected)
  if (links !== undefined) yield* linksFaults(`${at}.links`, links, ['self', 'describedby'], expected)
}

function* relationshipFaults(at: string, value: unknown, expected: Expected): Generator<string> {
  if (!isObject(value)) return yield `${at} is no object`
  yield* members(at, value, ['links', 'data', 'meta'])
  if (!['links', 'data', 'meta'].some((name) => Object.hasOwn(value, name))) yield `${at} says nothing`
  if (value.meta !== undefined && !isObject(value.meta)) yield `${at}.meta is no object`
  if (value.links !== undefined) {
    yield* linksFaults(`${at}.links`, value.links, ['self', 'related', ...pagination], expected)
    if (isObject(value.links) && !('self' in value.links) && !('related' in value.links))
      yield `${at}.links leads nowhere`
  }
  if (value.data === undefined || value.data === null) return
  const linkage = Array.isArray(value.data) ? value.data : [value.data]
  for (const [i, each] of linkage.entries()) yield* identifierFaults(`${at}.data.${i}`, each)
}

interface Whole {
  readonly isLinkage: boolean
  readonly url: string
}

function* linkageFaults(
  primary: readonly Json[],
  included: readonly Json[],
  { isLinkage, url }: Whole,
): Generator<string> {
  const keyOf = ({ type, id }: Json) => `${type}:${id}`
  const all = [...(isLinkage ? [] : primary), ...included]
  const byKey = new Map(all.map((item) => [keyOf(item), item]))
  if (byKey.size < all.length) yield 'a resource is there twice'
  // A sparse field set may hide the linkage by which a resource came here.
  if (/[?&]fields(\[|%5B)/i.test(url)) return
  const reached = new Set<string>()
  const todo = primary.map(keyOf)
  for (let key = todo.pop(); key !== undefined; key = todo.pop()) {
    if (reached.has(key)) continue
    reached.add(key)
    for (const { data } of Object.values((byKey.get(key)?.relationships ?? {}) as Readonly<Record<string, Json>>))
      todo.push(...[data ?? []].flat().map((each) => keyOf(each as Json)))
  }
  for (const item of included)
    if (!reached.has(keyOf(item))) yield `${keyOf(item)} is included, and nothing links to it`
}

function* members(at: string, object: Json, known: readonly string[], isExtended = false): Generator<string> {
  for (const name of Object.keys(object)) {
    if (known.includes(name) || name.startsWith('@') || (isExtended && name.includes(':'))) continue
    yield `${at === '' ? 'the root' : at} has a member ${name}`
  }
}

function parameterOf({ header }: Judged, name: 'ext' | 'profile'): readonly string[] {
  const [, value] = new RegExp(`; ?${name}="([^"]*)"`, 'i').exec(header('content-type') ?? '') ?? []
  return value ? value.split(' ') : []
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
