import { isWritable, type ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import type { Answer } from '../../send.ts'
import { isObject, type Json } from '../judges/judged.ts'
import type { NewResource } from './conformance-writes.ts'
import { type Interview, resourcesIn, valueIn } from './interview.ts'
import { changeable, differencesFrom } from './sent-values.ts'

/** A resource is made, changed and deleted (JSON:API, *Creating, Updating and Deleting Resources*). */
export async function askWrites(own: Interview, schema: ResourceSchema, writing: Writing): Promise<void> {
  const { type } = schema
  const { make, adjusted } = writing
  const path = `/${type}`
  const made = await make()
  if (!own.server.ignoresUnknownParameters)
    await own.ask({ ...sent('POST', `${path}?bogus=1`, { type, ...made }), status: [400], parameter: 'bogus' })
  // Had the refused one been written, a unique value would stand in the way of this one.
  const created = await own.ask({ ...sent('POST', path, { type, ...made }), status: [201], primary: 'resource' })
  const { data } = created.document ?? {}
  if (created.status !== 201 || !isObject(data) || typeof data.id !== 'string') return
  const id = data.id
  const one = `${path}/${encodeURIComponent(id)}`
  try {
    for (const fault of differencesFrom({ schema, adjusted, sent: made.attributes ?? {} }, data))
      own.note(created, fault)
    await askLocation(own, created, data)
    if (schema.id.clientGenerated) await own.ask({ ...sent('POST', path, { type, ...made, id }), status: [409] })
    if (!schema.operations.has('update')) return
    await askUpdates(own, schema, id)
    await askChanges(own, schema, { ...writing, id })
  } finally {
    if (schema.operations.has('delete')) await askDeletion(own, schema, one)
  }
}

async function askLocation(own: Interview, created: Answer, data: Json): Promise<void> {
  const { basePath } = own.server
  const location = created.headers.get('location')
  const self = isObject(data.links) ? data.links.self : undefined
  if (location === null) return own.note(created, 'Location is missing')
  if (self !== undefined && location !== self) own.note(created, `Location is ${location}, and links.self is ${self}`)
  const path = new URL(location, 'http://tested').pathname.slice(basePath.length)
  const found = await own.ask({ path, status: [200, ...own.denials], primary: 'resource' })
  const { data: same } = found.document ?? {}
  if (found.status === 200 && JSON.stringify(same) !== JSON.stringify(data))
    own.note(found, 'data is not what the answer to POST was')
}

async function askUpdates(own: Interview, schema: ResourceSchema, id: string): Promise<void> {
  const { type } = schema
  const path = `/${type}/${encodeURIComponent(id)}`
  const headers = versionOf(schema, await own.ask({ path, status: [200, ...own.denials] }))
  const change = (data: unknown) => ({ ...sent('PATCH', path, data), headers })
  await own.ask({ ...change({ type, id }), status: [200, 204], primary: 'resource' })
  await own.ask({ ...change({ type, id: `${id}0` }), status: [409] })
  await own.ask({ ...change({ type: 'no-such-type', id }), status: [409] })
  await own.ask({ ...change({ type }), status: [400] })
  if (!own.server.ignoresUnknownParameters)
    await own.ask({ ...sent('PATCH', `${path}?bogus=1`, { type, id }), headers, status: [400], parameter: 'bogus' })
  for (const relation of schema.relations.values()) {
    if (!isWritable(schema, relation)) continue
    const at = `${path}/relationships/${relation.name}`
    const now = await own.ask({ path: at, status: [200, ...own.denials] })
    if (now.status !== 200) continue
    // What it is already: a caller who may not change it is denied all the same.
    const same = { ...sent('PATCH', at, now.document?.data), headers }
    await own.ask({ ...same, status: [200, 204, ...own.denials] })
    await own.ask({ ...same, body: '{}', status: [400, ...own.denials] })
  }
}

async function askDeletion(own: Interview, schema: ResourceSchema, path: string): Promise<void> {
  const { requiresIfMatch, deletedAtAttribute } = schema
  const headers = requiresIfMatch ? versionOf(schema, await own.ask({ path, status: [200] })) : {}
  await own.ask({ method: 'DELETE', path, headers, status: [200, 204] })
  // Who may see deleted rows finds it still, with the mark.
  const isVisible = deletedAtAttribute !== null
  const gone = await own.ask({ path, status: isVisible ? [200, 404] : [404] })
  const [data] = resourcesIn(gone)
  if (isVisible && data && valueIn(data, { name: deletedAtAttribute }) === null)
    own.note(gone, `attributes.${deletedAtAttribute} is null, and it was deleted`)
  await own.ask({ method: 'DELETE', path, headers, status: isVisible ? [200, 204, 404, 412] : [404] })
}

/** How resources of a type are written. */
export interface Writing {
  make(): Promise<NewResource>
  /** Attributes that the application decides about. */
  readonly adjusted: readonly string[]
}

/** A request that sends a resource, or linkage. */
const sent = (method: string, path: string, data: unknown) => ({ method, path, body: JSON.stringify({ data }) })

/** Where the application wants to be told which version is meant, it is the last one. */
function versionOf({ requiresIfMatch }: ResourceSchema, { headers }: Answer): Readonly<Record<string, string>> {
  const etag = headers.get('etag')
  return requiresIfMatch && etag !== null ? { 'If-Match': etag } : {}
}

interface Changing extends Writing {
  readonly id: string
}

/** A resource is what it was when it is sent back as it is shown, and what is sent when that is something else. */
async function askChanges(own: Interview, schema: ResourceSchema, changing: Changing): Promise<void> {
  const path = `/${schema.type}/${encodeURIComponent(changing.id)}`
  const now = await own.ask({ path, status: [200, ...own.denials], primary: 'resource' })
  const { data } = now.document ?? {}
  if (now.status !== 200 || !isObject(data)) return
  await askChange(own, schema, { ...changing, attributes: isObject(data.attributes) ? data.attributes : {} })
  await askChange(own, schema, { ...changing, attributes: (await changing.make()).attributes ?? {} })
}

interface Change extends Changing {
  readonly attributes: Readonly<Record<string, unknown>>
}

async function askChange(own: Interview, schema: ResourceSchema, { id, adjusted, attributes }: Change): Promise<void> {
  const { type } = schema
  const path = `/${type}/${encodeURIComponent(id)}`
  const change = { schema, adjusted, sent: changeable({ schema, adjusted, sent: attributes }) }
  if (Object.keys(change.sent).length === 0) return
  const headers = schema.requiresIfMatch ? versionOf(schema, await own.ask({ path, status: [200] })) : {}
  const question = { ...sent('PATCH', path, { type, id, attributes: change.sent }), headers, status: [200, 204] }
  const changed = await own.ask({ ...question, primary: 'resource' })
  if (changed.status === 200 && changed.document?.data !== undefined)
    for (const fault of differencesFrom(change, changed.document.data)) own.note(changed, fault)
  if (changed.status >= 300) return
  const found = await own.ask({ path, status: [200, ...own.denials], primary: 'resource' })
  for (const fault of differencesFrom(change, found.document?.data)) own.note(found, fault)
}
