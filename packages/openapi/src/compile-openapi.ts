import type { OpenApiOptions } from '@prismapi/core/server/server'
import type { CompiledFeatures, ServerFeature } from '@prismapi/core/server/server-feature'
import { nearest } from '@prismapi/jsonapi/model/nearest'
import { FeatureKey } from '@prismapi/jsonapi/request/features'
import type { SchemaRegistry } from '@prismapi/jsonapi/schema/resource-schema'

const openApiKey = new FeatureKey<OpenApiOptions>('openapi')

/** What the application says in the OpenAPI document of a server. */
export const compiledOpenApi: ServerFeature<OpenApiOptions> = {
  key: openApiKey,
  compile(server, { registry }) {
    checkExamples(server, registry)
    return server.openapi
  },
}

/** Nothing, where the server was compiled without. */
export const openApiOptionsOf = ({ features }: { readonly features: Pick<CompiledFeatures, 'get'> }): OpenApiOptions =>
  features.get(openApiKey) ?? {}

/** @throws {Error} for a type that the server does not have. */
export function checkExamples(
  { name, openapi }: { readonly name: string; readonly openapi: OpenApiOptions },
  types: SchemaRegistry,
): void {
  for (const type of Object.keys(openapi.examples ?? {})) {
    if (types.byType.has(type)) continue
    const meant = nearest(type, types.byType.keys())
    const cure = meant ? `Did you mean ${meant}?` : `There are: ${[...types.byType.keys()].join(', ')}.`
    throw new Error(`Server ${name}: openapi.examples names a type ${type}, which it does not serve. ${cure}`)
  }
}
