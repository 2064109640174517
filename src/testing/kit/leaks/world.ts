import type { Resources } from '../../../model/meta.ts'
import type { Row } from '../../../model/where.ts'
import type { ResourceSchema, SchemaRegistry } from '../../../schema/resource-schema.ts'
import type { Grounds, KnownRow } from './urls.ts'

/** A row that nobody may see, and what gives it away wherever it stands. */
export interface HiddenRow {
  readonly row: Row
  /** Texts that only this row has, whole or as a part of its values. */
  readonly markers: readonly string[]
  /** Values that only this row has, its id among them: they tell of it as a whole. */
  readonly values: readonly string[]
  /** Numbers too short to stand nowhere by chance: they tell of it as a member that is called so. */
  readonly named?: readonly (readonly [member: string, value: string])[]
}

/** A database with rows that a server hides from its callers. Nothing else has to be known of the application. */
export interface World {
  readonly server: {
    readonly basePath: string
    readonly schemas: SchemaRegistry
    readonly resources: Resources
  }
  /** By model. */
  readonly hidden: ReadonlyMap<string, readonly HiddenRow[]>
  readonly shown: ReadonlyMap<string, readonly Row[]>
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

export function toKnown(schema: ResourceSchema, row: Row): KnownRow {
  const values = [...schema.attributes.values()]
    .filter(({ column }) => column !== null)
    .map((attribute) => [attribute.name, attribute.serialize(row)] as const)
    .filter(([, value]) => value !== null && value !== undefined)
  return { id: schema.id.format(row), values: new Map(values.map(([name, value]) => [name, String(value)])) }
}
