import type { CompiledServer } from '@prismapi/core/server/compile'
import type { Part } from '@prismapi/core/server/open-api-part'
import { boundedCache, memo } from '@prismapi/jsonapi/model/memo'
import { isToMany } from '@prismapi/jsonapi/schema/relation-kinds'
import { type ResourceSchema, type SchemaRegistry, targetSchemas } from '@prismapi/jsonapi/schema/resource-schema'
import { functionsOf } from '@prismapi/jsonapi/schema/statistics'
import type { Caller } from '@prismapi/openapi/caller'
import { type DocumentParts, documentParts } from '@prismapi/openapi/document'
import { shownAttributes } from '@prismapi/openapi/parameter'
import { resourceBody } from '@prismapi/openapi/request-bodies'
import { sharedParts } from '@prismapi/openapi/shared-parts'
import { ruleSchema, shownSchema } from '@prismapi/openapi/value-schema'
import type { ToolName } from './arguments.ts'

/** A server as a caller is told of it. */
export interface ToldServer {
  readonly server: CompiledServer
  readonly audience: Caller
  /** The types that the caller is told of, with the fields that there are for them. */
  readonly schemas: SchemaRegistry
}

/** What a caller may use a tool with. */
export function usable({ audience }: Pick<ToldServer, 'audience'>, schema: ResourceSchema, tool: ToolName): boolean {
  const { type, relations, actions, operations } = schema
  const has = (name: string) => audience.has(`${type}.${name}`)
  const ofRelations = (...kinds: readonly string[]) =>
    [...relations.values()].some(({ name }) => kinds.some((kind) => has(`${name}.${kind}`)))
  switch (tool) {
    case 'list':
      return has('viewAny') || ofRelations('viewRelated')
    case 'get':
      return has('view') || ofRelations('viewRelated')
    case 'stats':
      return schema.statistics !== null && has('viewStats')
    case 'create':
    case 'update':
    case 'delete':
      return operations.has(tool) && has(tool)
    case 'link':
      return ofRelations('attach', 'detach', 'updateRelationship')
    case 'act':
      return actions.size > 0
    default:
      return true
  }
}

const asking = ['list', 'get', 'stats', 'create', 'update', 'delete', 'link', 'act'] as const

/** The tools that a caller may use with a type. */
const toolsFor = (told: ToldServer, schema: ResourceSchema): readonly ToolName[] =>
  asking.filter((tool) => usable(told, schema, tool))

/** All types, each in a line. */
export function describeServer(told: ToldServer): object {
  const types = [...told.schemas.byType.values()].map((schema) => ({
    type: schema.type,
    ...(schema.model.documentation && { description: schema.model.documentation }),
    tools: toolsFor(told, schema),
  }))
  const { limits } = told.server
  return {
    types,
    limits: {
      pageSize: limits.maxPageSize,
      cost: limits.cost,
      includeDepth: limits.includeDepth,
      filterTerms: limits.filterTerms,
      filterValues: limits.filterValues,
    },
  }
}

// By the types of a server, for as many callers and types as are asked about.
const kept = memo((_: SchemaRegistry) => boundedCache<object>(500, 2_000_000))

// By the types of a server, for a few callers: an agent asks for one type after the other.
const documents = memo((_: SchemaRegistry) => boundedCache<DocumentParts>(8))

/** All that a caller can ask and do with a type. */
export const describeType = (told: ToldServer, schema: ResourceSchema): object =>
  kept(told.server.schemas).get(`${told.audience.key} ${schema.type}`, () => inBrief(makeDescription(told, schema)))

/** A model reads it whole. */
const mostCharacters = 11_500

/**
 * A type with hundreds of relations is described in less. The filters of relations are the same for all of them, and
 * those that there is no room for stand in each resource.
 */
function inBrief(description: Description): object {
  if (sizeOf(description) <= mostCharacters) return description
  const { relationships, filter = {}, include: _, ...rest } = description
  const ofAttributes = Object.entries(filter).filter(([name]) => !Object.hasOwn(relationships, name))
  const brief = {
    ...rest,
    ...(ofAttributes.length > 0 && { filter: Object.fromEntries(ofAttributes) }),
    create: withoutRelations(rest.create),
    update: withoutRelations(rest.update),
  }
  let room = mostCharacters - sizeOf(brief) - 200
  const told: Record<string, string> = {}
  for (const [name, { types, many }] of Object.entries(relationships)) {
    const line = `${types.join(' or ')}${many ? '[]' : ''}`
    room -= name.length + line.length + 6
    if (room < 0) break
    told[name] = line
  }
  const left = Object.keys(relationships).length - Object.keys(told).length
  return { ...brief, relationships: told, ...(left > 0 && { relationshipsLeftOut: left }) }
}

const sizeOf = (value: object): number => JSON.stringify(value).length

const withoutRelations = (written: Description['create']): object | undefined =>
  written && { ...written, relationships: 'as relationships' }

interface Description extends Readonly<Record<string, unknown>> {
  readonly relationships: Readonly<Record<string, { readonly types: readonly string[]; readonly many: boolean }>>
  readonly filter?: Readonly<Record<string, string>>
  readonly include?: readonly string[]
  readonly create?: object
  readonly update?: object
}

function makeDescription(told: ToldServer, schema: ResourceSchema): Description {
  const { server, audience, schemas } = told
  const { type, model, relations, actions, statistics } = schema
  const tools = toolsFor(told, schema)
  const document = documents(server.schemas).get(audience.key, () => documentParts(server, audience))
  const parameters = Object.values(document.parametersOf(type)) as unknown as readonly Parameter[]
  const about = { ...server, audience, examples: new Map(), schemas, told: [], shared: sharedParts() }
  const body = (kind: 'create' | 'update') =>
    tools.includes(kind) ? writtenOf(resourceBody(about, schema, kind)) : null
  const [create, update] = [body('create'), body('update')]
  return {
    type,
    ...(model.documentation && { description: model.documentation }),
    tools,
    attributes: Object.fromEntries(
      shownAttributes(schema).map((attribute) => [
        attribute.name,
        { ...shownSchema(attribute, false), ...(attribute.column?.isUntrusted && { untrusted: true }) },
      ]),
    ),
    relationships: Object.fromEntries(
      [...relations.values()].map((relation) => [
        relation.name,
        {
          types: targetSchemas(schemas, relation).map((target) => target.type),
          many: isToMany(relation),
          ...modesOf(told, schema, relation.name),
        },
      ]),
    ),
    ...(tools.includes('list') && asked(parameters)),
    ...(statistics &&
      tools.includes('stats') && {
        stats: {
          figures: {
            '*': ['count'],
            ...Object.fromEntries([...statistics.aggregated].map(([name, each]) => [name, functionsOf(each)])),
          },
          groupBy: [...statistics.grouped.keys()],
        },
      }),
    ...(create && { create }),
    ...(update && { update: sameAs(create, update) }),
    ...(actions.size > 0 && { actions: Object.fromEntries([...actions.values()].map(actionOf)) }),
  }
}

const modesOf = ({ audience }: ToldServer, { type }: ResourceSchema, name: string): object => {
  const modes = Object.entries({ add: 'attach', remove: 'detach', set: 'updateRelationship' })
    .filter(([, kind]) => audience.has(`${type}.${name}.${kind}`))
    .map(([mode]) => mode)
  return modes.length === 0 ? {} : { link: modes }
}

interface Parameter {
  readonly name: string
  readonly schema: { readonly items?: { readonly enum?: readonly string[]; readonly pattern?: string } }
}

/** What can be asked of collections, with one line for each field. */
function asked(parameters: readonly Parameter[]): object {
  const filter = new Map<string, string[]>()
  const page: string[] = []
  let [sort, include]: (readonly string[] | undefined)[] = []
  for (const { name, schema } of parameters) {
    const [, family = '', field = '', operator] = /^(\w+)(?:\[([^\]]*)\])?(?:\[([^\]]*)\])?$/.exec(name) ?? []
    if (family === 'filter') filter.set(field, [...(filter.get(field) ?? []), ...(operator ? [operator] : [])])
    else if (family === 'page') page.push(field)
    else if (family === 'sort')
      sort = schema.items?.enum?.filter((each) => !each.startsWith('-') && !each.includes(':'))
    else if (family === 'include') include = schema.items?.enum?.filter((each) => !each.includes('.'))
  }
  return {
    filter: Object.fromEntries([...filter].map(([field, operators]) => [field, operators.join(' ')])),
    ...(sort && { sort }),
    ...(include && { include }),
    ...(page.length > 0 && { page }),
  }
}

interface Written {
  readonly required: readonly string[]
  readonly attributes: Readonly<Record<string, unknown>>
  readonly relationships: readonly string[]
}

interface Body {
  readonly properties: { readonly data: { readonly properties: Readonly<Record<string, Members>> } }
}

interface Members {
  readonly properties?: Readonly<Record<string, unknown>>
  readonly required?: readonly string[]
}

/** The fields of a document that writes, without what names them. */
function writtenOf(body: Part): Written {
  const { attributes = {}, relationships = {} } = (body as unknown as Body).properties.data.properties
  return {
    required: [...(attributes.required ?? []), ...(relationships.required ?? [])],
    attributes: attributes.properties ?? {},
    relationships: Object.keys(relationships.properties ?? {}),
  }
}

/** What is written as when it is created is named, and told once. */
function sameAs(create: Written | null, update: Written): object {
  const isSame = ([name, part]: readonly [string, unknown]) =>
    create !== null && JSON.stringify(create.attributes[name]) === JSON.stringify(part)
  const entries = Object.entries(update.attributes)
  const same = entries.filter(isSame).map(([name]) => name)
  return {
    attributes: Object.fromEntries(entries.filter((entry) => !isSame(entry))),
    ...(same.length > 0 && { asCreated: same }),
    relationships: update.relationships,
  }
}

type Action = ResourceSchema['actions'] extends ReadonlyMap<string, infer Each> ? Each : never

const actionOf = ({ name, on, method, description, rules, query, isDestructive }: Action) => [
  name,
  {
    ...(description !== null && { description }),
    on: on === 'member' ? 'a resource, by id' : 'the type, without id',
    ...(method === 'GET' && { readOnly: true }),
    ...(isDestructive && { destructive: true }),
    input: Object.fromEntries(
      Object.entries(method === 'GET' ? query : rules).map(([field, rule]) => [field, ruleSchema(rule.describe())]),
    ),
  },
]
