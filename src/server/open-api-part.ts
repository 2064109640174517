import type { ResourceSchema } from '../schema/resource-schema.ts'

/** An object of an OpenAPI document: of a JSON Schema, a parameter, an operation. */
export type Part = Readonly<Record<string, unknown>>

/** Path items by their path. */
export type Paths = Readonly<Record<string, Part>>

/** What a feature adds to the OpenAPI document of a server. */
export interface OpenApiPart {
  /** Components, by their names. */
  readonly parameters?: Part
  readonly schemas?: Part
  readonly headers?: Part
  /** Headers of errors, by the status that has them. */
  readonly errorHeaders?: Readonly<Record<string, Part>>
  /** The paths of a type, with what it adds. */
  readonly pathsOfType?: (schema: ResourceSchema, paths: Paths) => Paths
  /** All paths but the start page, with what it adds. */
  readonly paths?: (paths: Paths) => Paths
}

export const schemaRef = (name: string): Part => ({ $ref: `#/components/schemas/${name}` })
export const parameterRef = (name: string): Part => ({ $ref: `#/components/parameters/${name}` })
export const headerRef = (name: string): Part => ({ $ref: `#/components/headers/${name}` })
export const responseRef = (name: string): Part => ({ $ref: `#/components/responses/${name}` })
