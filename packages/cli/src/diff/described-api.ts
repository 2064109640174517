import type { Part as Json } from '@prismapi/openapi/described'
import { type NamedParameter, namedParameter } from '@prismapi/openapi/parameter'
import { type Find, toAnswerShape } from './shape.ts'
import type { Announcement } from './surface.ts'

/** An OpenAPI document, as far as it is looked at. */
export interface DescribedApi {
  readonly document: Json
  readonly types: readonly string[]
  readonly basePath: string
  readonly operations: readonly DescribedOperation[]
  /** What can be asked of a type, by its family: those of `filter.posts`, `include.posts`, `page.posts`. */
  readonly parameters: ReadonlyMap<string, readonly Json[]>
  readonly schemas: Readonly<Record<string, Json>>
  find(ref: string): Json
}

export interface DescribedOperation {
  /** `posts.viewAny` */
  readonly id: string
  /** `GET /posts/{id}`, below the base path. */
  readonly name: string
  /** The type that it belongs to; null for the server's own. */
  readonly type: string | null
  readonly parameters: readonly Json[]
  /** The types that its answers have, where their filters and pages are asked for. */
  readonly shows: readonly string[]
  /** What each parameter is called in the components; null where it is none of them. */
  readonly names: readonly (NamedParameter | null)[]
  readonly operation: Json
}

type Family = Readonly<Record<string, Json>>

const methods: readonly string[] = ['get', 'post', 'put', 'patch', 'delete']

/** The parts of a document that is one of OpenAPI 3. */
export function readDescribed(written: Json): DescribedApi {
  const document = inlined(written)
  const components = (document.components ?? {}) as Readonly<Record<string, Family>>
  const find = (ref: string): Json => {
    const [family = '', name = ''] = ref.replace('#/components/', '').split('/')
    return components[family]?.[name] ?? {}
  }
  const { parameters = {}, schemas = {} } = components
  const asked = byFamily(parameters)
  const paths = Object.entries(document.paths as Family)
  const basePath = basePathOf(paths)
  const all = paths.flatMap(([path, item]) =>
    methods.flatMap((method): readonly Listed[] => {
      const operation = item[method] as Json | undefined
      if (!operation) return []
      const id = operationIdOf(method, path.slice(basePath.length))
      const type = ((operation.tags as readonly string[] | undefined) ?? [])[0] ?? null
      const listed = [item.parameters, operation.parameters].flatMap((list) => (list ?? []) as readonly Json[])
      const name = `${method.toUpperCase()} ${path.slice(basePath.length) || '/'}`
      return [{ id, name, type, operation, listed, shows: typesShown({ id, type, operation }, find) }]
    }),
  )
  for (const each of all) if (each.id.endsWith('.viewAny')) addOwn(asked, each, find)
  const operations = all.map((each) => withParameters(each, { asked, find }))
  const types = ((document.tags ?? []) as readonly { readonly name: string }[]).map(({ name }) => name)
  return { document, types, basePath, operations, parameters: asked, schemas, find }
}

interface Listed extends Omit<DescribedOperation, 'parameters' | 'names'> {
  readonly listed: readonly Json[]
}

type Operation = Pick<Listed, 'id' | 'type' | 'operation'>

/** The type of a collection at its own URL, and what a relation leads to at the relation's. */
function typesShown({ id, type, operation }: Operation, find: Find): readonly string[] {
  if (!/\.(?:viewRelated|viewRelationship)$/.test(id)) return type === null ? [] : [type]
  const { schema } = answersOf({ operation }, { find })
  return schema ? [...(toAnswerShape(schema, find).values ?? [])] : []
}

type Families = Map<string, readonly Json[]>

function withParameters(
  { listed, ...operation }: Listed,
  { asked, find }: { readonly asked: Families; readonly find: Find },
): DescribedOperation {
  const all = listed.flatMap((json) => {
    const named = namedParameter(json)
    const whole = resolved(json, find)
    // What a relation leads to is filtered as at the URL of its type.
    const parameters = isOpen(whole)
      ? operation.shows.flatMap((type) => asked.get(`filter.${type}`) ?? [])
      : flatParameters(whole)
    return parameters.map((parameter) => ({ parameter, named }))
  })
  return { ...operation, parameters: all.map(({ parameter }) => parameter), names: all.map(({ named }) => named) }
}

/** A filter of any fields. */
const isOpen = ({ name, schema }: Json): boolean =>
  name === 'filter' && (schema as Json | undefined)?.additionalProperties === true

// The names of types have no dot: `filter.posts.title.contains`, and `include.posts.author` for a relation's linkage.
function byFamily(parameters: Family): Families {
  const families: Families = new Map()
  for (const [key, parameter] of Object.entries(parameters)) {
    const [family = '', type, ...rest] = key.split('.')
    if (family === 'include' && rest.length > 0) continue
    add(families, `${family}.${type}`, flatParameters(parameter))
  }
  return families
}

/** Filters and pages that types share have no type in their names: they belong to the type at whose URL they stand. */
function addOwn(families: Families, { type, listed }: Listed, find: Find): void {
  for (const json of listed) {
    const { family, type: owner } = namedParameter(json) ?? {}
    if ((family === 'filter' || family === 'page') && owner === null)
      add(families, `${family}.${type}`, flatParameters(resolved(json, find)))
  }
}

const add = (families: Families, name: string, parameters: readonly Json[]): void =>
  void families.set(name, [...(families.get(name) ?? []), ...parameters])

/**
 * A parameter that is an object stands for a field: `filter[title]` and `filter[title][contains]`. Earlier versions
 * described a whole family by one: `page[size]`.
 */
function flatParameters(parameter: Json): Json[] {
  if (parameter.style !== 'deepObject') return [parameter]
  const { name, schema, ...said } = parameter
  if (String(name).includes('[')) return formsOf(String(name), schema as Json).map((form) => ({ ...said, ...form }))
  return propertiesOf(schema as Json).flatMap(([field, each]) =>
    formsOf(`${name}[${field}]`, each).map((form) => ({ ...each, in: 'query', ...form })),
  )
}

/** A value by itself, and values by operator. */
const formsOf = (key: string, schema: Json): readonly Json[] =>
  ((schema.anyOf as readonly Json[] | undefined) ?? [schema]).flatMap((form) =>
    form.type === 'object'
      ? propertiesOf(form).map(([operator, value]) => ({ name: `${key}[${operator}]`, schema: value }))
      : [{ name: key, schema: form }],
  )

const propertiesOf = ({ properties = {} }: Json) => Object.entries(properties as Family)

const described = '/openapi.json'

/** What every path begins with: a server describes itself right below it. */
function basePathOf(paths: readonly (readonly [string, Json])[]): string {
  const own = paths.map(([path]) => path).find((path) => path.endsWith(described))
  return own?.slice(0, own.length - described.length) ?? ''
}

/** What is said of an operation's, a parameter's or a schema's end; null where it has none in sight. */
export const announcementOf = (json: Json | undefined): Announcement | null =>
  json?.deprecated === true || typeof json?.['x-deprecated-since'] === 'string'
    ? { since: textOf(json['x-deprecated-since']), sunset: textOf(json['x-sunset']) }
    : null

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** What a reference leads to, where it is one. */
const resolved = (json: Json | undefined, find: DescribedApi['find']): Json =>
  typeof json?.$ref === 'string' ? find(json.$ref) : (json ?? {})

type Content = Readonly<Record<string, { readonly schema?: Json }>>

/** A body that is sent, or an answer, by its media types. */
const contentOf = ({ content }: Json): Content => (content ?? {}) as Content

/** What an operation is sent. */
export function sentTo({ operation }: DescribedOperation, { find }: DescribedApi) {
  const body = resolved(operation.requestBody as Json | undefined, find)
  const content = contentOf(body)
  return { isRequired: body.required === true, types: Object.keys(content), schema: schemaOf(content) }
}

/** What an operation answers where it succeeds. */
export function answersOf({ operation }: Pick<DescribedOperation, 'operation'>, { find }: Pick<DescribedApi, 'find'>) {
  const responses = Object.entries((operation.responses ?? {}) as Family).filter(([status]) => status.startsWith('2'))
  const contents = responses.map(([, response]) => contentOf(resolved(response, find)))
  const shown = contents.find((content) => schemaOf(content) !== null)
  return {
    statuses: responses.map(([status]) => status),
    types: [...new Set(contents.flatMap((content) => Object.keys(content)))],
    schema: schemaOf(shown ?? {}),
  }
}

const schemaOf = (content: Content): Json | null => Object.values(content)[0]?.schema ?? null

const start = '#/components/schemas/'
/** Parts that several places share: operands of filters, relationships to a type, and members of earlier versions. */
const shared = /^(?:-|filter-)|\.(?:toOne|toMany|linkage-\w+)$/

/** A document where each schema stands where it refers to one that several places share. */
function inlined(document: Json): Json {
  const { schemas = {} } = (document.components ?? {}) as Readonly<Record<string, Readonly<Record<string, Json>>>>
  const inline = (part: unknown): unknown => {
    if (typeof part !== 'object' || part === null) return part
    if (Array.isArray(part)) return part.map(inline)
    const { $ref, ...said } = part as Json
    const name = typeof $ref === 'string' && $ref.startsWith(start) ? $ref.slice(start.length) : ''
    const whole = shared.test(name) ? { ...schemas[name], ...said } : part
    return Object.fromEntries(Object.entries(whole).map(([name, value]) => [name, inline(value)]))
  }
  return inline(document) as Json
}

const collection = { get: 'viewAny', post: 'create' }
const resource = { get: 'view', patch: 'update', delete: 'delete' }
const related = { get: 'viewRelated' }
const relationship = { get: 'viewRelationship', patch: 'updateRelationship', post: 'attach', delete: 'detach' }

const shapes: readonly (readonly [path: RegExp, kinds: Readonly<Record<string, string>>])[] = [
  [/^\/([^/]+)$/, collection],
  [/^\/([^/]+)\/-stats$/, { get: 'viewStats' }],
  [/^\/([^/]+)\/\{id\}$/, resource],
  [/^\/([^/]+)\/\{id\}\/([^/]+)$/, related],
  [/^\/([^/]+)\/\{id\}\/relationships\/([^/]+)$/, relationship],
]

/**
 * The operation of a method and a path below the server's own, `posts.author.viewRelated`, whatever the document calls
 * it: documents of other versions use other names.
 */
export function operationIdOf(method: string, path: string): string {
  const [, type, action] = /^\/([^/]+)(?:\/\{id\})?\/-actions\/([^/]+)$/.exec(path) ?? []
  if (type !== undefined) return `${type}.-actions.${action}`
  for (const [shape, kinds] of shapes) {
    const names = shape.exec(path)?.slice(1)
    if (names && kinds[method]) return [...names, kinds[method]].join('.')
  }
  return `-.${path.slice(1) || 'root'}`
}
