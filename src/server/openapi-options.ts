import { nearest } from '../model/nearest.ts'
import type { SchemaRegistry } from '../schema/resource-schema.ts'

/** What only the application can say in the OpenAPI document of a server. */
export interface OpenApiOptions {
  /** By default `API <name>`. */
  readonly title?: string
  /** The version of the API; by default the server's name. */
  readonly version?: string
  /** Markdown, before what is said of every server. */
  readonly description?: string
  /** Security scheme objects of OpenAPI, by name. Each of them may be used, and none has to be: guests have rights, too. */
  readonly securitySchemes?: Readonly<Record<string, object>>
  /**
   * Rows to show as examples: an id by type, `{ posts: '1' }`. Each is read for the caller who asks for the document, through their
   * scopes and policies, and left out where they may not view it; a query each. Without any, tools make examples of the
   * kinds, formats and enumerations.
   */
  readonly examples?: Readonly<Record<string, string>>
}

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
