import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'

/** An object of an OpenAPI document: of a JSON Schema, a parameter, an operation. */
export type Part = Readonly<Record<string, unknown>>

/** Path items by their path. */
export type Paths = Readonly<Record<string, Part>>

/** What a feature adds to the OpenAPI document of a server. */
export interface OpenApiPart {
  /** Components that are parameters, by their names. */
  readonly parameters?: Part
  /** Components that are schemas, by their names. */
  readonly schemas?: Part
  /** Components that are headers, by their names. */
  readonly headers?: Part
  /** Headers of errors, by the status that has them. */
  readonly errorHeaders?: Readonly<Record<string, Part>>
  /**
   * Errors that only features answer with, by their statuses: each operation on types, and each request of operations,
   * may be answered by them.
   */
  readonly errors?: Readonly<Record<string, { readonly cause: string; readonly headers?: Part }>>
  /** The paths of a type, with what it adds. */
  readonly pathsOfType?: (schema: ResourceSchema, paths: Paths) => Paths
  /** All paths but the start page, with what it adds. */
  readonly paths?: (paths: Paths) => Paths
  /** All paths, the start page among them, once every feature has added its own. */
  readonly allPaths?: (paths: Paths) => Paths
  /** Members of the Info Object, such as `x-sunset`. */
  readonly info?: Part
  /** Does each path that has GET take QUERY, with the parameters in its body. OpenAPI 3.2 can say so. */
  readonly takesQuery?: boolean
  /** What stands in the place of all this in OpenAPI 3.2, which can say of what a stream is made. */
  readonly newer?: Omit<OpenApiPart, 'newer'>
}

/** The versions of OpenAPI that clients may ask for. */
export const openApiVersions = ['3.1', '3.2'] as const

export type OpenApiVersion = (typeof openApiVersions)[number]

/**
 * The paths with each of their operations changed.
 *
 * @example
 * const tagged = (paths: Paths): Paths => eachOperation(paths, (operation) => ({ ...operation, tags: ['all'] }))
 */
export const eachOperation = (paths: Paths, change: (operation: Part, method: string) => Part): Paths =>
  mapParts(paths, (path) =>
    mapParts(path, (part, name) => (name === 'parameters' ? part : change(part as Part, name))),
  ) as Paths

/**
 * An operation whose successful responses have these headers as well.
 *
 * @example
 * const operation = withHeaders({ responses: {} }, { Release: headerRef('Release') })
 */
export const withHeaders = ({ responses, ...operation }: Part, headers: Part): Part => ({
  ...operation,
  responses: mapParts(responses as Paths, (response, status) =>
    status.startsWith('2') ? { ...response, headers: { ...(response.headers as Part), ...headers } } : response,
  ),
})

const mapParts = <T>(parts: Readonly<Record<string, T>>, change: (part: T, name: string) => unknown): Part =>
  Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, change(part, name)]))

/** The paths with what changes each GET of these operations. */
export const eachGet = (paths: Paths, ids: ReadonlySet<string>, change: (get: Part) => Part): Paths =>
  eachOperation(paths, (operation, method) =>
    method === 'get' && ids.has(String(operation.operationId)) ? change(operation) : operation,
  )

/** The type of the resources in a document, by the schema that it refers to: `posts.many`; undefined without one. */
export const typeOfDocument = (document: Part | undefined): string | undefined =>
  /"#\/components\/schemas\/([^".]+)\.(?:many|one|resource)"/.exec(JSON.stringify(document) ?? '')?.[1]

export const schemaRef = (name: string): Part => ({ $ref: `#/components/schemas/${name}` })
export const parameterRef = (name: string): Part => ({ $ref: `#/components/parameters/${name}` })
/**
 * A reference to a header that the part of a feature has among its `headers`.
 *
 * @example
 * const release = headerRef('Release') // { $ref: '#/components/headers/Release' }
 */
export const headerRef = (name: string): Part => ({ $ref: `#/components/headers/${name}` })
/**
 * A reference to a response: to an error that the part of a feature has among its `errors`, by its status.
 *
 * @example
 * const locked = responseRef('423') // { $ref: '#/components/responses/423' }
 */
export const responseRef = (name: string): Part => ({ $ref: `#/components/responses/${name}` })
