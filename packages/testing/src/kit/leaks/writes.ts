import { atomicExtension } from '@prismapi/jsonapi/document/types'
import { isToMany, type Relation } from '@prismapi/jsonapi/schema/relation-kinds'
import { type ResourceSchema, targetSchemas } from '@prismapi/jsonapi/schema/resource-schema'
import type { TestRequest } from '../../send.ts'
import { type ReadWorld, shownFirst } from './hidden-world.ts'
import { schemasOf } from './world.ts'

/** A resource by its type and id. */
export interface Named {
  readonly schema: ResourceSchema
  readonly id: string
}

const atomic = `application/vnd.api+json;ext="${atomicExtension}"`

/** Every write of a resource and of its relationships: of a row that is not there each is refused. */
export const writesOf = (read: ReadWorld, named: Named): readonly TestRequest[] => [
  ...at(read, ownWrites(named)),
  ...operationsAt(read, ownOperations(named)),
]

/** Every write that would link what may be seen with it, those rows first that are linked with hidden ones. */
export function linksOf(read: ReadWorld, named: Named): readonly TestRequest[] {
  const links = linksTo(read, named)
  return [
    ...at(
      read,
      links.flatMap(({ requests }) => requests),
    ),
    ...operationsAt(
      read,
      links.map(({ operation }) => operation),
    ),
  ]
}

const at = ({ world }: ReadWorld, requests: readonly TestRequest[]): readonly TestRequest[] =>
  requests.map((request) => ({ ...request, path: world.server.basePath + request.path }))

/** Each by itself, where the server carries out operations. */
function operationsAt(read: ReadWorld, operations: readonly object[]): readonly TestRequest[] {
  if (!read.world.server.supportedExtensions.ext.includes(atomicExtension)) return []
  const headers = { Accept: atomic, 'Content-Type': atomic }
  return at(
    read,
    operations.map((operation) => ({ ...sent('POST', '/operations', { 'atomic:operations': [operation] }), headers })),
  )
}

/** A resource with attributes, as a request of its own and as an operation. */
export const changesOf = (
  read: ReadWorld,
  { schema: { type }, id }: Named,
  attributes: object,
): readonly TestRequest[] => {
  const data = { type, id, attributes }
  const path = `/${type}/${encodeURIComponent(id)}`
  return [...at(read, [sent('PATCH', path, { data })]), ...operationsAt(read, [{ op: 'update', data }])]
}

/** A request with a document. */
export const sent = (method: string, path: string, document: object): TestRequest => ({
  method,
  path,
  body: JSON.stringify(document),
})

export const pathOf = ({ schema, id }: Named): string => `/${schema.type}/${encodeURIComponent(id)}`

const nothing = (relation: Relation): unknown => (isToMany(relation) ? [] : null)

/** How the linkage of a relation is written. */
const verbsOf = (relation: Relation): readonly string[] =>
  isToMany(relation) ? ['PATCH', 'POST', 'DELETE'] : ['PATCH']

function ownWrites(named: Named): readonly TestRequest[] {
  const { schema, id } = named
  const path = pathOf(named)
  const data = { type: schema.type, id }
  const change = sent('PATCH', path, { data })
  const removal = { method: 'DELETE', path }
  const versions = [{}, { headers: { 'If-Match': '"another"' } }]
  return [
    ...versions.flatMap((version) => [
      { ...change, ...version },
      { ...removal, ...version },
    ]),
    ...[...schema.relations.values()].flatMap((relation) =>
      verbsOf(relation).map((verb) =>
        sent(verb, `${path}/relationships/${relation.name}`, { data: nothing(relation) }),
      ),
    ),
  ]
}

function ownOperations({ schema: { type, relations }, id }: Named): readonly object[] {
  return [
    { op: 'update', data: { type, id } },
    { op: 'remove', ref: { type, id } },
    ...[...relations.values()].map((relation) => ({
      op: 'update',
      ref: { type, id, relationship: relation.name },
      data: nothing(relation),
    })),
  ]
}

interface Link {
  readonly requests: readonly TestRequest[]
  readonly operation: object
}

function linksTo(read: ReadWorld, { schema: target, id }: Named): readonly Link[] {
  const { schemas } = read.world.server
  const identifier = { type: target.type, id }
  return schemasOf(read.world).flatMap((schema) =>
    [...schema.relations.values()]
      .filter((relation) => targetSchemas(schemas, relation).includes(target))
      .flatMap((relation) => {
        const data = isToMany(relation) ? [identifier] : identifier
        const { type } = schema
        const resource = { type, relationships: { [relation.name]: { data } } }
        return shownFirst(read, schema).map((row): Link => {
          const path = pathOf({ schema, id: row.id })
          const ref = { type, id: row.id, relationship: relation.name }
          return {
            requests: [
              ...verbsOf(relation).map((verb) => sent(verb, `${path}/relationships/${relation.name}`, { data })),
              sent('PATCH', path, { data: { ...resource, id: row.id } }),
              sent('POST', `/${type}`, { data: resource }),
            ],
            operation: { op: isToMany(relation) ? 'add' : 'update', ref, data },
          }
        })
      }),
  )
}
