import type { Part as Json } from '@prismapi/openapi/described'

/**
 * What a value may be, in comparable form: a JSON Schema without references, `const`, and `anyOf` with null. A member
 * that is null or absent restricts nothing.
 */
export interface Shape {
  /** Without `null`; null for any. */
  readonly types: ReadonlySet<string> | null
  readonly isNullable: boolean
  readonly values: ReadonlySet<string> | null
  /** `maxLength`, `minimum`, … */
  readonly bounds: ReadonlyMap<string, number>
  /** `format`, `pattern`, … */
  readonly marks: ReadonlyMap<string, string>
  readonly items: Shape | null
  readonly members: ReadonlyMap<string, Shape>
  /** The members that have to be there. */
  readonly demands: ReadonlySet<string>
}

export type Find = (ref: string) => Json

const anything: Shape = {
  types: null,
  isNullable: false,
  values: null,
  bounds: new Map(),
  marks: new Map(),
  items: null,
  members: new Map(),
  demands: new Set(),
}

/** A shape by what is known of it. */
export const shape = (known: Partial<Shape>): Shape => ({ ...anything, ...known })

const boundNames = [
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minItems',
  'maxItems',
]
/** A schema inside of itself, by its name. */
const inItself = 'the schema'
const markNames = ['format', 'pattern', 'contentEncoding', inItself]

/** The shape of a JSON Schema; `find` resolves its references. What leads back to where it lies is compared there. */
export function toShape(schema: Json | boolean, find: Find): Shape {
  if (typeof schema === 'boolean') return anything
  if (typeof schema.$ref === 'string') return toShape(find(schema.$ref), inside(schema.$ref, find))
  if (Array.isArray(schema.anyOf)) return toEither(schema.anyOf, find)
  const types = schema.type === undefined ? null : [schema.type].flat().map(String)
  const values = 'const' in schema ? [schema.const] : (schema.enum as readonly unknown[] | undefined)
  return {
    types: types && new Set(types.filter((type) => type !== 'null')),
    isNullable: types?.includes('null') ?? false,
    values: values ? new Set(values.filter((value) => value !== null).map(String)) : null,
    bounds: new Map(boundNames.flatMap((name) => (typeof schema[name] === 'number' ? [[name, schema[name]]] : []))),
    marks: new Map(markNames.flatMap((name) => (typeof schema[name] === 'string' ? [[name, schema[name]]] : []))),
    items: schema.items ? toShape(schema.items as Json, find) : null,
    members: new Map(membersOf(schema).map(([name, member]) => [name, toShape(member, find)])),
    demands: new Set((schema.required as readonly string[] | undefined) ?? []),
  }
}

const inside =
  (known: string, find: Find): Find =>
  (ref) =>
    ref === known ? { [inItself]: ref } : find(ref)

export const membersOf = ({ properties = {} }: Json): readonly (readonly [string, Json])[] =>
  Object.entries(properties as Readonly<Record<string, Json>>)

/** One of several: one schema and null, or what is compared as a whole. */
function toEither(schemas: readonly Json[], find: Find): Shape {
  const others = schemas.filter(({ type }) => type !== 'null')
  const isNullable = others.length < schemas.length
  const [only, ...more] = others
  if (only && more.length === 0) return { ...toShape(only, find), isNullable }
  return shape({ isNullable, marks: new Map([['anyOf', JSON.stringify(others)]]) })
}

/** A query parameter: a comma list as what stands in it, and how many may. */
export function toParameterShape(schema: Json, find: Find): Shape {
  const whole = toShape(schema, find)
  if (!whole.items) return { ...whole, bounds: new Map([...whole.bounds, ['minItems', 1], ['maxItems', 1]]) }
  const { items, bounds } = whole
  return { ...items, bounds: new Map([...items.bounds, ...bounds]) }
}

/** Resource linkage: to one or to many, of these types. */
export function toLinkageShape(schema: Json, find: Find): Shape {
  const whole = typeof schema.$ref === 'string' ? find(schema.$ref) : schema
  const isMany = whole.type === 'array'
  const ends = alternatives((isMany ? whole.items : whole) as Json, find)
  const types = ends.flatMap((end) => typeOf(end, find))
  const bounds = typeof whole.maxItems === 'number' ? [['maxItems', whole.maxItems] as const] : []
  return shape({
    types: new Set([isMany ? 'to-many' : 'to-one']),
    isNullable: !isMany && types.length < ends.length,
    values: new Set(types),
    bounds: new Map(bounds),
  })
}

/** What an answer may hold: resources of these types, one or many, or nothing but `meta`. */
export function toAnswerShape(schema: Json, find: Find): Shape {
  const data = alternatives(schema, find).flatMap((document) => {
    const member = membersOf(document).find(([name]) => name === 'data')
    return member ? alternatives(member[1], find) : [{ type: 'meta' }]
  })
  const many = data.filter(({ type }) => type === 'array')
  const types = [...data, ...many.map(({ items }) => items as Json)].flatMap((part) => typeOf(part, find))
  const kinds = data.map((part) => (part.type === 'array' ? 'collection' : String(part.type)))
  return shape({
    types: new Set(kinds.filter((kind) => kind !== 'null').map((kind) => (kind === 'object' ? 'resource' : kind))),
    isNullable: kinds.includes('null'),
    values: types.length > 0 ? new Set(types) : null,
  })
}

/** Without `anyOf` and references. */
function alternatives(schema: Json, find: Find): readonly Json[] {
  if (typeof schema.$ref === 'string') return alternatives(find(schema.$ref), inside(schema.$ref, find))
  if (Array.isArray(schema.anyOf)) return schema.anyOf.flatMap((part: Json) => alternatives(part, find))
  return [schema]
}

/** The type that a resource or an identifier has. */
function typeOf(schema: Json, find: Find): readonly string[] {
  const whole = typeof schema.$ref === 'string' ? find(schema.$ref) : schema
  const type = membersOf(whole).find(([name]) => name === 'type')?.[1].const
  return typeof type === 'string' ? [type] : []
}
