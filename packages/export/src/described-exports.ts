import { eachGet, type OpenApiPart, type Part, type Paths, typeOfDocument } from '@prismapi/core/server/open-api-part'
import { isToMany } from '@prismapi/jsonapi/schema/relation-kinds'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { formats } from './formats.ts'

/** What clients are told of exports. */
export const describedExports: OpenApiPart = {
  pathsOfType: withExports(() => lines),
  newer: {
    pathsOfType: withExports((document) => ({ ...lines, 'application/x-ndjson': { itemSchema: lineOf(document) } })),
  },
}

type LinesOf = (document: Part | undefined) => Part

/** The paths of a type, with the media types of exports for each GET that has them. */
function withExports(linesOf: LinesOf): (schema: ResourceSchema, paths: Paths) => Paths {
  return (schema, paths) => {
    const related = [...schema.relations.values()].filter(isToMany).map(({ name }) => `${name}.viewRelated`)
    const exported = new Set(['viewAny', 'viewStats', ...related].map((kind) => `${schema.type}.${kind}`))
    return eachGet(paths, exported, (get) => withFormats(get, linesOf))
  }
}

function withFormats({ responses, ...operation }: Part, linesOf: LinesOf): Part {
  const { 200: shown, ...others } = responses as Readonly<Record<string, Part>>
  const documents = shown?.content as Readonly<Record<string, Part>>
  const content = { ...documents, ...linesOf(Object.values(documents)[0]?.schema as Part | undefined) }
  return { ...operation, responses: { 200: { ...shown, content }, ...others } }
}

const lines = Object.fromEntries(formats.map(({ mediaType }) => [mediaType, { schema: { type: 'string' } }]))

/** A line of NDJSON: the attributes of a resource with its id, or a group. */
function lineOf(document: Part | undefined): Part {
  const type = typeOfDocument(document)
  if (type === undefined) return { type: 'object' }
  return {
    type: 'object',
    required: ['id'],
    allOf: [{ $ref: `#/components/schemas/${type}.resource/properties/attributes` }],
    properties: { id: { type: 'string' } },
    unevaluatedProperties: {
      description: 'What a relationship leads to, by its ids.',
      type: ['string', 'array', 'null'],
      items: { type: 'string' },
    },
  }
}
