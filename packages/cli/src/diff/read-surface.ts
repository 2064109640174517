import type { Part as Json } from '@prismapi/openapi/described'
import { announcementOf, type DescribedApi, readDescribed } from './described-api.ts'
import { endpointParts } from './endpoint-parts.ts'
import { fieldParts } from './field-parts.ts'
import { queryParts } from './query-parts.ts'
import { schemeParts } from './sign-in-parts.ts'
import { api, apiItself, type Part, part, type Surface, typeItself } from './surface.ts'

/** In: an OpenAPI document that a server wrote. Out: what its clients rely on. */
export function readSurface(document: Json): Surface {
  const described = readDescribed(document)
  const { types } = described
  const queries = types.map((type) => queryParts(described, type))
  const all = [
    ...serverParts(described),
    ...endpointParts(described),
    ...types.flatMap((type) => [typePart(described, type), ...fieldParts(described, type)]),
    ...queries.flatMap(({ parts }) => parts),
  ]
  return Object.freeze({
    parts: new Map(all.map((each) => [each.key, each])),
    open: new Map(queries.flatMap(({ open }) => open.map(({ within, accepts }) => [within, accepts]))),
  })
}

const typePart = ({ schemas }: DescribedApi, type: string): Part =>
  part({ where: type, what: typeItself, announcement: announcementOf(schemas[`${type}.resource`]) })

/** The parts without a type: the server's URL, its extensions, how callers sign in, and the headers of requests. */
function serverParts(described: DescribedApi): readonly Part[] {
  const { document, basePath, operations, schemas } = described
  const headers = new Set(
    operations.flatMap(({ parameters }) => parameters.filter((each) => each.in === 'header').map(({ name }) => name)),
  )
  const whats = [
    `base path ${basePath || '/'}`,
    ...versionsOf(schemas).map((version) => `JSON:API ${version}`),
    ...[...headers].map((name) => `header ${name}`),
  ]
  const server = part({ where: api, what: apiItself, announcement: announcementOf(document.info as Json) })
  return [server, ...whats.map((what) => part({ where: api, what })), ...schemeParts(described)]
}

/** A server that declares 1.1 does all that 1.0 says. */
function versionsOf(schemas: DescribedApi['schemas']): readonly string[] {
  const { version } = (schemas.jsonapi?.properties ?? {}) as Readonly<Record<string, Json>>
  return ['1.0', '1.1'].filter((each) => each <= String(version?.const))
}
