import type { BasePath } from '@prismapi/core/server/base-path'
import type { OpenApiVersion, Part } from '@prismapi/core/server/open-api-part'
import type { CompiledFeatures } from '@prismapi/core/server/server-feature'
import type { RequestClasses } from '@prismapi/core/validation/request/resource-query'
import type { Extensions } from '@prismapi/jsonapi/document/types'
import type { Resources } from '@prismapi/jsonapi/model/meta'
import type { BasePathParams, Services } from '@prismapi/jsonapi/model/register'
import type { Limits } from '@prismapi/jsonapi/request/limits'
import type { ResourceSchema, SchemaRegistry } from '@prismapi/jsonapi/schema/resource-schema'
import type { Audience } from './caller.ts'
import type { Example } from './examples.ts'
import type { Shared } from './shared-parts.ts'

/** What is described of a server; a compiled server has all of it. */
export interface DescribedServer {
  readonly name: string
  /** What paths begin with; empty where the server's URL says it. */
  readonly basePath: string
  readonly baseUrl: string
  readonly base: Pick<BasePath, 'text' | 'names'>
  readonly params: BasePathParams
  readonly version: '1.0' | '1.1'
  readonly supportedExtensions: Extensions
  readonly resources: Resources
  readonly reads: 'auto' | 'prisma'
  readonly schemas: SchemaRegistry
  readonly services: Services
  readonly requests: ReadonlyMap<string, RequestClasses>
  readonly limits: Limits
  /** What its features add. */
  readonly features: Pick<CompiledFeatures, 'openapi' | 'parameters' | 'get'>
  readonly etags: boolean
}

/** A server as an audience is told of it: `schemas` has what they may know. */
export interface Described extends DescribedServer {
  readonly audience: Audience
  /** The types whose paths are told of. */
  readonly told: readonly ResourceSchema[]
  readonly shared: Shared
  /** The version of OpenAPI; 3.1 where this says nothing. */
  readonly openapi?: OpenApiVersion
  /** By type. */
  readonly examples: ReadonlyMap<string, Example>
}

export {
  headerRef,
  type Part,
  type Paths,
  parameterRef,
  responseRef,
  schemaRef,
} from '@prismapi/core/server/open-api-part'

/** A documentation comment as a description; nothing where there is none. */
export const described = (documentation: string | null | undefined): Part =>
  documentation ? { description: documentation } : {}
