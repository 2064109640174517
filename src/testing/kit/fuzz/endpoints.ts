import fc, { type Arbitrary } from 'fast-check'
import { atomicExtension } from '../../../document/profiles.ts'
import type { QuerySubject } from '../../../query/check-query.ts'
import { isToMany } from '../../../schema/relation-kinds.ts'
import { type ResourceSchema, targetSchemas } from '../../../schema/resource-schema.ts'
import type { CompiledServer } from '../../../server/compile.ts'
import type { TestRequest } from '../../send.ts'
import { type RowIds, type Writing, writingEndpoints } from './arbitrary-documents.ts'
import { arbitraryQuery, queryOf } from './arbitrary-query.ts'
import { anything, mostly } from './oddities.ts'
import { type QueryGrounds, validPairs } from './valid-query.ts'

// Requests to everything that a server has an address for: nearly right, or anything.

export interface FuzzedEndpoint {
  /** `GET /posts/:id` */
  readonly name: string
  readonly requests: Arbitrary<TestRequest>
}

export interface FuzzGrounds {
  readonly server: CompiledServer
  /** Rows to ask for, and to write: of each type the first. */
  readonly rows: RowIds
  /** Resources that are never deleted, `users/1`. */
  readonly keep: ReadonlySet<string>
  /** What a query may ask for again; left out, nothing is known. */
  readonly shown?: QueryGrounds['shown']
}

const schemasOf = ({ server }: FuzzGrounds): readonly ResourceSchema[] => [...server.schemas.byType.values()]

const odd = ['0', '-1', '01', '9'.repeat(30), '2147483648', '%00', '%ED%A0%80', '%', '..', "'--", '-actions']

/** An id as a path has it: of some row, of none, or no id at all. */
function oddId(rows: RowIds): Arbitrary<string> {
  const known = [...rows.values()].flatMap((ids) => ids.slice(0, 1)).map(encodeURIComponent)
  const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 20 })
  return fc.oneof(
    fc.constantFrom(...known, ...odd),
    text.map((each) => encodeURIComponent(each.toWellFormed())),
  )
}

/** Rows of a type, of which everything is read. */
const readAtMost = 3

/** What reads resources of a type. */
export function readingEndpoints(grounds: FuzzGrounds, schema: ResourceSchema): readonly FuzzedEndpoint[] {
  const { rows, server } = grounds
  const { type, relations } = schema
  const known = rows.get(type) ?? []
  const ids = fc.constantFrom(...(known.length > 0 ? known.slice(0, readAtMost).map(encodeURIComponent) : ['1']))
  const id = fc.oneof({ weight: 6, arbitrary: ids }, { weight: 1, arbitrary: oddId(rows) })
  const resource = id.map((each) => `/${type}/${each}`)
  const below = (name: string) => resource.map((path) => `${path}/${name}`)
  const related = [...relations.values()].flatMap((relation) => {
    const subject = { schemas: targetSchemas(server.schemas, relation), isCollection: isToMany(relation), relation }
    return [
      reading(grounds, below(relation.name), { ...subject, isRelationship: false }),
      reading(grounds, below(`relationships/${relation.name}`), { ...subject, isRelationship: true }),
    ]
  })
  const own = { schemas: [schema], relation: null, isRelationship: false }
  const nowhere = fc.oneof(below('nothing'), below('relationships/nothing'))
  return [
    { name: `GET /${type}`, requests: reading(grounds, fc.constant(`/${type}`), { ...own, isCollection: true }) },
    { name: `GET /${type}/:id`, requests: reading(grounds, resource, { ...own, isCollection: false }) },
    { name: `GET /${type}/:id/:relation`, requests: fc.oneof(...related, reading(grounds, nowhere, null)) },
  ]
}

/** With queries that are right for what is read there, for the most part; null: nothing is. */
function reading(grounds: FuzzGrounds, path: Arbitrary<string>, subject: QuerySubject | null): Arbitrary<TestRequest> {
  const { server, shown = { rows: new Map(), pages: new Map() } } = grounds
  const method = fc.constantFrom('GET', 'GET', 'GET', 'HEAD')
  const anyQuery = arbitraryQuery(schemasOf(grounds))
  const valid = (about: QuerySubject) =>
    validPairs({ registry: server.schemas, resources: server.resources, shown }, about).map(queryOf)
  const query = subject ? mostly(valid(subject), anyQuery, 3) : anyQuery
  return fc
    .tuple(method, path, query)
    .map(([method, below, query]) => ({ method, path: `${server.basePath}${below}${query}` }))
}

/** What writes resources of a type, and their relationships. */
export function changingEndpoints(grounds: FuzzGrounds, schema: ResourceSchema): readonly FuzzedEndpoint[] {
  const { server, rows, keep } = grounds
  const { type } = schema
  const writes = writingEndpoints({ schemas: schemasOf(grounds), rows }, schema).map(({ method, path, documents }) => ({
    name: `${method} ${path}`,
    requests: textOf(documents).map((body) => ({ method, path: server.basePath + path, body })),
  }))
  const deletes = oddId(rows)
    .filter((id) => !isKept(keep, type, id))
    .map((id) => ({ method: 'DELETE', path: `${server.basePath}/${type}/${id}` }))
  return [...writes, { name: `DELETE /${type}/:id`, requests: deletes }]
}

/** Kept are resources, however their ids are spelled: databases may read `ANN` as `ann`. */
function isKept(keep: ReadonlySet<string>, type: string, encoded: string): boolean {
  const kept = [...keep].map((each) => each.toLowerCase())
  return kept.includes(`${type}/${decoded(encoded)}`.toLowerCase())
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Seldom something else altogether. */
const textOf = (documents: Arbitrary<unknown>): Arbitrary<string> =>
  fc
    .oneof({ weight: 9, arbitrary: documents }, { weight: 1, arbitrary: anything })
    .map((value) => JSON.stringify(value))

/** What a server answers beside its types. */
export function pageEndpoint(grounds: FuzzGrounds): FuzzedEndpoint {
  const [type = 'nothing'] = grounds.server.schemas.byType.keys()
  const below = [`/${type}/`, `/${type}/1/relationships`, `/${type}/1/2/3/4`]
  const path = fc.constantFrom('', '/', '/openapi.json', '/operations', '/nothing', ...below)
  return { name: 'GET of other pages', requests: reading(grounds, path, null) }
}

const codes = { POST: 'add', PATCH: 'update', DELETE: 'remove' } as const

/** The documents of all endpoints that write, as operations; nothing for a server that has none. */
export function operationsEndpoints(grounds: FuzzGrounds): readonly FuzzedEndpoint[] {
  const { server, rows } = grounds
  if (!server.supportedExtensions.ext.includes(atomicExtension)) return []
  const schemas = schemasOf(grounds)
  const writing = schemas.flatMap((schema) => writingEndpoints({ schemas, rows }, schema))
  const one = fc.constantFrom(...writing).chain(operationOf)
  const body = fc.array(fc.oneof({ weight: 9, arbitrary: one }, { weight: 1, arbitrary: anything }), { maxLength: 4 })
  const headers = { 'Content-Type': `application/vnd.api+json;ext="${atomicExtension}"` }
  const requests = body.map((operations) => ({
    method: 'POST',
    path: `${server.basePath}/operations`,
    headers,
    body: JSON.stringify({ 'atomic:operations': operations }),
  }))
  return [{ name: 'POST /operations', requests }]
}

const operationOf = ({ method, path, documents }: Writing): Arbitrary<unknown> =>
  documents.map((document) => ({
    op: codes[method],
    ...(path.includes('/relationships/') && { href: path.slice(1) }),
    ...(document as object),
  }))
