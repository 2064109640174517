import fc, { type Arbitrary } from 'fast-check'
import type { Attribute, Relation, ResourceSchema } from '../../src/schema/resource-schema.ts'
import { isToMany } from '../../src/schema/resource-schema.ts'
import { videoId } from './seeded.ts'

// Bodies of requests that write: anything that JSON can say, and documents that are nearly right.

/** Strings and numbers that have broken servers. */
const oddities = fc.constantFrom<unknown>(
  '',
  ' ',
  '0',
  'null',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udc00x',
  '\u{10ffff}',
  '__proto__',
  'constructor',
  '\'; DROP TABLE "Post"; --',
  '%_\\',
  '2024-02-30T00:00Z',
  '9999999999999999999',
  'x'.repeat(300),
  Number.MAX_SAFE_INTEGER + 1,
  2 ** 31,
  -(2 ** 31) - 1,
  5e-324,
  1.7976931348623157e308,
  { increment: 1 },
  { set: null },
  { connect: { id: 1 } },
  { constructor: { prototype: {} } },
  [[[[]]]],
)

export const anything: Arbitrary<unknown> = fc.oneof(
  { weight: 3, arbitrary: oddities },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3, stringUnit: 'binary' }) },
)

/** Seldom wrong: a document has many members, and one fault hides the faults of later stages. */
const mostly = (usual: Arbitrary<unknown>, wrong: Arbitrary<unknown> = anything): Arbitrary<unknown> =>
  fc.oneof({ weight: 25, arbitrary: usual }, { weight: 1, arbitrary: wrong })

/** Members of which each may be missing. */
const members = (record: Readonly<Record<string, Arbitrary<unknown>>>) => fc.record(record, { requiredKeys: [] })

const idsOf: Readonly<Record<string, readonly string[]>> = {
  videos: [videoId(1), videoId(2), videoId(3)],
  other: ['1', '2', '3', '4'],
}
const oddIds = fc.constantFrom('0', '-1', '01', '1.0', '99999', '99999999999999999999', videoId(1), 'x', '\ud800')
const someId = (type: string) => mostly(fc.constantFrom(...((idsOf[type] ?? idsOf.other) as string[])), oddIds)

function identifierOf(types: readonly string[]): Arbitrary<unknown> {
  const right = fc.constantFrom(...types).chain((type) => fc.record({ type: fc.constant(type), id: someId(type) }))
  const wrong = members({
    type: mostly(fc.constantFrom('posts', 'tags', 'users', 'authors')),
    id: mostly(someId('other')),
    attributes: anything,
    meta: anything,
    create: anything,
  })
  return mostly(right, fc.oneof(wrong, anything))
}

/** `data` of a relationship. */
function linkageOf(relation: Relation, types: readonly string[]): Arbitrary<unknown> {
  const one = identifierOf(types)
  const many = fc.array(one, { maxLength: 4 })
  const [right, wrong] = isToMany(relation) ? [many, one] : [one, many]
  return mostly(right, fc.oneof(wrong, fc.constant(null), anything))
}

function valuesOf({ name, kind, values, isNullable }: Attribute): Arbitrary<unknown> {
  const usual = ((): Arbitrary<unknown> => {
    if (name === 'email') return fc.emailAddress()
    if (name === 'url') return fc.webUrl()
    if (name === 'slug') return fc.stringMatching(/^[a-z0-9]{1,8}(-[a-z0-9]{1,8})?$/)
    // A password that is stored costs a hash: this one is always too short.
    if (name.startsWith('password')) return fc.constant('short')
    if (kind === 'string') return fc.string({ unit: 'binary', minLength: 1, maxLength: 12 })
    if (kind === 'integer') return fc.integer()
    if (kind === 'float') return fc.double({ noNaN: true, min: -1, max: 6 })
    if (kind === 'boolean') return fc.boolean()
    if (kind === 'datetime') return fc.date({ noInvalidDate: true }).map((date) => date.toISOString())
    return fc.constantFrom(...(values ?? ['x']))
  })()
  return isNullable ? mostly(fc.option(usual)) : mostly(usual)
}

const typesOf = (schemas: readonly ResourceSchema[], relation: Relation): readonly string[] => {
  const models = relation.kind === 'morphTo' ? ['Post', 'Video'] : [relation.model]
  return schemas.filter(({ model }) => models.includes(model.name)).map(({ type }) => type)
}

/** A document of the type that may be wrong anywhere, but seldom everywhere. */
function resourceDocument(schemas: readonly ResourceSchema[], schema: ResourceSchema, id: string | null) {
  const attributes = [...schema.attributes.values()].map((each) => [each.name, valuesOf(each)] as const)
  const relationships = [...schema.relations.values()].map((each) => {
    const data = linkageOf(each, typesOf(schemas, each))
    return [each.name, mostly(fc.record({ data }))] as const
  })
  const name = fc.oneof(fc.string(), fc.constantFrom('id', 'type', 'constructor', 'authorId'))
  const stray = fc.dictionary(name, anything, { minKeys: 1, maxKeys: 1 })
  const fieldsOf = (fields: readonly (readonly [string, Arbitrary<unknown>])[]) => {
    const all = Object.fromEntries(fields)
    const known = fc.oneof(fc.record(all), members(all))
    return mostly(known, fc.oneof(merged(known, stray), anything))
  }
  const data = fc.record(
    {
      type: mostly(fc.constant(schema.type)),
      id: mostly(id === null ? fc.uuid() : fc.constant(id)),
      attributes: fieldsOf(attributes),
      relationships: fieldsOf(relationships),
      meta: anything,
    },
    { requiredKeys: ['type', 'attributes', ...(id === null ? [] : (['id'] as const))] },
  )
  // On the other types an id is refused before anything else is looked at.
  const acceptable =
    id === null && !schema.id.clientGenerated
      ? mostly(
          data.map(({ id, ...rest }) => rest),
          data,
        )
      : data
  const document = fc.record({ data: mostly(acceptable) })
  return mostly(document, merged(document, stray))
}

const merged = (...parts: readonly Arbitrary<object>[]): Arbitrary<object> =>
  fc.tuple(...parts).map((all) => Object.assign({}, ...all))

export interface Endpoint {
  readonly method: 'POST' | 'PATCH' | 'DELETE'
  /** Below the server's base path. */
  readonly path: string
  /** The type of which a success creates one; null where it creates nothing. */
  readonly creates: string | null
  readonly documents: Arbitrary<unknown>
}

/** Every endpoint of the types that takes a document; `ids` has a row of each. */
export function writingEndpoints(
  schemas: readonly ResourceSchema[],
  ids: Readonly<Record<string, string>>,
): readonly Endpoint[] {
  return schemas.flatMap((schema): Endpoint[] => {
    const { type, relations } = schema
    const id = ids[type] as string
    return [
      { method: 'POST', path: `/${type}`, creates: type, documents: resourceDocument(schemas, schema, null) },
      { method: 'PATCH', path: `/${type}/${id}`, creates: null, documents: resourceDocument(schemas, schema, id) },
      ...[...relations.values()].flatMap((relation) => {
        const documents = mostly(fc.record({ data: linkageOf(relation, typesOf(schemas, relation)) }))
        const methods = isToMany(relation) ? (['PATCH', 'POST', 'DELETE'] as const) : (['PATCH'] as const)
        const path = `/${type}/${id}/relationships/${relation.name}`
        return methods.map((method) => ({ method, path, creates: null, documents }))
      }),
    ]
  })
}
