import type { Operation } from '@prismapi/jsonapi/request/operation'
import { isToMany, type Relation } from '@prismapi/jsonapi/schema/relation-kinds'
import {
  type Attribute,
  isKeyAttribute,
  type ResourceSchema,
  type SchemaRegistry,
  schemaOf,
  targetSchemas,
} from '@prismapi/jsonapi/schema/resource-schema'
import fc, { type Arbitrary } from 'fast-check'
import { actionDocument } from './arbitrary-inputs.ts'
import { newIds, valuesOf } from './arbitrary-values.ts'
import { anything, mostly } from './oddities.ts'
import { servedOf } from './served-routes.ts'

// Bodies of requests that write: anything that JSON can say, and documents that are nearly right.

/** Members of which each may be missing. */
const members = (record: Readonly<Record<string, Arbitrary<unknown>>>) => fc.record(record, { requiredKeys: [] })

/** Ids of rows by type: the first of each is the one that is written. */
export type RowIds = ReadonlyMap<string, readonly string[]>

const uuid = '00000000-0000-4000-8000-000000000001'
const oddIds = fc.constantFrom('0', '-1', '01', '1.0', '99999', '99999999999999999999', uuid, 'x', '\ud800')

const someId = (rows: RowIds, type: string) => mostly(fc.constantFrom(...knownIds(rows, type)), oddIds)

function knownIds(rows: RowIds, type: string): readonly string[] {
  const ids = rows.get(type) ?? []
  return ids.length > 0 ? ids : ['1']
}

/** What a relationship may lead to. */
interface Targets {
  readonly types: readonly string[]
  readonly rows: RowIds
}

function identifierOf({ types, rows }: Targets): Arbitrary<unknown> {
  const right = fc
    .constantFrom(...types)
    .chain((type) => fc.record({ type: fc.constant(type), id: someId(rows, type) }))
  const wrong = members({
    type: mostly(fc.constantFrom(...rows.keys(), 'nothing')),
    id: mostly(fc.constantFrom(...types).chain((type) => someId(rows, type))),
    attributes: anything,
    meta: anything,
    create: anything,
  })
  return mostly(right, fc.oneof(wrong, anything))
}

/** `data` of a relationship. */
function linkageOf(relation: Relation, targets: Targets): Arbitrary<unknown> {
  const one = identifierOf(targets)
  const many = fc.array(one, { maxLength: 4 })
  const [right, wrong] = isToMany(relation) ? [many, one] : [one, many]
  return mostly(right, fc.oneof(wrong, fc.constant(null), anything))
}

/** The types of a server, and rows of each. */
interface Known {
  readonly schemas: SchemaRegistry
  readonly rows: RowIds
}

const targetsOf = ({ schemas, rows }: Known, relation: Relation): Targets => ({
  types: targetSchemas(schemas, relation).map(({ type }) => type),
  rows,
})

/** A document of the type that may be wrong anywhere, but seldom everywhere. */
function resourceDocument(known: Known, schema: ResourceSchema, id: string | null) {
  const attributes = [...schema.attributes.values()].map((each) => [each.name, valuesOf(each)] as const)
  const relationships = [...schema.relations.values()].map((each) => {
    const data = linkageOf(each, targetsOf(known, each))
    return [each.name, mostly(fc.record({ data }))] as const
  })
  const name = fc.oneof(fc.string(), fc.constantFrom('id', 'type', 'constructor', ...foreignKeysOf(schema)))
  const stray = fc.dictionary(name, anything, { minKeys: 1, maxKeys: 1 })
  const fieldsOf = (fields: readonly (readonly [string, Arbitrary<unknown>])[]) => {
    const all = Object.fromEntries(fields)
    const usual = fc.oneof(fc.record(all), members(all))
    return mostly(usual, fc.oneof(merged(usual, stray), anything))
  }
  const dataOf = (own: typeof attributes, ids: Arbitrary<string> | null): Arbitrary<object> =>
    fc.record(
      {
        type: mostly(fc.constant(schema.type)),
        id: ids ? mostly<unknown>(ids) : fc.constant(undefined),
        attributes: fieldsOf(own),
        relationships: fieldsOf(relationships),
        meta: anything,
      },
      { requiredKeys: ['type', 'attributes', 'id'] },
    )
  const isInId = (name: string) => isKeyAttribute(schema, schema.attributes.get(name) as Attribute)
  const created = (): Arbitrary<object> => {
    const [whole, byDatabase] = [dataOf(attributes, newIds(schema)), dataOf(attributes, null)]
    // On types that make their ids, one is refused before anything else is looked at.
    if (!schema.id.clientGenerated) return mostly(byDatabase, whole)
    const beside = attributes.filter(([name]) => !isInId(name))
    return mostly(fc.oneof(dataOf(beside, newIds(schema)), byDatabase), whole, 5)
  }
  const data = id === null ? created() : dataOf(attributes, fc.constant(id))
  const document = fc.record({ data: mostly<unknown>(data) })
  return mostly(document, merged(document, stray))
}

const foreignKeysOf = ({ model }: ResourceSchema): readonly string[] =>
  Object.values(model.columns).flatMap(({ isForeignKey, name }) => (isForeignKey ? [name] : []))

const merged = (...parts: readonly Arbitrary<object>[]): Arbitrary<object> =>
  fc.tuple(...parts).map((all) => Object.assign({}, ...all))

export interface Writing {
  readonly method: string
  /** Below the server's base path. */
  readonly path: string
  readonly operation: Operation
  /** The type of which a success creates one; null where it creates nothing. */
  readonly creates: string | null
  readonly documents: Arbitrary<unknown>
}

/** Every endpoint of a type that takes a document; the first row of each type is written. */
export function writingEndpoints(known: Known, schema: ResourceSchema): readonly Writing[] {
  const { type } = schema
  const id = knownIds(known.rows, type)[0] as string
  return servedOf(known.schemas, schema).flatMap(({ method, template, operation }) => {
    const documents = documentsFor(known, operation, id)
    const path = template.replace('{id}', encodeURIComponent(id))
    const creates = operation.kind === 'create' ? type : null
    return documents ? [{ method, path, operation, creates, documents }] : []
  })
}

/** Null for what takes no document. */
function documentsFor(known: Known, operation: Operation, id: string): Arbitrary<unknown> | null {
  const { schema } = operation
  switch (operation.kind) {
    case 'create':
      return resourceDocument(known, schema, null)
    case 'update':
      return resourceDocument(known, schema, id)
    case 'updateRelationship':
    case 'attach':
    case 'detach':
      return mostly(fc.record({ data: linkageOf(operation.relation, targetsOf(known, operation.relation)) }))
    case 'action':
      return operation.action.method === 'GET'
        ? null
        : actionDocument(operation, (model) => identifiersOf(known, model))
    default:
      return null
  }
}

const identifiersOf = ({ schemas, rows }: Known, model: string): Arbitrary<unknown> =>
  identifierOf({ types: [schemaOf(schemas, model).type], rows })
