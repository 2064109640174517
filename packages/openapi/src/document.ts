import type { OpenApiVersion } from '@prismapi/core/server/open-api-part'
import { isReading, type Operation } from '@prismapi/jsonapi/request/operation'
import { isToMany } from '@prismapi/jsonapi/schema/relation-kinds'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { type Audience, everybody, operationsOf, typesTold } from './caller.ts'
import { openApiOptionsOf } from './compile-openapi.ts'
import { type Described, type DescribedServer, described, type Part, type Paths } from './described.ts'
import type { Example } from './examples.ts'
import { withNames } from './names.ts'
import type { ParameterParts } from './parameter.ts'
import { allParameters, makeAllCollections, typeParameters } from './parameters.ts'
import { etagHeader, notModifiedResponse, preconditionParameters, saidOfVersions } from './preconditions.ts'
import { queryBodies, takesQuery, withQueries } from './query-operations.ts'
import { type Components, pathsFor, References } from './referred.ts'
import { errorResponses, saidOfFailures, withErrors } from './responses.ts'
import { allSchemas } from './schemas.ts'
import { documentPaths, operationsPaths, rootPaths } from './server-paths.ts'
import { sharedParts, withSharedResponses } from './shared-parts.ts'
import { shownSchemas } from './shown-schemas.ts'
import { typePaths } from './type-paths.ts'
import { withoutAllTypes } from './unfolded.ts'

/** What a document is about, beside its server and its audience. */
export interface DocumentOptions {
  /** Resources to show, by type. */
  readonly examples?: ReadonlyMap<string, Example>
  /** The types whose paths are told of; null for all. */
  readonly types?: ReadonlySet<string> | null
  /** What the paths are appended to; the server's public origin by default. */
  readonly origin?: string | undefined
  /** Is for a viewer that copies what is referred to, each time: then nothing leads to all types. */
  readonly isUnfolded?: boolean
  /** The version of OpenAPI; 3.1 by default. */
  readonly openapi?: OpenApiVersion
}

/** A document in the order in which it is written: its components are known once all of its paths were made. */
export interface DocumentParts {
  readonly head: Part
  /** Is each path a line of its text, because there are many. */
  readonly isLarge: boolean
  /** Works out in steps what its paths share; `paths` does so at once where nobody has. */
  prepare(): Iterable<undefined>
  paths(): Iterable<readonly [url: string, item: Part]>
  components(): Components
  /** The same in steps. */
  componentsInSteps(): Generator<undefined, Components>
  /** The parameters of one type, by their names in the components, without looking at all others. */
  parametersOf(type: string): ParameterParts
}

/**
 * In: a compiled server, the caller, and resources as examples. Out: the server's OpenAPI document for that caller;
 * without a caller, for everything that some caller could do. https://spec.openapis.org/oas/v3.2.0
 */
export function openApiDocument(
  server: DescribedServer,
  audience: Audience = everybody(server),
  options: DocumentOptions = {},
): Part {
  const { head, paths, components } = documentParts(server, audience, options)
  return { ...head, paths: Object.fromEntries(paths()), components: components() }
}

/** The same document in parts, none of which is large. */
export function documentParts(
  server: DescribedServer,
  audience: Audience = everybody(server),
  { examples = new Map(), types = null, origin, isUnfolded = false, openapi = '3.1' }: DocumentOptions = {},
): DocumentParts {
  const schemas = shownSchemas(server.schemas, audience)
  const told = [...schemas.byType.values()].filter(({ type }) => types === null || types.has(type))
  const own = hasParameters(server) ? { basePath: '' } : {}
  const features = featuresFor(openapi, server.features)
  const shared = sharedParts()
  const about: Described = { ...server, ...own, features, audience, examples, schemas, told, shared, openapi }
  const references = new References()
  const { securitySchemes } = openApiOptionsOf(server)
  const prepare = function* () {
    if (types === null) yield* makeAllCollections(about)
  }
  const componentsInSteps = function* (): Generator<undefined, Components> {
    const all = yield* componentsOf(about)
    const found = yield* references.find(isUnfolded ? withoutAllTypes(all) : all)
    return { ...found, ...(securitySchemes && { securitySchemes: securitySchemes as Components[string] }) }
  }
  return {
    head: headOf(about, serverObject(server, origin)),
    isLarge: hasManyRelations(told),
    prepare,
    *paths() {
      ended(prepare())
      for (const paths of pathsOf(about)) {
        references.add(paths)
        yield* Object.entries(withNames(server.schemas, paths))
      }
    },
    parametersOf(type) {
      const schema = schemas.byType.get(type)
      return schema ? typeParameters(about, schema) : {}
    },
    components: () => ended(componentsInSteps()),
    componentsInSteps,
  }
}

/** What features add in this version of OpenAPI. */
const featuresFor = (version: OpenApiVersion, features: DescribedServer['features']): DescribedServer['features'] =>
  version === '3.1'
    ? features
    : {
        openapi: features.openapi.map((part) => part.newer ?? part),
        parameters: features.parameters,
        get: (key) => features.get(key),
      }

function ended<T>(steps: Generator<undefined, T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

const mostRelations = 100

/** Have the types so many to-many relations that a reader wants the document in parts, and its text in few lines. */
export function hasManyRelations(schemas: readonly ResourceSchema[]): boolean {
  const lists = schemas.map(({ relations }) => [...relations.values()].filter(isToMany).length)
  return lists.reduce((sum, count) => sum + count, 0) > mostRelations
}

/**
 * Paths begin with the base path. If that has parameters, they are variables of the server, with the request's values.
 */
function serverObject(server: DescribedServer, origin: string | undefined): Part {
  const { baseUrl, basePath, base, params } = server
  const url = origin ?? baseUrl.slice(0, baseUrl.length - basePath.length)
  if (!hasParameters(server)) return { url: url || '/' }
  const variables = Object.entries(params).map(
    ([name, value]) => [name, { default: encodeURIComponent(value) }] as const,
  )
  return {
    url: url.replace(/\/$/, '') + base.text.replace(/:(\w+)/g, '{$1}'),
    variables: Object.fromEntries(variables),
  }
}

const hasParameters = ({ base }: DescribedServer): boolean => base.names.length > 0

function headOf(server: Described, origin: Part): Part {
  const { securitySchemes } = openApiOptionsOf(server)
  return {
    openapi: `${server.openapi ?? '3.1'}.0`,
    info: info(server),
    servers: [origin],
    ...(securitySchemes && { security: [{}, ...Object.keys(securitySchemes).map((name) => ({ [name]: [] }))] }),
    tags: typesTold(server.told, server.audience).map(({ type, model }) => ({
      name: type,
      ...described(model.documentation),
    })),
  }
}

function* componentsOf(server: Described): Generator<undefined, Components> {
  const schemas = yield* allSchemas(server)
  const parameters = {
    ...preconditionParameters,
    ...(yield* allParameters(server)),
    ...partsOf(server, 'parameters'),
    ...server.shared.parameters.parts,
  } as Components[string]
  return {
    schemas: { ...schemas, ...partsOf(server, 'schemas') } as Components[string],
    parameters,
    requestBodies: { ...server.shared.requestBodies.parts, ...queryBodies(server, parameters) },
    responses: {
      ...notModifiedResponse,
      ...errorResponses(server),
      ...server.shared.responses.parts,
    } as Components[string],
    headers: {
      ...etagHeader,
      ...partsOf(server, 'headers'),
    } as Components[string],
  }
}

/** Components of one kind that features add. */
const partsOf = ({ features }: Described, kind: 'schemas' | 'parameters' | 'headers'): Part =>
  Object.assign({}, ...features.openapi.map((part) => part[kind]))

/** The paths of the server itself, and then those of each type. The start page is for everybody: it is not counted. */
function* pathsOf(server: Described): Iterable<Paths> {
  const { openapi } = server.features
  const finished = (paths: Paths) => {
    const all = openapi.reduce((found, part) => part.allPaths?.(found) ?? found, paths)
    return withSharedResponses(server, takesQuery(server) ? withQueries(server, all) : all)
  }
  const counted = (paths: Paths) =>
    finished(
      withErrors(
        server,
        openapi.reduce((all, part) => part.paths?.(all) ?? all, paths),
      ),
    )
  const pathsOfType = (schema: ResourceSchema) =>
    openapi.reduce((all, part) => part.pathsOfType?.(schema, all) ?? all, typePaths(server, schema))
  yield finished(rootPaths(server))
  yield counted(documentPaths(server))
  if (canWrite(server)) yield counted(operationsPaths(server))
  for (const schema of server.told) yield counted(pathsFor(pathsOfType(schema), (id) => server.audience.has(id)))
}

const canWrite = ({ told, audience }: Described): boolean =>
  told.some((schema) => operationsOf(schema).some(([id, operation]) => isWriting(operation) && audience.has(id)))

const isWriting = (operation: Operation): boolean =>
  operation.kind === 'action' ? operation.action.method !== 'GET' : !isReading(operation)

function info(server: Described): Part {
  const { name, version, limits, features } = server
  const own = openApiOptionsOf(server)
  const said = `JSON:API ${version}: documents are \`application/vnd.api+json\`.

- A filter is \`filter[<field>]=<value>\` or \`filter[<field>][<operator>]=<value>\`. Several values are a comma list.
- Beyond what is listed, \`filter\` takes paths through relations (\`filter[<relation>.<field>]\`, up to ${limits.filterDepth} deep) and groups (\`filter[or][0][<field>]\`).
- \`includePage\`, \`includeSort\` and \`includeFilter\` are about included to-many relations.
- Every path that has GET has HEAD, too, and OPTIONS of each says in \`Allow\` what it has.
- ${saidOfVersions(server)}
- ${saidOfFailures}`
  return {
    title: own.title ?? `API ${name}`,
    version: own.version ?? name,
    ...Object.assign({}, ...features.openapi.map((part) => part.info)),
    description: own.description === undefined ? said : `${own.description}\n\n${said}`,
  }
}
