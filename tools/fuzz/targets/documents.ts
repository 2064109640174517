import { parseOperations } from '@prismapi/core/actions/atomic/parse-operations'
import type { RequestContext } from '@prismapi/core/actions/context'
import { relationShape, shapeOf } from '@prismapi/core/actions/document-checks'
import { atomicShape } from '@prismapi/core/http/execution'
import { type ParsedResource, parseRelationship, parseResource } from '@prismapi/jsonapi/document/parse-document'
import { upsertProfile } from '@prismapi/jsonapi/document/types'
import { defaultLimits } from '@prismapi/jsonapi/request/limits'
import { writingEndpoints } from '@prismapi/testing/internal/kit/fuzz/arbitrary-documents'
import { operationsEndpoints } from '@prismapi/testing/internal/kit/fuzz/endpoints'
import fc from 'fast-check'
import { expectSame, parsedOr, type Target } from '../target.ts'
import { characterOf, chosenBy, names, schemas, servers } from './example.ts'

const rows = new Map(schemas.map(({ schema }) => [schema.type, ['1', '2']]))
const contextOf = (server: (typeof servers)[number]) =>
  ({ server, served: { scopes: new Map(), trash: new Set() }, limits: defaultLimits }) as unknown as RequestContext

const documents = fc.nat(schemas.length - 1).chain((at) => {
  const { server, schema } = schemas[at] as (typeof schemas)[number]
  return fc
    .oneof(...writingEndpoints({ schemas: server.schemas, rows }, schema).map((each) => each.documents))
    .map((document) => characterOf(at) + JSON.stringify(document))
})
const operations = fc
  .oneof(
    ...servers.flatMap((server) => operationsEndpoints({ server, rows, keep: new Set() }).map((each) => each.requests)),
  )
  .map(({ body }) => characterOf(0) + body)

/** A document is read or refused with the statuses of its endpoint; what was read of a resource is read again as it is printed. */
export const document: Target = {
  name: 'documents',
  words: [
    ...names,
    ...['"data":', '"type":', '"id":', '"attributes":{', '"relationships":{', '"lid":', '"ref":', '"op":', '"href":'],
    ...[
      '"atomic:operations":[',
      '"add"',
      '"update"',
      '"remove"',
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      'null',
      '"1"',
      '"',
      '{}',
    ],
    ...['"__proto__":', '"/posts/1"', '"relationship":', '"meta":', '"upsert":', '1e400', '\\u0000', '\\ud800'],
  ],
  inputs: fc.oneof({ weight: 3, arbitrary: documents }, operations),
  check(input) {
    const [{ server, schema }, text] = chosenBy(input, schemas)
    const body = jsonIn(text)
    if (body === undefined) return
    const context = contextOf(server)
    for (const id of [null, '1']) {
      const shape = shapeOf(context, schema, id)
      const parsed = parsedOr([400, 403, 409, 422], () => parseResource(body, shape))
      if (!parsed) continue
      const printed = JSON.stringify(documentOf(parsed))
      expectSame(parsed, parseResource(JSON.parse(printed), shape), printed)
    }
    for (const relation of schema.relations.values()) {
      const shape = relationShape(context, relation)
      const linkage = parsedOr([400, 422], () => parseRelationship(body, shape))
      if (linkage === undefined) continue
      const printed = JSON.stringify({ data: linkage })
      expectSame(linkage, parseRelationship(JSON.parse(printed), shape), printed)
    }
    const profile = [upsertProfile]
    parsedOr([400, 403], () => parseOperations(body, atomicShape(server, { ext: [], profile })))
  },
}

/** Undefined for what is no JSON, which never gets to the parsers. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const documentOf = ({ type, id, attributes, relationships }: ParsedResource) => ({
  data: {
    type,
    ...(id !== null && { id }),
    attributes: Object.fromEntries(attributes),
    relationships: Object.fromEntries([...relationships].map(([name, data]) => [name, { data }])),
  },
})
