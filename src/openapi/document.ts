import { type Described, described, type Part } from './described.ts'
import { allParameters } from './parameters.ts'
import { errorResponses } from './responses.ts'
import { allSchemas } from './schemas.ts'
import { serverPaths } from './server-paths.ts'
import { typePaths } from './type-paths.ts'

/**
 * In: a compiled server. Out: its OpenAPI 3.1 document, the same for every caller: what it serves, and not who may do it.
 * https://spec.openapis.org/oas/v3.1.0
 */
export function openApiDocument(server: Described): Part {
  const types = [...server.schemas.byType.values()]
  const { securitySchemes } = server.openapi
  return {
    openapi: '3.1.0',
    info: info(server),
    servers: [{ url: server.baseUrl.slice(0, server.baseUrl.length - server.basePath.length) || '/' }],
    ...(securitySchemes && { security: [{}, ...Object.keys(securitySchemes).map((name) => ({ [name]: [] }))] }),
    tags: types.map(({ type, model }) => ({ name: type, ...described(model.documentation) })),
    paths: Object.assign(serverPaths(server), ...types.map((schema) => typePaths(server, schema))),
    components: {
      schemas: allSchemas(server),
      parameters: allParameters(server),
      responses: errorResponses,
      ...(securitySchemes && { securitySchemes }),
    },
  }
}

function info({ name, version, openapi, limits }: Described): Part {
  const said = `JSON:API ${version}: documents are \`application/vnd.api+json\`. Every path that has GET has HEAD, too, and OPTIONS of each says in \`Allow\` what it has.

Beyond what is listed, \`filter\` takes paths through relations (\`filter[author.name]\`, up to ${limits.filterDepth} deep) and groups (\`filter[or][0][title]\`); \`fields\` takes every type; \`includePage\`, \`includeSort\` and \`includeFilter\` are about included to-many relations.`
  return {
    title: openapi.title ?? `API ${name}`,
    version: openapi.version ?? name,
    description: openapi.description === undefined ? said : `${openapi.description}\n\n${said}`,
  }
}
