import type { CompiledServer } from '@prismapi/core/server/compile'
import { atomicExtension } from '@prismapi/jsonapi/document/types'
import type { QuerySubject } from '@prismapi/jsonapi/query/check-query'
import type { Operation } from '@prismapi/jsonapi/request/operation'
import { isToMany } from '@prismapi/jsonapi/schema/relation-kinds'
import { type ResourceSchema, targetSchemas } from '@prismapi/jsonapi/schema/resource-schema'
import fc, { type Arbitrary } from 'fast-check'
import type { TestRequest } from '../../send.ts'
import { type RowIds, type Writing, writingEndpoints } from './arbitrary-documents.ts'
import { arbitraryQuery, queryOf } from './arbitrary-query.ts'
import { anything, mostly } from './oddities.ts'
import { type Served, servedOf } from './served-routes.ts'
import { type Pair, type QueryGrounds, statsPairs, validPairs } from './valid-query.ts'

// Requests to everything that a server has an address for: nearly right, or anything.

export interface FuzzedEndpoint {
  /** `GET /posts/{id}` */
  readonly name: string
  /** What is asked for; null where that belongs to no type. */
  readonly operation: Operation | null
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

/** The path of a served address, with the id of some row in it, or another one. */
function pathsOf({ rows }: FuzzGrounds, { template, operation }: Served): Arbitrary<string> {
  const known = rows.get(operation.schema.type) ?? []
  const ids = fc.constantFrom(...(known.length > 0 ? known.slice(0, readAtMost).map(encodeURIComponent) : ['1']))
  if (!template.includes('{id}')) return fc.constant(template)
  return fc
    .oneof({ weight: 6, arbitrary: ids }, { weight: 1, arbitrary: oddId(rows) })
    .map((id) => template.replace('{id}', () => id))
}

/** What reads resources of a type. */
export const readingEndpoints = (grounds: FuzzGrounds, schema: ResourceSchema): readonly FuzzedEndpoint[] =>
  readIn(grounds, schema).map((served) => ({
    name: `GET ${served.template}`,
    operation: served.operation,
    requests: reading(grounds, pathsOf(grounds, served), pairsOf(grounds, served)),
  }))

const readIn = ({ server }: FuzzGrounds, schema: ResourceSchema): readonly Served[] =>
  servedOf(server.schemas, schema).filter(({ method }) => method === 'GET')

/** Queries that a served address has to take; null where that is the application's to say. */
function pairsOf(grounds: FuzzGrounds, { operation }: Served): Arbitrary<readonly Pair[]> | null {
  const { server, shown = { rows: new Map(), pages: new Map() } } = grounds
  const about: QueryGrounds = { registry: server.schemas, resources: server.resources, shown }
  const subject = subjectOf(server, operation)
  if (operation.kind === 'viewStats') return statsPairs(about, operation.schema)
  return subject && validPairs(about, subject)
}

function subjectOf(server: CompiledServer, operation: Operation): QuerySubject | null {
  const { schema, kind } = operation
  if (kind === 'viewRelated' || kind === 'viewRelationship') {
    const { relation } = operation
    const isRelationship = kind === 'viewRelationship'
    return {
      ...{ schemas: targetSchemas(server.schemas, relation), isCollection: isToMany(relation), relation },
      isRelationship,
    }
  }
  if (kind !== 'viewAny' && kind !== 'view') return null
  return { schemas: [schema], isCollection: kind === 'viewAny', relation: null, isRelationship: false }
}

/** With queries that are right for what is read there, for the most part; null: nobody knows which are. */
function reading(
  grounds: FuzzGrounds,
  path: Arbitrary<string>,
  pairs: Arbitrary<readonly Pair[]> | null,
): Arbitrary<TestRequest> {
  const method = fc.constantFrom('GET', 'GET', 'GET', 'HEAD')
  const anyQuery = arbitraryQuery(schemasOf(grounds))
  const query = pairs ? mostly(pairs.map(queryOf), anyQuery, 3) : anyQuery
  return fc
    .tuple(method, path, query)
    .map(([method, below, query]) => ({ method, path: `${grounds.server.basePath}${below}${query}` }))
}

/** What writes resources of a type, and their relationships, and its actions. */
export function changingEndpoints(grounds: FuzzGrounds, schema: ResourceSchema): readonly FuzzedEndpoint[] {
  const { server, rows } = grounds
  const writes = writingEndpoints({ schemas: server.schemas, rows }, schema).map((writing) => ({
    name: `${writing.method} ${writing.path}`,
    operation: writing.operation,
    requests: textOf(writing.documents).map((body) => ({
      method: writing.method,
      path: server.basePath + writing.path,
      body,
    })),
  }))
  const deletes = servedOf(server.schemas, schema).filter(({ operation }) => operation.kind === 'delete')
  return [...writes, ...deletes.map((served) => deletingEndpoint(grounds, served))]
}

/** Rows are deleted that nothing else asks for, too. */
function deletingEndpoint({ server, rows, keep }: FuzzGrounds, { template, operation }: Served): FuzzedEndpoint {
  const { type } = operation.schema
  const others = (rows.get(type) ?? []).slice(readAtMost).map(encodeURIComponent)
  const ids = others.length > 0 ? fc.oneof(oddId(rows), fc.constantFrom(...others)) : oddId(rows)
  const requests = ids
    .filter((id) => !isKept(keep, type, id))
    .map((id) => ({ method: 'DELETE', path: server.basePath + template.replace('{id}', () => id) }))
  return { name: `DELETE ${template}`, operation, requests }
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
  const types = grounds.server.schemas.byType.size > 0 ? [...grounds.server.schemas.byType.keys()] : ['nothing']
  const nowhere = ['/', '/1/relationships', '/1/nothing', '/1/relationships/nothing', '/1/-actions/nothing', '/1/2/3/4']
  const below = fc
    .tuple(fc.constantFrom(...types), fc.constantFrom(...nowhere))
    .map(([type, path]) => `/${type}${path}`)
  const own = fc.constantFrom('', '/', '/openapi.json', '/operations', '/nothing')
  return { name: 'GET of other pages', operation: null, requests: reading(grounds, fc.oneof(own, below), null) }
}

const codes: Readonly<Record<string, string>> = { POST: 'add', PATCH: 'update', DELETE: 'remove' }

/** The documents of all endpoints that write, as operations; nothing for a server that has none. */
export function operationsEndpoints(grounds: FuzzGrounds): readonly FuzzedEndpoint[] {
  const { server, rows } = grounds
  if (!server.supportedExtensions.ext.includes(atomicExtension)) return []
  const writing = schemasOf(grounds)
    .flatMap((schema) => writingEndpoints({ schemas: server.schemas, rows }, schema))
    .filter(({ operation }) => operation.kind !== 'action')
  const one = fc.constantFrom(...writing).chain(operationOf)
  const body = fc.array(fc.oneof({ weight: 9, arbitrary: one }, { weight: 1, arbitrary: anything }), { maxLength: 4 })
  const headers = { 'Content-Type': `application/vnd.api+json;ext="${atomicExtension}"` }
  const requests = body.map((operations) => ({
    method: 'POST',
    path: `${server.basePath}/operations`,
    headers,
    body: JSON.stringify({ 'atomic:operations': operations }),
  }))
  return [{ name: 'POST /operations', operation: null, requests }]
}

const operationOf = ({ method, path, documents }: Writing): Arbitrary<unknown> =>
  documents.map((document) => ({
    op: codes[method],
    ...(path.includes('/relationships/') && { href: path.slice(1) }),
    ...(document as object),
  }))
