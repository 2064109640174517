import { isReading, type Operation } from '../request/operation.ts'
import type { ResourceSchema } from '../schema/resource-schema.ts'
import { type Audience, everybody, operationsOf, typesTold } from './audience.ts'
import { hasManyRelations, saidOfShared, sharedParts, withSharedParts } from './compact.ts'
import { deprecating, deprecationDates, deprecationHeaders } from './deprecations.ts'
import type { Paths } from './described.ts'
import { type Described, type DescribedServer, described, type Part } from './described.ts'
import type { Example } from './examples.ts'
import { withNames } from './names.ts'
import type { ParameterParts } from './parameter.ts'
import { allParameters, typeParameters } from './parameters.ts'
import { etagHeader, notModifiedResponse, preconditionParameters } from './preconditions.ts'
import { rateLimitHeaders, withRateLimits } from './rate-limits.ts'
import { type Components, pathsFor, References } from './referred.ts'
import { errorResponses } from './responses.ts'
import { allSchemas } from './schemas.ts'
import { documentPaths, operationsPaths, rootPaths } from './server-paths.ts'
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
  /** Is said once what operations share; by default where there are many. */
  readonly isLarge?: boolean
  /** Is for a viewer that copies what is referred to, each time: then nothing leads to all types. */
  readonly isUnfolded?: boolean
}

/** A document in the order in which it is written: its components are known once all of its paths were made. */
export interface DocumentParts {
  readonly head: Part
  /** Does it say once what operations share. */
  readonly isLarge: boolean
  paths(): Iterable<readonly [url: string, item: Part]>
  components(): Components
  /** The parameters of one type, by their names in the components, without looking at all others. */
  parametersOf(type: string): ParameterParts
}

/**
 * In: a compiled server, who is told of it, and resources to show them. Out: its OpenAPI 3.1 document, for them; for no caller in particular all that
 * some caller could do.
 * https://spec.openapis.org/oas/v3.1.0
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
  { examples = new Map(), types = null, origin, isLarge, isUnfolded = false }: DocumentOptions = {},
): DocumentParts {
  const schemas = shownSchemas(server.schemas, audience)
  const told = [...schemas.byType.values()].filter(({ type }) => types === null || types.has(type))
  const shared = (isLarge ?? hasManyRelations(told)) ? sharedParts() : null
  const about: Described = { ...server, audience, examples, schemas, told, shared }
  const references = new References()
  const { securitySchemes } = server.openapi
  return {
    head: headOf(about, origin),
    isLarge: shared !== null,
    *paths() {
      for (const paths of pathsOf(about)) {
        references.add(paths)
        yield* Object.entries(withNames(server.schemas, paths))
      }
    },
    parametersOf(type) {
      const schema = schemas.byType.get(type)
      return schema ? typeParameters(about, schema) : {}
    },
    components: () => ({
      ...references.find(isUnfolded ? withoutAllTypes(componentsOf(about)) : componentsOf(about)),
      ...(securitySchemes && { securitySchemes: securitySchemes as Components[string] }),
    }),
  }
}

function headOf(server: Described, origin: string | undefined): Part {
  const { securitySchemes } = server.openapi
  const url = origin ?? server.baseUrl.slice(0, server.baseUrl.length - server.basePath.length)
  return {
    openapi: '3.1.0',
    info: info(server),
    servers: [{ url: url || '/' }],
    ...(securitySchemes && { security: [{}, ...Object.keys(securitySchemes).map((name) => ({ [name]: [] }))] }),
    tags: typesTold(server.told, server.audience).map(({ type, model }) => ({
      name: type,
      ...described(model.documentation),
    })),
  }
}

const componentsOf = (server: Described): Components => ({
  schemas: { ...allSchemas(server), ...partsOf(server, 'schemas') } as Components[string],
  parameters: {
    ...preconditionParameters,
    ...allParameters(server),
    ...partsOf(server, 'parameters'),
    ...server.shared?.parameters.parts,
  } as Components[string],
  requestBodies: server.shared?.requestBodies.parts ?? {},
  responses: {
    ...notModifiedResponse,
    ...errorResponses(server),
    ...server.shared?.responses.parts,
  } as Components[string],
  headers: {
    ...etagHeader,
    ...rateLimitHeaders(server),
    ...deprecationHeaders(server),
    ...partsOf(server, 'headers'),
  } as Components[string],
})

/** Components of one kind that features add. */
const partsOf = ({ features }: Described, kind: 'schemas' | 'parameters' | 'headers'): Part =>
  Object.assign({}, ...features.openapi.map((part) => part[kind]))

/** The paths of the server itself, and then those of each type. The start page is for everybody: it is not counted. */
function* pathsOf(server: Described): Iterable<Paths> {
  const deprecated = deprecating(server)
  const finished = (paths: Paths) => withSharedParts(server, deprecated(paths))
  const { openapi } = server.features
  const added = (paths: Paths) => openapi.reduce((all, part) => part.paths?.(all) ?? all, paths)
  const counted = (paths: Paths) => finished(withRateLimits(server, added(paths)))
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

function info({ name, version, openapi, limits, deprecation, shared }: Described): Part {
  const said = `JSON:API ${version}: documents are \`application/vnd.api+json\`. Every path that has GET has HEAD, too, and OPTIONS of each says in \`Allow\` what it has.

Beyond what is listed, \`filter\` takes paths through relations (\`filter[<relation>.<field>]\`, up to ${limits.filterDepth} deep) and groups (\`filter[or][0][<field>]\`); \`fields\` takes every type; \`includePage\`, \`includeSort\` and \`includeFilter\` are about included to-many relations.${shared ? `\n\n${saidOfShared}` : ''}`
  return {
    title: openapi.title ?? `API ${name}`,
    version: openapi.version ?? name,
    ...deprecationDates(deprecation),
    description: openapi.description === undefined ? said : `${openapi.description}\n\n${said}`,
  }
}
