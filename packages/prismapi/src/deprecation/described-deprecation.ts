import {
  eachOperation,
  headerRef,
  type OpenApiPart,
  type Part,
  type Paths,
  withHeaders,
} from '@prismapi/core/server/open-api-part'
import type { Deprecation } from '@prismapi/jsonapi/schema/deprecation'
import type { SchemaRegistry } from '@prismapi/jsonapi/schema/resource-schema'
import { operationsOf } from '@prismapi/openapi/caller'
import { deprecatedPart, deprecationDates } from '@prismapi/openapi/deprecations'

const header = (description: string): Part => ({ description, schema: { type: 'string' } })

/** What clients are told of the end of a server and its operations, and of the headers that say so. */
export const describedDeprecation = (ofServer: Deprecation | null, registry: SchemaRegistry): OpenApiPart => ({
  info: deprecationDates(ofServer),
  headers: {
    Deprecation: header(
      'Since when something that the request uses is deprecated: `@` and the seconds since 1970 (RFC 9745).',
    ),
    Sunset: header('From when on it may be gone (RFC 8594).'),
    Link: header('Pages about it: `rel="deprecation"`, `rel="sunset"`.'),
  },
  allPaths: deprecating(ofServer, registry),
})

const told: Part = { Deprecation: headerRef('Deprecation'), Sunset: headerRef('Sunset'), Link: headerRef('Link') }

/** Says of each operation of the paths that it will be gone, and that its answers say so. */
function deprecating(ofServer: Deprecation | null, { byType }: SchemaRegistry): (paths: Paths) => Paths {
  const ends = new Map(
    [...byType.values()].flatMap((schema) =>
      operationsOf(schema).map(([id, operation]) => {
        const part = 'action' in operation ? operation.action : 'relation' in operation ? operation.relation : schema
        return [id, endOf(ofServer, schema.deprecation, part.deprecation)] as const
      }),
    ),
  )
  const marked = (operation: Part): Part => {
    const end = ends.get(operation.operationId as string) ?? endOf(ofServer)
    return 'deprecated' in end ? withHeaders({ ...operation, ...end }, told) : operation
  }
  return (paths) => eachOperation(paths, marked)
}

/** Of an operation, which can lead to a page as well. */
function endOf(...deprecations: readonly (Deprecation | null)[]): Part {
  const url = deprecations.find((each) => each?.link !== undefined)?.link
  return { ...deprecatedPart(...deprecations), ...(url !== undefined && { externalDocs: { url: new URL(url).href } }) }
}
