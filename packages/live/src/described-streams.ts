import { type OpenApiPart, type Part, type Paths, parameterRef, schemaRef } from '@prismapi/core/server/open-api-part'
import { isToMany } from '@prismapi/jsonapi/schema/relation-kinds'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'

const name = 'Last-Event-ID'

/** What clients are told of streams. */
export const describedStreams: OpenApiPart = {
  parameters: {
    [name]: {
      name,
      in: 'header',
      description:
        'For a stream: the `id` of the last event that the client has. The stream goes on with what has changed since then. If that is not known any more, it sends `reset` and a `snapshot`.',
      schema: { type: 'string' },
    },
  },
  schemas: {
    // Only the text of events can be described.
    eventStream: {
      type: 'string',
      description:
        'Events, each with an `id` that is sent as `Last-Event-ID` to go on behind it. `snapshot`: the document that is answered without `Accept: text/event-stream`. `upsert`: a document with one resource that is new there, or has changed. `remove`: `{ "data": { "type", "id" } }` of a resource that was shown and does not belong there any more. `reset`: a `snapshot` follows. `end`: `{ "reason": "expired" | "draining" | "gone" }`, and the stream ends. Comment lines keep the connection.',
    },
  },
  pathsOfType: withStreams,
}

/** The paths of a type, with a stream for each GET that has one. */
function withStreams(schema: ResourceSchema, paths: Paths): Paths {
  if (schema.model.name === 'Change') return paths
  const related = [...schema.relations.values()].filter(isToMany).map((relation) => `${relation.name}.viewRelated`)
  const streamed = new Set(['viewAny', 'view', ...related].map((kind) => `${schema.type}.${kind}`))
  const added = (path: Part): Part => {
    const get = path.get as Part | undefined
    return get && streamed.has(String(get.operationId)) ? { ...path, get: withStream(get) } : path
  }
  return Object.fromEntries(Object.entries(paths).map(([url, path]) => [url, added(path)]))
}

function withStream({ parameters = [], responses, ...operation }: Part): Part {
  const { 200: shown, ...others } = responses as Readonly<Record<string, Part>>
  const content = { ...(shown?.content as Part), 'text/event-stream': { schema: schemaRef('eventStream') } }
  return {
    ...operation,
    parameters: [...(parameters as readonly Part[]), parameterRef(name)],
    responses: { 200: { ...shown, content }, ...others },
  }
}
