import type { ToolAnnotations } from '@modelcontextprotocol/server'
import type { Part } from '@prismapi/core/server/open-api-part'
import { inputSchema, type ToolName, toolNames } from './arguments.ts'
import { type ToldServer, usable } from './describe.ts'

/** A tool as a caller is told of it. */
export interface Tool {
  readonly name: ToolName
  readonly title: string
  readonly description: string
  readonly inputSchema: { readonly type: 'object' } & Part
  readonly outputSchema: { readonly type: 'object' } & Part
  readonly annotations: ToolAnnotations
}

interface Told {
  readonly title: string
  readonly description: string
}

const told: Readonly<Record<ToolName, Told>> = {
  describe: {
    title: 'Describe the API',
    description:
      'Begin here. Without a type: the types that you may use, and with which tools. With one: its fields, relations, filters, figures, actions, and what you may write.',
  },
  list: {
    title: 'List resources',
    description:
      'Lists resources of a type, or with id and relation those related to one. Returns a page of a JSON:API document.',
  },
  get: { title: 'Get a resource', description: 'Returns one resource by its id, or with a relation what it leads to.' },
  stats: {
    title: 'Count and group',
    description: 'Counts, sums and groups without loading resources. Prefer it to listing for questions about numbers.',
  },
  explain: {
    title: 'Ask whether and why not',
    description: 'Says whether you may do something, and why not. It changes nothing.',
  },
  create: { title: 'Create a resource', description: 'Creates a resource, and returns it.' },
  update: {
    title: 'Update resources',
    description: 'Changes fields of a resource by id, or of several by ids: all of them or none.',
  },
  delete: {
    title: 'Delete resources',
    description: 'Deletes a resource by id, or several by ids: all of them or none.',
  },
  link: { title: 'Link resources', description: 'Adds, removes or replaces the links of a relation.' },
  act: { title: 'Carry out an action', description: 'Carries out an action that `describe` lists for a type.' },
}

const reading: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
}
const writing: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: false,
}

const annotations: Readonly<Record<ToolName, ToolAnnotations>> = {
  ...{ describe: reading, list: reading, get: reading, stats: reading, explain: reading },
  create: writing,
  update: { ...writing, destructiveHint: true, idempotentHint: true },
  delete: { ...writing, destructiveHint: true, idempotentHint: true },
  // Links that are removed can be made again, and those that are there stay.
  link: { ...writing, destructiveHint: true, idempotentHint: true },
  act: { ...writing, destructiveHint: true },
}

const readers: ReadonlySet<string> = new Set(toolNames.filter((name) => annotations[name].readOnlyHint === true))

/** Does a tool only read. */
export const isReader = (name: string): boolean => readers.has(name)

// More would be most of the list; `describe` has them all.
const mostNames = 1200

/** The tools of a caller, in an order that does not change. */
export function toolsOf(server: ToldServer, { isReadOnly }: { readonly isReadOnly: boolean }): readonly Tool[] {
  const all = [...server.schemas.byType.values()]
  return toolNames.flatMap((name) => {
    const types = all.filter((schema) => usable(server, schema, name)).map(({ type }) => type)
    if ((name !== 'describe' && types.length === 0) || (isReadOnly && !isReader(name))) return []
    const named = types.join().length > mostNames ? null : types
    return [
      {
        name,
        ...told[name],
        inputSchema: inputSchema(name, named) as Tool['inputSchema'],
        outputSchema: outputSchema(name, named),
        annotations: annotations[name],
      },
    ]
  })
}

const object: Part = { type: 'object' }

/** What a tool returns where it is not refused: a JSON:API document, but for what is no request. */
function outputSchema(name: ToolName, types: readonly string[] | null): Tool['outputSchema'] {
  if (name === 'describe')
    return { type: 'object', properties: { types: { type: 'array', items: object }, type: { type: 'string' } } }
  if (name === 'explain')
    return {
      type: 'object',
      required: ['allowed'],
      properties: { allowed: { type: 'boolean' }, errors: { type: 'array', items: object } },
    }
  const type = types && name !== 'act' && name !== 'link' ? { enum: types } : { type: 'string' }
  const resource = {
    type: 'object',
    required: ['type', 'id'],
    // With a relation, it is of another type.
    properties: {
      type: name === 'create' || name === 'update' ? type : { type: 'string' },
      id: { type: 'string' },
      attributes: object,
      relationships: object,
      links: object,
      meta: object,
    },
  }
  const list = { type: 'array', items: name === 'stats' ? object : resource }
  const data = name === 'create' ? resource : { anyOf: [list, resource, { type: 'null' }] }
  return {
    type: 'object',
    properties: {
      ...(name !== 'delete' && { data: name === 'stats' ? list : data }),
      ...(name !== 'delete' && name !== 'stats' && { included: { type: 'array', items: object } }),
      links: object,
      meta: object,
      jsonapi: object,
    },
  }
}
