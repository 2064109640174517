import type { CompiledServer } from '@prismapi/core/server/compile'
import { inputSent, parametersSent } from '@prismapi/direct/sent-query'
import { JsonApiError } from '@prismapi/jsonapi/document/error'
import { badParameter } from '@prismapi/jsonapi/document/errors'
import { say } from '@prismapi/jsonapi/document/text'
import type { Parameter } from '@prismapi/jsonapi/request/hook-context'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { targetSchemas } from '@prismapi/jsonapi/schema/resource-schema'
import { type Arguments, checkDepth, schemaIn, type Target, type ToolName } from './arguments.ts'
import type { Asked } from './inner-request.ts'

const jsonApi = 'application/vnd.api+json'
const atomic = `${jsonApi};ext="https://jsonapi.org/ext/atomic"`

/** How many parts of a filter, a page and their like may stand in each other. */
const mostNested = 20

/** Versions of resources by their ids: they are written only where they are still the same. */
export type Versions = ReadonlyMap<string, string>

/** What a tool stands for that asks the server. */
export type AskingTool = Exclude<ToolName, 'describe' | 'explain'>

/** The request of HTTP that a tool stands for. */
export function requestFor(
  server: CompiledServer,
  tool: AskingTool,
  args: Arguments,
  versions: Versions = new Map(),
): Asked {
  for (const [name, value] of Object.entries(args)) checkDepth(value, mostNested, name)
  const asked = makers[tool]({ server, args, versions, schema: schemaIn(server.schemas, args) ?? null })
  const { idempotencyKey } = args
  if (idempotencyKey === undefined || asked.method !== 'POST') return asked
  return { ...asked, headers: { ...asked.headers, 'idempotency-key': `"${idempotencyKey}"` } }
}

interface Making {
  readonly server: CompiledServer
  readonly args: Arguments
  readonly versions: Versions
  /** Null where the server has no such type, which it answers itself. */
  readonly schema: ResourceSchema | null
}

type Maker = (making: Making) => Asked

const makers: Readonly<Record<AskingTool, Maker>> = {
  list: readNamed,
  get: readNamed,
  stats: (making) => (making.args.groupBy === undefined ? figures(making) : reading(making, ['-stats'], making)),
  create(making) {
    const { args } = making
    const body = { data: { ...resource(making), ...(args.id !== undefined && { id: args.id }) } }
    return writing(making, 'POST', [], body)
  },
  update(making) {
    const { id } = making.args
    return id === undefined
      ? together(making, (one) => ({ op: 'update', data: { ...resource(making), ...one } }))
      : writing(making, 'PATCH', [id], { data: { ...resource(making), id } })
  },
  delete(making) {
    const { id } = making.args
    return id === undefined
      ? together(making, (ref) => ({ op: 'remove', ref }))
      : writing(making, 'DELETE', [id], undefined)
  },
  link(making) {
    const { id = '', relation = '', ids = [], mode = 'add' } = making.args
    const data = ids.map((each) => identifierOf(making, each))
    const method = ({ add: 'POST', remove: 'DELETE', set: 'PATCH' } as const)[mode]
    const isOne = mode === 'set' && data.length < 2 && isToOne(making)
    return writing(making, method, [id, 'relationships', relation], { data: isOne ? (data[0] ?? null) : data })
  },
  act(making) {
    const { id, action = '', input = {} } = making.args
    const method = making.schema?.actions.get(action)?.method ?? 'POST'
    const path = [...(id === undefined ? [] : [id]), '-actions', action]
    if (method !== 'GET') return writing(making, method, path, { meta: input })
    return reading(making, path, making, inputSent(input))
  },
}

/** A collection, a resource, or what its relation leads to. */
function readNamed(making: Making): Asked {
  const { id, relation } = making.args
  const path = [id, relation].filter((each) => each !== undefined)
  return reading(making, path, relation === undefined ? making : { ...making, schema: targetOf(making) })
}

const isToOne = ({ schema, args }: Making): boolean => {
  const kind = schema?.relations.get(args.relation ?? '')?.kind
  return kind === 'belongsTo' || kind === 'hasOne' || kind === 'morphTo'
}

/** The type that a relation leads to; null for several. */
function targetOf({ server, schema, args }: Making): ResourceSchema | null {
  const relation = schema?.relations.get(args.relation ?? '')
  const [only, ...others] = relation ? targetSchemas(server.schemas, relation) : []
  return only && others.length === 0 ? only : null
}

const pathOf = ({ server, args }: Making, more: readonly string[]): string =>
  [server.basePath, ...[args.type ?? '', ...more].map(segment)].join('/')

/** A part of a path, which leads nowhere else. */
const segment = (text: string): string =>
  text === '' || text === '.' || text === '..' ? '%00' : encodeURIComponent(text.toWellFormed())

function reading(making: Making, path: readonly string[], about: Making, more: readonly Parameter[] = []): Asked {
  return question(making, pathOf(making, path), [...parametersOf(about), ...more])
}

/** Without groups, the figures stand beside a page of the list, which is as short as it can be. */
function figures(making: Making): Asked {
  const { args, schema } = making
  const { type = '', withStats = { '*': ['count'] } } = args
  const page = schema?.paginator?.keys.includes('size') ? { page: { size: 1 } } : {}
  const own = { ...args, withStats, fields: { [type]: [] }, ...page }
  return reading({ ...making, args: own }, [], { ...making, args: own })
}

/** What is too long for a URL is sent in a body. */
function question({ server }: Making, path: string, parameters: readonly Parameter[]): Asked {
  const query = queryOf(parameters)
  if (path.length + query.length < server.limits.urlLength) return { method: 'GET', url: urlOf(path, query) }
  return { method: 'QUERY', url: path, body: query, headers: { 'content-type': 'application/x-www-form-urlencoded' } }
}

const queryOf = (parameters: readonly Parameter[]): string =>
  parameters.map(({ key, value }) => `${encoded(key)}=${encoded(value)}`).join('&')
const urlOf = (path: string, query: string): string => (query === '' ? path : `${path}?${query}`)
const encoded = (text: string): string => encodeURIComponent(text.toWellFormed())

function parametersOf({ server, schema, args }: Making): readonly Parameter[] {
  const { filter, sort, include, fields = {}, page, groupBy, withStats = {} } = args
  const query = { filter, sort, include, page }
  return [
    ...(schema ? sent(() => inLists(parametersSent(server.schemas, schema, withoutUndefined(query)))) : []),
    ...fieldsOf(fields),
    ...(groupBy === undefined ? [] : [parameter('groupBy', null, [groupBy].flat().join(','))]),
    ...Object.entries(withStats).map(([name, functions]) => parameter('withStats', name, functions.join(','))),
  ]
}

const fieldsOf = (fields: NonNullable<Arguments['fields']>): readonly Parameter[] =>
  Object.entries(fields).map(([type, names]) => parameter('fields', type, names.join(',')))

const parameter = (family: string, name: string | null, value: string): Parameter => ({
  key: name === null ? family : `${family}[${name}]`,
  family,
  path: name === null ? [] : [name],
  value,
})

const withoutUndefined = <T extends object>(members: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as never

/** Several values of one filter are one parameter. */
function inLists(parameters: readonly Parameter[]): readonly Parameter[] {
  const lists = new Map<string, Parameter>()
  for (const { key, family, path, value } of parameters) {
    const isOfList = key.endsWith('[]')
    const own = isOfList ? key.slice(0, -2) : key
    const known = lists.get(own)
    const text = isOfList ? value.replaceAll(',', '\\,') : value
    lists.set(own, { key: own, family, path, value: known && isOfList ? `${known.value},${text}` : text })
  }
  return [...lists.values()]
}

/** What cannot be said in a query. */
function sent<T>(make: () => T): T {
  try {
    return make()
  } catch (error) {
    if (error instanceof JsonApiError) throw error
    throw badParameter('filter', say`${(error as Error).message}`)
  }
}

/** A write has its parameters in its URL, which may be refused as too long. */
function writing(making: Making, method: Asked['method'], path: readonly string[], body: object | undefined): Asked {
  const { args, versions } = making
  const { fields = {}, include } = args
  const version = args.id === undefined ? undefined : versions.get(args.id)
  const query = queryOf([...(include ? [parameter('include', null, include.join(','))] : []), ...fieldsOf(fields)])
  const headers = {
    ...(body !== undefined && { 'content-type': jsonApi }),
    ...(version !== undefined && { 'if-match': `"${version}"` }),
  }
  return {
    method,
    url: urlOf(pathOf(making, path), query),
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }
}

/** Several resources, all of them or none. */
function together(making: Making, operation: (one: object) => object): Asked {
  const { args, versions, server } = making
  const operations = (args.ids ?? []).map((target) => {
    const one = typeof target === 'string' ? { type: args.type ?? '', id: target } : target
    const version = versions.get(one.id)
    return operation({ ...one, ...(version !== undefined && { meta: { version } }) })
  })
  return {
    method: 'POST',
    url: `${server.basePath}/operations`,
    headers: { 'content-type': atomic, accept: atomic },
    body: JSON.stringify({ 'atomic:operations': operations }),
  }
}

function resource(making: Making): object {
  const { type = '', attributes, relationships } = making.args
  return {
    type,
    ...(attributes && { attributes }),
    ...(relationships && {
      relationships: Object.fromEntries(
        Object.entries(relationships).map(([name, value]) => [name, linkage(making, name, value)]),
      ),
    }),
  }
}

/** Ids by relation become linkage; what is written as a document has it stays. */
function linkage(making: Making, relation: string, value: unknown): unknown {
  if (typeof value === 'object' && value !== null && !Array.isArray(value) && 'data' in value) return value
  const own = { ...making, args: { ...making.args, relation } }
  const identifier = (each: unknown) => (typeof each === 'string' ? identifierOf(own, each) : each)
  return { data: Array.isArray(value) ? value.map(identifier) : value === null ? null : identifier(value) }
}

const identifierOf = (making: Making, target: Target): Exclude<Target, string> =>
  typeof target === 'string' ? { type: targetOf(making)?.type ?? '', id: target } : target
