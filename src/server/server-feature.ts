import type { FeatureKey } from '../model/feature-key.ts'
import type { Resources } from '../model/meta.ts'
import type { RegistryOptions } from '../schema/registry.ts'
import type { SchemaRegistry } from '../schema/resource-schema.ts'
import type { OpenApiPart } from './open-api-part.ts'
import type { Server } from './server.ts'

/**
 * What a feature makes of the class of a server, before there are requests: as much of a `Feature` as tools need that compile servers
 * and answer nothing.
 */
export interface ServerFeature<Value = unknown> {
  readonly key: FeatureKey<Value>
  /** The types of the server, with those that the feature adds. `registry` has all of them once they are compiled. */
  types?(server: Server, options: RegistryOptions, registry: () => SchemaRegistry): RegistryOptions
  /**
   * What the server says of the feature, with its defaults; null for a server that does without.
   *
   * @throws {Error} that names the server, its member and the cure: it stops the start.
   */
  compile(server: Server, resources: Resources): Value | null
  /** What its clients are told of the feature. */
  openapi?(value: Value): OpenApiPart
}

/** What the features of a server compiled of it. */
export class CompiledFeatures {
  private readonly values: ReadonlyMap<string, unknown>
  readonly openapi: readonly OpenApiPart[]

  constructor(features: readonly ServerFeature[], server: Server, resources: Resources) {
    const compiled = features.map((feature) => ({ feature, value: feature.compile(server, resources) }))
    const had = compiled.filter(({ value }) => value !== null)
    this.values = new Map(had.map(({ feature, value }) => [feature.key.name, value]))
    this.openapi = had.flatMap(({ feature, value }) => feature.openapi?.(value) ?? [])
  }

  /** Null where the server does without the feature. */
  get<Value>({ name }: FeatureKey<Value>): Value | null {
    return (this.values.get(name) as Value | undefined) ?? null
  }
}
