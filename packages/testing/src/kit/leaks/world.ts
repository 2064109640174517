import type { Extensions } from '@prismapi/jsonapi/document/types'
import type { Resources } from '@prismapi/jsonapi/model/meta'
import type { Row } from '@prismapi/jsonapi/model/where'
import type { ResourceSchema, SchemaRegistry } from '@prismapi/jsonapi/schema/resource-schema'
import { namesOfField } from '../tested.ts'
import type { HiddenField } from './hidden-values.ts'
import type { Grounds, KnownRow } from './urls.ts'

/** What gives something away wherever it stands. */
export interface Telling {
  /** Texts that only it has, whole or as a part of its values. */
  readonly markers: readonly string[]
  /** Values that only it has, an id among them: they tell of it as a whole. */
  readonly values: readonly string[]
  /** Numbers too short to stand nowhere by chance: they tell of it as a member that is called so. */
  readonly named?: readonly (readonly [member: string, value: string])[]
}

/** A row that no caller may see. */
export interface HiddenRow extends Telling {
  readonly row: Row
}

/** A field that no caller may see of a row. */
export interface HiddenValue extends HiddenField, Telling {}

/** A database with rows that a server hides from its callers. Nothing else has to be known of the application. */
export interface World {
  readonly server: {
    readonly basePath: string
    readonly schemas: SchemaRegistry
    readonly resources: Resources
    readonly supportedExtensions: Extensions
  }
  /** By model. */
  readonly hidden: ReadonlyMap<string, readonly HiddenRow[]>
  readonly shown: ReadonlyMap<string, readonly Row[]>
  readonly values?: readonly HiddenValue[]
  /** By model: an id that no row has. */
  readonly missing: ReadonlyMap<string, string>
}

export const schemasOf = (world: World): readonly ResourceSchema[] => [...world.server.schemas.byType.values()]

export function groundsOf(world: World): Grounds {
  const { schemas, resources } = world.server
  const all = schemasOf(world)
  return {
    registry: schemas,
    provider: resources.provider,
    rows: new Map(all.map((schema) => [schema.type, [...hiddenRows(world, schema), ...shownRows(world, schema)]])),
    missing: new Map(all.map(({ type, model }) => [type, world.missing.get(model.name) as string])),
  }
}

export const hiddenRows = ({ hidden }: World, schema: ResourceSchema): readonly KnownRow[] =>
  (hidden.get(schema.model.name) ?? []).map(({ row }) => toKnown(schema, row))

export const shownRows = ({ shown }: World, schema: ResourceSchema): readonly KnownRow[] =>
  (shown.get(schema.model.name) ?? []).map((row) => toKnown(schema, row))

/** The fields that are hidden of rows of a type, by their names in documents. */
export const hiddenMembers = ({ values = [] }: World, schema: ResourceSchema) =>
  values
    .filter(({ model }) => model === schema.model.name)
    .flatMap(({ field, row }) => {
      const known = toKnown(schema, row)
      return namesOfField(schema, field).map((name) => ({ id: known.id, name, value: known.values.get(name) }))
    })

export function toKnown(schema: ResourceSchema, row: Row): KnownRow {
  const values = [...schema.attributes.values()]
    .filter(({ column }) => column !== null)
    .map((attribute) => [attribute.name, attribute.serialize(row)] as const)
    .filter(([, value]) => value !== null && value !== undefined)
  return { id: schema.id.format(row), values: new Map(values.map(([name, value]) => [name, String(value)])) }
}
