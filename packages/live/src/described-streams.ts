import {
  eachGet,
  type OpenApiPart,
  type Part,
  type Paths,
  parameterRef,
  schemaRef,
  typeOfDocument,
} from '@prismapi/core/server/open-api-part'
import { isToMany } from '@prismapi/jsonapi/schema/relation-kinds'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'

const name = 'Last-Event-ID'
const text: Part = { type: 'string' }

const parameters = {
  [name]: {
    name,
    in: 'header',
    description:
      'For a stream: the `id` of the last event that the client has. The stream goes on with what has changed since then. If that is not known any more, it sends `reset` and a `snapshot`.',
    schema: { type: 'string' },
  },
}

/** What clients are told of streams. */
export const describedStreams: OpenApiPart = {
  parameters,
  schemas: {
    // Only the text of events can be described.
    eventStream: {
      type: 'string',
      description:
        'Events, each with an `id` that is sent as `Last-Event-ID` to go on behind it. `snapshot`: the document that is answered without `Accept: text/event-stream`. `upsert`: a document with one resource that is new there, or has changed. `remove`: `{ "data": { "type", "id" } }` of a resource that was shown and does not belong there any more. `reset`: a `snapshot` follows. `end`: `{ "reason": "expired" | "draining" | "gone" }`, and the stream ends. Comment lines keep the connection.',
    },
  },
  pathsOfType: withStreams(() => ({ schema: schemaRef('eventStream') })),
  newer: {
    parameters,
    schemas: {
      removedEvent: event('remove', 'A resource that was shown and does not belong there any more.', {
        type: 'object',
        required: ['data'],
        properties: { data: { type: 'object', required: ['type', 'id'], properties: { type: text, id: text } } },
      }),
      resetEvent: event('reset', 'A `snapshot` follows.', { type: 'object' }),
      endEvent: event('end', 'The stream ends.', {
        type: 'object',
        required: ['reason'],
        properties: { reason: { type: 'string', enum: ['expired', 'draining', 'gone'] } },
      }),
    },
    pathsOfType: withStreams((document) => ({ itemSchema: eventOf(document) })),
  },
}

/** Events, by their names. Each has an id, which is sent as `Last-Event-ID` to go on behind it. */
function eventOf(document: Part): Part {
  const type = typeOfDocument(document)
  return {
    oneOf: [
      event('snapshot', 'The document of GET.', document),
      event('upsert', 'A resource that is new there, or has changed.', schemaRef(`${type}.one`)),
      ...['removedEvent', 'resetEvent', 'endEvent'].map(schemaRef),
    ],
  }
}

function event(name: string, description: string, data: Part): Part {
  return {
    type: 'object',
    description,
    required: ['event', 'id', 'data'],
    properties: {
      event: { type: 'string', const: name },
      id: text,
      data: { type: 'string', contentMediaType: 'application/json', contentSchema: data },
    },
  }
}

type StreamOf = (document: Part) => Part

/** The paths of a type, with a stream for each GET that has one. */
function withStreams(streamOf: StreamOf): (schema: ResourceSchema, paths: Paths) => Paths {
  return (schema, paths) => {
    if (schema.model.name === 'Change') return paths
    const related = [...schema.relations.values()].filter(isToMany).map((relation) => `${relation.name}.viewRelated`)
    const streamed = new Set(['viewAny', 'view', ...related].map((kind) => `${schema.type}.${kind}`))
    return eachGet(paths, streamed, (get) => withStream(get, streamOf))
  }
}

function withStream({ parameters = [], responses, ...operation }: Part, streamOf: StreamOf): Part {
  const { 200: shown, ...others } = responses as Readonly<Record<string, Part>>
  const documents = shown?.content as Readonly<Record<string, Part>>
  const [document] = Object.values(documents)
  const content = { ...documents, 'text/event-stream': streamOf(document?.schema as Part) }
  return {
    ...operation,
    parameters: [...(parameters as readonly Part[]), parameterRef(name)],
    responses: { 200: { ...shown, content }, ...others },
  }
}
