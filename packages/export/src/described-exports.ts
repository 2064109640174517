import type { OpenApiPart, Part, Paths } from '@prismapi/core/server/open-api-part'
import { isToMany } from '@prismapi/jsonapi/schema/relation-kinds'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { formats } from './formats.ts'

/** What clients are told of exports. */
export const describedExports: OpenApiPart = { pathsOfType: withExports }

/** The paths of a type, with the media types of exports for each GET that has them. */
function withExports(schema: ResourceSchema, paths: Paths): Paths {
  const related = [...schema.relations.values()].filter(isToMany).map(({ name }) => `${name}.viewRelated`)
  const exported = new Set(['viewAny', 'viewStats', ...related].map((kind) => `${schema.type}.${kind}`))
  const added = (path: Part): Part => {
    const get = path.get as Part | undefined
    return get && exported.has(String(get.operationId)) ? { ...path, get: withFormats(get) } : path
  }
  return Object.fromEntries(Object.entries(paths).map(([url, path]) => [url, added(path)]))
}

function withFormats({ responses, ...operation }: Part): Part {
  const { 200: shown, ...others } = responses as Readonly<Record<string, Part>>
  const content = { ...(shown?.content as Part), ...lines }
  return { ...operation, responses: { 200: { ...shown, content }, ...others } }
}

const lines = Object.fromEntries(formats.map(({ mediaType }) => [mediaType, { schema: { type: 'string' } }]))
