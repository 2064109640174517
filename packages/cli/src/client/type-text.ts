import { type Part, schemaRef } from '@prismapi/openapi/described'
import { quoted } from '../source.ts'

/** In: a JSON Schema of an OpenAPI document. Out: the TypeScript type of its values. */
export function typeText(schema: Part): string {
  const { $ref, const: only, enum: values, allOf, anyOf, type } = schema
  if (typeof $ref === 'string') return referredType($ref)
  if (only !== undefined) return literal(only)
  if (Array.isArray(values)) return union(values.map(literal))
  if (Array.isArray(allOf)) return allText(allOf, (schema.properties ?? {}) as Readonly<Record<string, Part>>)
  if (Array.isArray(anyOf)) return union(anyOf.map(typeText))
  if (Array.isArray(type)) return union(type.map((each) => ofType(each, schema)))
  return ofType(type, schema)
}

const document = schemaRef('document').$ref

/** All of several types, and more members: a document with data has them from `Answer`. */
function allText(all: readonly Part[], properties: Readonly<Record<string, Part>>): string {
  const { data, ...others } = properties
  const isDocument = data !== undefined && all.some(({ $ref }) => $ref === document)
  const members = isDocument ? others : properties
  return [
    ...all.map((each) => (isDocument && each.$ref === document ? `Answer<${typeText(data)}>` : typeText(each))),
    ...(Object.keys(members).length > 0 ? [objectText(members)] : []),
  ].join(' & ')
}

/** One of several types, each said once. */
export function union(types: readonly string[]): string {
  const all = [...new Set(types)]
  return all.length === 0 ? 'never' : all.join(' | ')
}

/** The name of a member, quoted where it has to be. */
export const memberName = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name))

/** A comment in front of what is described or deprecated; nothing where there is nothing to say. */
export function docOf({ description, deprecated }: Part): string {
  const lines = [
    ...(typeof description === 'string' ? description.replaceAll('*/', '*\\/').split('\n') : []),
    ...(deprecated === true ? ['@deprecated'] : []),
  ]
  return lines.length === 0 ? '' : `/** ${lines.join('\n * ')} */\n`
}

/** `{ title?: string, … }` */
export function objectText(properties: Readonly<Record<string, Part>>, required: readonly string[] = []): string {
  const isRequired = new Set(required)
  const members = Object.entries(properties).map(([name, schema]) => {
    const mark = isRequired.has(name) ? '' : '?'
    return `${docOf(schema)}${memberName(name)}${mark}: ${typeText(schema)}`
  })
  return members.length === 0 ? '{}' : `{\n${members.join('\n')}\n}`
}

const schemas = '#/components/schemas/'

// The names of types have no dot, and `posts.resource` is what one of them has.
function referredType($ref: string): string {
  const [name = '', part] = $ref.slice(schemas.length).split('.')
  return part === undefined ? `Shared[${literal(name)}]` : `Types[${literal(name)}][${literal(part)}]`
}

/** `'posts'`, `1` */
export function literal(value: unknown): string {
  if (typeof value !== 'string') return String(value)
  return quoted(JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'"))
}

function ofType(type: unknown, schema: Part): string {
  switch (type) {
    case 'string':
    case 'boolean':
    case 'null':
      return type
    case 'integer':
    case 'number':
      return 'number'
    case 'array':
      return listText(typeText((schema.items ?? {}) as Part))
    case 'object':
      return mappingText(schema)
    default:
      return 'unknown'
  }
}

const listText = (item: string): string => (/^[\w.]+$/.test(item) ? `${item}[]` : `Array<${item}>`)

function mappingText({ properties, required, additionalProperties, propertyNames }: Part): string {
  if (properties) return objectText(properties as Readonly<Record<string, Part>>, (required ?? []) as readonly string[])
  const value = additionalProperties ? typeText(additionalProperties as Part) : 'unknown'
  return propertyNames ? `{ [K in ${typeText(propertyNames as Part)}]?: ${value} }` : `{ [name: string]: ${value} }`
}
