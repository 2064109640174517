import type { Extensions } from '../document/profiles.ts'
import type { Resources } from '../model/meta.ts'
import type { Services } from '../model/register.ts'
import type { Limits } from '../request/limits.ts'
import type { Deprecation } from '../schema/deprecation.ts'
import type { ResourceSchema, SchemaRegistry } from '../schema/resource-schema.ts'
import type { OpenApiPart, Part } from '../server/open-api-part.ts'
import type { OpenApiOptions } from '../server/openapi-options.ts'
import type { RequestClasses } from '../validation/request/request-classes.ts'
import type { Audience } from './audience.ts'
import type { Shared } from './compact.ts'
import type { Example } from './examples.ts'

/** What is described of a server; a compiled server has all of it. */
export interface DescribedServer {
  readonly name: string
  readonly basePath: string
  readonly baseUrl: string
  readonly version: '1.0' | '1.1'
  readonly supportedExtensions: Extensions
  readonly resources: Resources
  readonly reads: 'auto' | 'prisma'
  readonly schemas: SchemaRegistry
  readonly services: Services
  readonly requests: ReadonlyMap<string, RequestClasses>
  readonly limits: Limits
  /** What its features add. */
  readonly features: { readonly openapi: readonly OpenApiPart[] }
  readonly etags: boolean
  readonly isRateLimited: boolean
  readonly openapi: OpenApiOptions
  /** Null where the schema class does not announce its end. */
  readonly deprecation: Deprecation | null
  /** Is anything of it deprecated. */
  readonly deprecates: boolean
}

/** A server as an audience is told of it: `schemas` has what they may know. */
export interface Described extends DescribedServer {
  readonly audience: Audience
  /** The types whose paths are told of. */
  readonly told: readonly ResourceSchema[]
  /** What operations have in common, where there are so many that it is said once; null where each says it itself. */
  readonly shared: Shared | null
  /** By type. */
  readonly examples: ReadonlyMap<string, Example>
}

export { headerRef, type Part, type Paths, parameterRef, responseRef, schemaRef } from '../server/open-api-part.ts'

/** A documentation comment as a description; nothing where there is none. */
export const described = (documentation: string | null | undefined): Part =>
  documentation ? { description: documentation } : {}
