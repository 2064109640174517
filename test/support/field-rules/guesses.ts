import { atomicExtension, upsertProfile } from '@prismapi/jsonapi/document/types'
import { naturalKey } from '@prismapi/jsonapi/schema/natural-key'
import { isToMany, type Relation } from '@prismapi/jsonapi/schema/relation-kinds'
import { type ResourceSchema, targetSchemas } from '@prismapi/jsonapi/schema/resource-schema'
import { includePaths } from '@prismapi/testing/internal/kit/leaks/urls'
import { schemasOf, type World } from '@prismapi/testing/internal/kit/leaks/world'
import type { HiddenCell } from './hidden-cells.ts'
import type { RandomWrite } from './random-writes.ts'

/** A write that sends a value of a field which its caller may not see, and the resource that it is about. */
export interface Guess {
  readonly write: RandomWrite
  /** Below the server's base path. */
  readonly resource: string
  /** It names the version that its caller has seen, and what is hidden changes in between. */
  readonly isOvertaken?: true
}

/** Sends what one database has there, what the other one has, and what neither has; at each door where a caller can write. */
export function guessesOf(world: World, cells: readonly HiddenCell[]): readonly Guess[] {
  const about = new Set<string>()
  return cells.flatMap((cell) => {
    const schema = schemasOf(world).find(({ model }) => model.name.toLowerCase() === cell.model)
    if (!schema) return []
    const isNext = !about.has(`${cell.model} ${cell.row.id}`)
    about.add(`${cell.model} ${cell.row.id}`)
    return [
      ...guessesOfCell(world, schema, cell),
      ...(isNext ? besideHidden(world, schema, { cell, nth: about.size }) : []),
    ]
  })
}

function guessesOfCell(world: World, schema: ResourceSchema, { field, row, twin }: HiddenCell): readonly Guess[] {
  const attribute = [...schema.attributes.values()].find(({ column }) => column?.name === field)
  const relation = [...schema.relations.values()].find((each) => 'field' in each && each.field === field)
  const id = schema.id.format(row)
  const resource = `/${schema.type}/${encodeURIComponent(id)}`
  const about = { world, schema, id, row, resource }
  const writes = attribute
    ? [attribute.serialize(row), attribute.serialize(twin), otherThan(attribute.serialize(row))].flatMap((value) =>
        writesOf(about, { attributes: { [attribute.name]: value } }),
      )
    : relation
      ? [row[field], twin[field], []].flatMap((rows) => relationWrites(about, relation, rows as readonly Row[]))
      : []
  return writes.map((write) => ({ write, resource }))
}

/** Writes about a row that send nothing of what is hidden: their answers could tell it. */
function besideHidden(
  world: World,
  schema: ResourceSchema,
  { cell: { row, field }, nth }: { readonly cell: HiddenCell; readonly nth: number },
): readonly Guess[] {
  const { type, deletedAtAttribute } = schema
  const id = schema.id.format(row)
  const resource = `/${type}/${encodeURIComponent(id)}`
  const patch = (attributes: object) => write('PATCH', resource, { data: { type, id, attributes } })
  const needed = [...schema.attributes.values()].filter(
    ({ readOnly, isNullable, column }) => !readOnly && !isNullable && column && column.name !== field,
  )
  const same = Object.fromEntries(needed.map((attribute) => [attribute.name, attribute.serialize(row)]))
  const unique = needed.find(({ name }) => naturalKey(schema, [name]) !== null)
  const attributes = { ...same, ...(unique && { [unique.name]: `copied-${nth}` }) }
  const include = includePaths(world.server.schemas, schema.relations.values(), 2).slice(0, includesAtMost)
  const copy = write('POST', `/${type}?include=${include.join()}`, { data: { type, attributes } })
  const kept = { ...copy, send: { ...copy.send, headers: { 'Idempotency-Key': `"copied-${nth}"` } } }
  return [
    { write: patch({}), resource, isOvertaken: true },
    ...[
      patch(same),
      // What is unique is taken: no error says by what.
      ...(unique ? [write('POST', `/${type}`, { data: { type, attributes: same } }), kept, kept] : []),
      ...(deletedAtAttribute && row[deletedAtAttribute] ? [patch({ [deletedAtAttribute]: null })] : []),
    ].map((each) => ({ write: each, resource })),
  ]
}

const includesAtMost = 12

type Row = HiddenCell['row']

interface About {
  readonly world: World
  readonly schema: ResourceSchema
  readonly id: string
  readonly row: Row
  readonly resource: string
}

/** As a change of the resource, as an operation, and as an upsert by each of its unique attributes. */
function writesOf(
  { world, schema, id, row, resource }: About,
  fields: { readonly attributes?: object; readonly relationships?: object },
): readonly RandomWrite[] {
  const { type } = schema
  const keys = [...schema.attributes.values()].filter(({ name }) => naturalKey(schema, [name]) !== null)
  const upserts = keys.map((key) => ({
    op: 'update',
    data: { type, ...fields, attributes: { [key.name]: key.serialize(row), ...fields.attributes } },
    meta: { upsert: { by: [key.name] } },
  }))
  return [
    write('PATCH', resource, { data: { type, id, ...fields } }),
    ...[{ op: 'update', data: { type, id, ...fields } }, ...upserts].flatMap((each) => operation(world, each)),
    ...[...schema.actions.values()]
      .filter(({ method, on }) => method !== 'GET' && on === 'member')
      .map(({ name }) => write('POST', `${resource}/-actions/${name}`, { meta: fields.attributes ?? {} })),
  ]
}

function relationWrites(about: About, relation: Relation, rows: readonly Row[]): readonly RandomWrite[] {
  const { world, schema, id, resource } = about
  const [target] = targetSchemas(world.server.schemas, relation)
  const data = rows.map((row) => ({ type: target?.type, id: target?.id.format(row) }))
  const ref = { type: schema.type, id, relationship: relation.name }
  const verbs = isToMany(relation) ? ([...changes.keys()] as const) : (['PATCH'] as const)
  return [
    ...writesOf(about, { relationships: { [relation.name]: { data } } }),
    ...verbs.flatMap((verb) => [
      write(verb, `${resource}/relationships/${relation.name}`, { data }),
      ...operation(world, { op: changes.get(verb), ref, data }),
    ]),
  ]
}

const changes = new Map([
  ['PATCH', 'update'],
  ['POST', 'add'],
  ['DELETE', 'remove'],
] as const)

function operation({ server }: World, one: object): readonly RandomWrite[] {
  if (!server.supportedExtensions.ext.includes(atomicExtension)) return []
  const type = `application/vnd.api+json;ext="${atomicExtension}";profile="${upsertProfile}"`
  const made = write('POST', '/operations', { 'atomic:operations': [one] })
  return [{ ...made, send: { ...made.send, headers: { Accept: type, 'Content-Type': type } } }]
}

const write = (method: RandomWrite['method'], path: string, body: object): RandomWrite => ({
  ...{ method, path, send: { body } },
  namesVersion: false,
})

const otherThan = (value: unknown): unknown =>
  typeof value === 'boolean' ? !value : typeof value === 'number' ? value + 0.25 : 'neither@example.net'
