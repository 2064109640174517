import { type Audience, everybody } from './audience.ts'
import { deprecationDates, deprecationHeaders, withDeprecations } from './deprecations.ts'
import type { Paths } from './described.ts'
import { type Described, type DescribedServer, described, type Part } from './described.ts'
import type { Example } from './examples.ts'
import { keyParameters, withKeys } from './keys.ts'
import { allParameters } from './parameters.ts'
import { notModifiedResponse, preconditionParameters } from './preconditions.ts'
import { rateLimitHeaders, withRateLimits } from './rate-limits.ts'
import { pathsFor, referredComponents } from './referred.ts'
import { errorResponses } from './responses.ts'
import { allSchemas } from './schemas.ts'
import { documentPaths, operationsPaths, rootPaths } from './server-paths.ts'
import { shownSchemas } from './shown-schemas.ts'
import { typePaths } from './type-paths.ts'

/**
 * In: a compiled server, who is told of it, and resources to show them. Out: its OpenAPI 3.1 document, for them; for nobody in particular all that
 * anybody could do.
 * https://spec.openapis.org/oas/v3.1.0
 */
export function openApiDocument(
  server: DescribedServer,
  audience: Audience = everybody(server),
  examples: ReadonlyMap<string, Example> = new Map(),
): Part {
  const told: Described = { ...server, audience, examples, schemas: shownSchemas(server.schemas, audience) }
  const { securitySchemes } = server.openapi
  const paths = pathsOf(told)
  const tagged = new Set(Object.values(paths).flatMap(tagsOf))
  const types = [...told.schemas.byType.values()].filter(({ type }) => tagged.has(type))
  return {
    openapi: '3.1.0',
    info: info(server),
    servers: [{ url: server.baseUrl.slice(0, server.baseUrl.length - server.basePath.length) || '/' }],
    ...(securitySchemes && { security: [{}, ...Object.keys(securitySchemes).map((name) => ({ [name]: [] }))] }),
    tags: types.map(({ type, model }) => ({ name: type, ...described(model.documentation) })),
    paths,
    components: { ...referredComponents(paths, componentsOf(told)), ...(securitySchemes && { securitySchemes }) },
  }
}

const componentsOf = (server: Described): Readonly<Record<string, Part>> => ({
  schemas: allSchemas(server),
  parameters: { ...preconditionParameters, ...allParameters(server), ...keyParameters(server) },
  responses: { ...notModifiedResponse, ...errorResponses(server) },
  headers: { ...rateLimitHeaders(server), ...deprecationHeaders(server) },
})

/** The start page is for everybody: it is not counted. */
function pathsOf(server: Described): Paths {
  const types = [...server.schemas.byType.values()]
  const all: Paths = Object.assign({}, ...types.map((schema) => typePaths(server, schema)))
  const own = pathsFor(all, (id) => server.audience.has(id))
  const isWriting = Object.values(own).some(({ post, patch, delete: remove }) => post ?? patch ?? remove)
  const counted = { ...documentPaths(server), ...(isWriting && operationsPaths(server)), ...own }
  return withDeprecations(server, { ...rootPaths(server), ...withRateLimits(server, withKeys(server, counted)) })
}

const tagsOf = (item: Part): readonly string[] =>
  Object.values(item).flatMap((part) => ((part as Part).tags as readonly string[] | undefined) ?? [])

function info({ name, version, openapi, limits, deprecation }: DescribedServer): Part {
  const said = `JSON:API ${version}: documents are \`application/vnd.api+json\`. Every path that has GET has HEAD, too, and OPTIONS of each says in \`Allow\` what it has.

Beyond what is listed, \`filter\` takes paths through relations (\`filter[<relation>.<field>]\`, up to ${limits.filterDepth} deep) and groups (\`filter[or][0][<field>]\`); \`fields\` takes every type; \`includePage\`, \`includeSort\` and \`includeFilter\` are about included to-many relations.`
  return {
    title: openapi.title ?? `API ${name}`,
    version: openapi.version ?? name,
    ...deprecationDates(deprecation),
    description: openapi.description === undefined ? said : `${openapi.description}\n\n${said}`,
  }
}
