import { type Expected, isObject, type Json, linksFaults, memberName, members, paginationLinks } from './judged.ts'

/** Is there one, or are there many, as the URL says. */
export function* primaryFaults(data: unknown, { primary }: Expected): Generator<string> {
  if (primary === null) return
  const isMany = primary === 'resources' || primary === 'identifiers'
  if (isMany !== Array.isArray(data)) yield `data is ${isMany ? 'no list' : 'a list'}`
  else if (!isMany && data !== null && !isObject(data)) yield 'data is neither an object nor null'
}

export function* identifierFaults(at: string, item: unknown): Generator<string> {
  if (!isObject(item)) return yield `${at} is no object`
  yield* members(at, item, ['type', 'id', 'meta'])
  yield* identityFaults(at, item)
}

function* identityFaults(at: string, item: Json): Generator<string> {
  if (typeof item.id !== 'string' || item.id === '') yield `${at}.id is no string`
  if (typeof item.type !== 'string' || !memberName.test(item.type)) yield `${at}.type is no name: ${item.type}`
  if (item.meta !== undefined && !isObject(item.meta)) yield `${at}.meta is no object`
}

export function* resourceFaults(at: string, item: unknown, expected: Expected): Generator<string> {
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
  for (const name of expected.foreignKeys ?? [])
    if (Object.hasOwn(attributes, name)) yield `${at}: ${name} is a foreign key`
  for (const [name, value] of Object.entries(relationships)) yield* relationshipFaults(`${at}.${name}`, value, expected)
  if (links !== undefined) yield* linksFaults(`${at}.links`, links, ['self', 'describedby'], expected)
}

function* relationshipFaults(at: string, value: unknown, expected: Expected): Generator<string> {
  if (!isObject(value)) return yield `${at} is no object`
  yield* members(at, value, ['links', 'data', 'meta'])
  if (!['links', 'data', 'meta'].some((name) => Object.hasOwn(value, name))) yield `${at} says nothing`
  if (value.meta !== undefined && !isObject(value.meta)) yield `${at}.meta is no object`
  if (value.links !== undefined) {
    yield* linksFaults(`${at}.links`, value.links, ['self', 'related', ...paginationLinks], expected)
    if (isObject(value.links) && !('self' in value.links) && !('related' in value.links))
      yield `${at}.links leads nowhere`
  }
  if (value.data === undefined || value.data === null) return
  const linkage = Array.isArray(value.data) ? value.data : [value.data]
  for (const [i, each] of linkage.entries()) yield* identifierFaults(`${at}.data.${i}`, each)
}
