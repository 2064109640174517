import { badParameter } from '@prismapi/jsonapi/document/errors'
import { say } from '@prismapi/jsonapi/document/text'
import type { ResourceSchema, SchemaRegistry } from '@prismapi/jsonapi/schema/resource-schema'

/** The arguments of a tool, as its schema has them. */
export interface Arguments {
  readonly type?: string
  readonly id?: string
  readonly ids?: readonly Target[]
  readonly filter?: Readonly<Record<string, unknown>>
  readonly sort?: string | readonly string[]
  readonly include?: readonly string[]
  readonly fields?: Readonly<Record<string, readonly string[]>>
  readonly page?: Readonly<Record<string, string | number>>
  readonly groupBy?: string | readonly string[]
  readonly withStats?: Readonly<Record<string, readonly string[]>>
  readonly attributes?: Readonly<Record<string, unknown>>
  readonly relationships?: Readonly<Record<string, unknown>>
  readonly relation?: string
  readonly mode?: 'add' | 'remove' | 'set'
  readonly action?: string
  readonly input?: Readonly<Record<string, unknown>>
  readonly dryRun?: boolean
  readonly idempotencyKey?: string
}

/** A resource by its id, or by its identifier where a relation leads to several types. */
export type Target = string | { readonly type: string; readonly id: string }

export const toolNames = [
  ...['describe', 'list', 'get', 'stats', 'explain'],
  ...['create', 'update', 'delete', 'link', 'act'],
] as const satisfies readonly string[] as readonly ToolName[]

/** What agents may call. */
export type ToolName =
  | 'describe'
  | 'list'
  | 'get'
  | 'stats'
  | 'explain'
  | 'create'
  | 'update'
  | 'delete'
  | 'link'
  | 'act'

type Part = Readonly<Record<string, unknown>>

const text: Part = { type: 'string', minLength: 1, maxLength: 1000 }
const texts: Part = { type: 'array', items: text, maxItems: 1000 }
const object: Part = { type: 'object' }
const flag: Part = { type: 'boolean' }
const targets: Part = {
  type: 'array',
  minItems: 1,
  maxItems: 100,
  items: {
    anyOf: [
      text,
      { type: 'object', required: ['type', 'id'], properties: { type: text, id: text }, additionalProperties: false },
    ],
  },
}

/** What each argument is, whichever tool takes it. */
const parts: Readonly<Record<keyof Arguments, Part>> = {
  type: { ...text, description: 'A type, by its name in `describe`.' },
  id: { ...text, description: 'The id of a resource.' },
  ids: { ...targets, description: 'Ids of resources, at most 100; `{type, id}` where a relation has several types.' },
  filter: {
    ...object,
    description:
      'Conditions that all hold: `{"title": {"contains": "ship"}, "author": {"name": "Ada"}, "or": [{…}, {…}]}`. `describe` lists fields and operators.',
  },
  sort: { anyOf: [text, texts], description: 'Fields to order by, `-` before one for the other way: `-createdAt`.' },
  include: { ...texts, description: 'Relations whose resources come along: `["author", "comments.author"]`.' },
  fields: {
    type: 'object',
    additionalProperties: texts,
    description: 'The fields that are shown, by type: `{"posts": ["title"]}`. Ask for few.',
  },
  page: {
    type: 'object',
    additionalProperties: { type: ['string', 'integer'] },
    description: 'Which page: the members of `page` in the links of a response, such as `{"size": 20}`.',
  },
  groupBy: { anyOf: [text, texts], description: 'Keys of groups: `["author", "createdAt:month"]`.' },
  withStats: {
    type: 'object',
    additionalProperties: texts,
    description: 'Figures by attribute: `{"*": ["count"], "rating": ["avg", "max"]}`.',
  },
  attributes: { ...object, description: 'Values by attribute, as `describe` has them.' },
  relationships: {
    ...object,
    description: 'Ids by relation: `{"author": "3", "tags": ["1", "2"]}`; null for none.',
  },
  relation: { ...text, description: 'The name of a relation of the type.' },
  mode: { enum: ['add', 'remove', 'set'], description: 'Adds links, removes them, or has these and no others.' },
  action: { ...text, description: 'The name of an action of the type.' },
  input: { ...object, description: 'What the action is told.' },
  dryRun: { ...flag, description: 'Carries it out, shows what came of it, and undoes it.' },
  idempotencyKey: {
    type: 'string',
    pattern: '^[!#-~][!-~]{0,254}$',
    description: 'A new text for each thing to do. A call that is sent again with the same key is done once.',
  },
}

interface Taken {
  readonly required: readonly (keyof Arguments)[]
  readonly optional: readonly (keyof Arguments)[]
}

const shown = ['include', 'fields'] as const
const written = ['dryRun', 'idempotencyKey'] as const

/** What each tool takes. */
const taken: Readonly<Record<ToolName, Taken>> = {
  describe: { required: [], optional: ['type'] },
  list: { required: ['type'], optional: ['id', 'relation', 'filter', 'sort', 'page', 'withStats', ...shown] },
  get: { required: ['type', 'id'], optional: ['relation', ...shown] },
  stats: { required: ['type'], optional: ['filter', 'groupBy', 'withStats', 'sort', 'page'] },
  explain: {
    required: ['type', 'action'],
    optional: ['id', 'relation', 'mode', 'ids', 'attributes', 'relationships', 'input'],
  },
  create: { required: ['type'], optional: ['id', 'attributes', 'relationships', ...shown, ...written] },
  update: {
    required: ['type'],
    optional: ['id', 'ids', 'attributes', 'relationships', ...shown, 'dryRun', 'idempotencyKey'],
  },
  delete: { required: ['type'], optional: ['id', 'ids', 'dryRun', 'idempotencyKey'] },
  link: { required: ['type', 'id', 'relation', 'ids'], optional: ['mode', ...written] },
  act: { required: ['type', 'action'], optional: ['id', 'input', ...shown, ...written] },
}

/** The JSON Schema of a tool's arguments. */
export function inputSchema(tool: ToolName, types: readonly string[] | null): Part {
  const { required, optional } = taken[tool]
  const own = { ...parts, ...(types && { type: { ...parts.type, enum: types } }), ...(tool === 'explain' && explained) }
  const none = tool === 'link' ? { ids: { ...targets, minItems: 0, description: parts.ids.description } } : {}
  return {
    type: 'object',
    properties: Object.fromEntries([...required, ...optional].map((name) => [name, { ...own, ...none }[name]])),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  }
}

const explained = {
  action: { ...text, description: 'What you would do: a tool, `get` or `update`, or an action of the type.' },
}

/** The type that arguments name; undefined where the server has none of that name. */
export const schemaIn = ({ byType }: SchemaRegistry, { type = '' }: Arguments): ResourceSchema | undefined =>
  byType.get(type)

/** @throws {JsonApiError} 400 for nesting that no filter has. */
export function checkDepth(value: unknown, most: number, name: string): void {
  if (most < 0) throw badParameter(name, say`The argument ${name} is nested too deeply.`)
  if (typeof value !== 'object' || value === null) return
  for (const each of Object.values(value)) checkDepth(each, most - 1, name)
}
