import { Decimal } from '@prismapi/jsonapi/model/prisma-values'
import { columnAttribute } from '@prismapi/jsonapi/schema/attributes'
import { foreignKeyColumns } from '@prismapi/jsonapi/schema/relation-kinds'
import {
  type Attribute,
  isKeyAttribute,
  type ResourceSchema,
  targetSchemas,
} from '@prismapi/jsonapi/schema/resource-schema'
import fc from 'fast-check'
import type { FixtureProvider } from './fixtures.ts'
import type { Reply, Served } from './open.ts'
import { isSame, legalValues } from './values.ts'

// biome-ignore lint/suspicious/noExplicitAny: a resource object of any type
export type Shown = any

/** The resources of each type, as the server showed them when they were created. */
export type Population = ReadonlyMap<string, readonly Shown[]>

/** What random requests are made of. */
export interface Making {
  readonly provider: FixtureProvider
  readonly random: Random
}

export type Random = <T>(values: fc.Arbitrary<T>) => T

/** Random values, the same for the same seed. */
export function sampler(seed: number): Random {
  let next = seed
  return (values) => fc.sample(values, { seed: next++, numRuns: 1 })[0] as never
}

const wanted = 4
const attempts = 60

/**
 * Creates resources of every type that clients can create, by random legal values, targets before what needs them.
 * Throws where none can be created, and where one is shown with other values than were sent.
 */
export async function populate(served: Served, making: Making): Promise<Population> {
  const { schemas, ask } = served
  const rows = new Map<string, Shown[]>([...schemas.byType.keys()].map((type) => [type, []]))
  const refusals = new Map<string, unknown>()
  for (let made = -1; made !== total(rows); ) {
    made = total(rows)
    for (const schema of schemas.byType.values()) {
      const own = rows.get(schema.type) as Shown[]
      for (let tried = 0; isCreatable(schema) && tried < attempts && own.length < wanted; tried++) {
        const document = newDocument(served, schema, rows, making)
        if (document === null) break
        const reply = await ask('POST', `/${schema.type}`, document)
        if (reply.status === 201) own.push(checkCreated(schema, document, reply))
        else refusals.set(schema.type, { document, ...reply })
      }
    }
  }
  const empty = [...schemas.byType.values()].filter((each) => isCreatable(each) && rows.get(each.type)?.length === 0)
  if (empty.length > 0)
    throw new Error(
      `There are no ${empty.map(({ type }) => `${type}: ${JSON.stringify(refusals.get(type))}`).join('\n')}`,
    )
  return rows
}

const total = (rows: Population): number => [...rows.values()].reduce((sum, each) => sum + each.length, 0)

/** Can a client create one at all: not where what it has to have is hidden from clients. */
export function isCreatable(schema: ResourceSchema): boolean {
  const shown = new Set([...schema.attributes.values()].map(({ column }) => column?.name))
  const related = new Set([...schema.relations.values()].flatMap(foreignKeyColumns))
  const isGiven = (name: string) => shown.has(name) || related.has(name) || schema.id.columns.includes(name)
  return (
    schema.operations.has('create') &&
    Object.values(schema.model.columns).every(
      ({ name, isNullable, isList, isUpdatedAt, isForeignKey, default: value }) =>
        isNullable || isList || isUpdatedAt || value !== null || isForeignKey || isGiven(name),
    )
  )
}

interface NewDocument {
  readonly data: {
    readonly type: string
    readonly id?: string
    readonly attributes: Readonly<Record<string, unknown>>
    readonly relationships: Readonly<Record<string, { readonly data: unknown }>>
  }
}

/** Null where a required relation has nothing to point at yet. */
function newDocument(served: Served, schema: ResourceSchema, rows: Population, making: Making): NewDocument | null {
  const relationships: Record<string, { data: unknown }> = {}
  for (const relation of schema.relations.values()) {
    if ((relation.kind !== 'belongsTo' && relation.kind !== 'morphTo') || relation.readOnly) continue
    const targets = targetSchemas(served.schemas, relation).flatMap(({ type }) =>
      (rows.get(type) ?? []).map(({ id }) => ({ type, id })),
    )
    if (targets.length === 0 && relation.isRequired) return null
    const isLinked = targets.length > 0 && (relation.isRequired || making.random(fc.boolean()))
    if (isLinked) relationships[relation.name] = { data: making.random(fc.constantFrom(...targets)) }
    else if (relation.isNullable && making.random(fc.boolean())) relationships[relation.name] = { data: null }
  }
  const id = schema.id.clientGenerated ? { id: newId(served, schema, making) } : {}
  return { data: { type: schema.type, ...id, attributes: newAttributes(schema, making), relationships } }
}

const newAttributes = (schema: ResourceSchema, { provider, random }: Making): Record<string, unknown> =>
  Object.fromEntries(
    [...schema.attributes.values()]
      .filter((attribute) => isWritten(schema, attribute))
      .filter((attribute) => attribute.isRequired || random(fc.nat(3)) > 0)
      .map((attribute) => [attribute.name, random(legalValues(attribute, provider))]),
  )

/** Is the attribute one that a new document may have. */
const isWritten = (schema: ResourceSchema, attribute: Attribute): boolean =>
  attribute.column !== null && !attribute.readOnly && !(schema.id.clientGenerated && isKeyAttribute(schema, attribute))

function newId({ resources }: Served, schema: ResourceSchema, { provider, random }: Making): string {
  const values = schema.id.columns.map((name) => {
    const column = schema.model.columns[name] as NonNullable<Attribute['column']>
    const attribute = columnAttribute(name, column, { resources, override: null })
    const value = random(legalValues(attribute, provider).filter((each) => !isNoId(each)))
    return [name, attribute.kind === 'decimal' ? new Decimal(value as string) : attribute.deserialize(value)] as const
  })
  return schema.id.format(Object.fromEntries(values))
}

// A path segment of dots is a folder, one with U+0000 nothing at all; and a double has digits that Prisma does not write.
const isNoId = (value: unknown): boolean =>
  ['.', '..', ''].includes(String(value)) ||
  /\0/.test(String(value)) ||
  (typeof value === 'number' && Number(value.toPrecision(16)) !== value)

function checkCreated(schema: ResourceSchema, { data: sent }: NewDocument, { body }: Reply): Shown {
  const { data } = body
  const wrong = [...schema.attributes.values()].filter(
    (attribute) =>
      Object.hasOwn(sent.attributes, attribute.name) &&
      !attribute.writeOnly &&
      !isSame(attribute, sent.attributes[attribute.name], data.attributes[attribute.name]),
  )
  if (sent.id !== undefined && data.id !== sent.id) throw new Error(`${sent.type} ${sent.id} was created as ${data.id}`)
  if (wrong.length === 0) return data
  const names = wrong.map(
    ({ name }) =>
      `${name}: ${JSON.stringify(sent.attributes[name])} is shown as ${JSON.stringify(data.attributes[name])}`,
  )
  throw new Error(`${sent.type}: ${names.join(', ')}`)
}
