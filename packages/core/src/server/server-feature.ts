import type { ModelMeta, Resources } from '@prismapi/jsonapi/model/meta'
import type { QueryParameter } from '@prismapi/jsonapi/query/query-parameter'
import type { FeatureKey } from '@prismapi/jsonapi/request/features'
import type { FieldOption } from '@prismapi/jsonapi/schema/field-options'
import type { RegistryOptions } from '@prismapi/jsonapi/schema/registry'
import type { SchemaRegistry } from '@prismapi/jsonapi/schema/resource-schema'
import type { OpenApiPart } from './open-api-part.ts'
import type { Server } from './server.ts'

/**
 * What a feature makes of the class of a server, before there are requests: as much of a `Feature` as tools need that
 * compile servers and answer nothing.
 */
export interface ServerFeature<Value = unknown> {
  /** By which the server has what was compiled: `server.features.get(key)`. */
  readonly key: FeatureKey<Value>
  /** The types of the server, with those that the feature adds. `registry` has all of them once they are compiled. */
  types?(server: Server, options: RegistryOptions, registry: () => SchemaRegistry): RegistryOptions
  /**
   * What the server says of the feature, with its defaults; null for a server that does without.
   *
   * @throws {Error} that names the server, its member and the cure: it stops the start.
   */
  compile(server: Server, parts: CompileParts): Value | null
  /** What its clients are told of the feature. */
  openapi?(value: Value, parts: CompileParts): OpenApiPart
  /** Options that it reads of fields. */
  readonly fieldOptions?: readonly FieldOption<unknown>[]
  /** Query parameters of its own. */
  parameters?(value: Value): readonly QueryParameter[]
}

/** What a feature can look at beside the class of a server. */
export interface CompileParts {
  /** What `prisma generate` wrote. */
  readonly resources: Resources
  /** All types of the server. */
  readonly registry: SchemaRegistry
  /** As `createApi({ production })` says. */
  readonly production: boolean
  /** The folder of the application; undefined for the one that the process was started in. */
  readonly root: string | undefined
}

/**
 * What the features of a server compiled of it.
 *
 * @internal
 */
export class CompiledFeatures {
  private readonly values: ReadonlyMap<string, unknown>
  readonly openapi: readonly OpenApiPart[]
  readonly parameters: readonly QueryParameter[]

  constructor(features: readonly ServerFeature[], server: Server, parts: CompileParts) {
    const compiled = features.map((feature) => ({ feature, value: feature.compile(server, parts) }))
    const had = compiled.filter(({ value }) => value !== null)
    this.values = new Map(had.map(({ feature, value }) => [feature.key.name, value]))
    this.openapi = had.flatMap(({ feature, value }) => feature.openapi?.(value, parts) ?? [])
    this.parameters = had.flatMap(({ feature, value }) => feature.parameters?.(value) ?? [])
  }

  /** Null where the server does without the feature. */
  get<Value>({ name }: FeatureKey<Value>): Value | null {
    return (this.values.get(name) as Value | undefined) ?? null
  }
}

/** What is wrong where a model of the framework's own lacks columns of these types, which a page shows; or null. */
export function lackingColumns(
  { name, columns }: ModelMeta,
  wanted: Readonly<Record<string, string>>,
  page: string,
): string | null {
  const lacking = Object.entries(wanted).filter(([column, type]) => columns[column]?.type !== type)
  if (lacking.length === 0) return null
  return `${name} lacks ${lacking.map((each) => each.join(' ')).join(', ')}. Add what docs/${page} shows.`
}
