import type { Part as Json } from '../../openapi/described.ts'
import { inlined } from './inlined.ts'
import { operationIdOf } from './operation-id.ts'
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
  /** The same as the document lists them: most are references. */
  readonly listed: readonly Json[]
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
  const paths = Object.entries(document.paths as Family)
  const basePath = basePathOf(paths)
  const operations = paths.flatMap(([path, item]) =>
    methods.flatMap((method): readonly DescribedOperation[] => {
      const operation = item[method] as Json | undefined
      if (!operation) return []
      const listed = [item.parameters, operation.parameters]
        .flatMap((list) => (list ?? []) as readonly Json[])
        .flatMap((json) => flatParameters(resolved(json, find)).map((parameter) => ({ json, parameter })))
      return [
        {
          id: operationIdOf(method, path.slice(basePath.length)),
          name: `${method.toUpperCase()} ${path.slice(basePath.length) || '/'}`,
          type: ((operation.tags as readonly string[] | undefined) ?? [])[0] ?? null,
          parameters: listed.map(({ parameter }) => parameter),
          listed: listed.map(({ json }) => json),
          operation,
        },
      ]
    }),
  )
  const { parameters = {}, schemas = {} } = components
  const types = ((document.tags ?? []) as readonly { readonly name: string }[]).map(({ name }) => name)
  return { document, types, basePath, operations, parameters: byFamily(parameters), schemas, find }
}

// The names of types have no dot: `filter.posts.title.contains`, and `include.posts.author` for the linkage of one relation.
function byFamily(parameters: Family): ReadonlyMap<string, readonly Json[]> {
  const families = new Map<string, Json[]>()
  for (const [key, parameter] of Object.entries(parameters)) {
    const [family = '', type, ...rest] = key.split('.')
    if (family === 'include' && rest.length > 0) continue
    const name = `${family}.${type}`
    const flat = flatParameters(parameter)
    const known = families.get(name)
    if (known) known.push(...flat)
    else families.set(name, flat)
  }
  return families
}

/** A parameter of a large document stands for a family: `filter[title]`, `filter[title][contains]`, `page[size]`. */
function flatParameters(parameter: Json): Json[] {
  if (parameter.style !== 'deepObject') return [parameter]
  return propertiesOf(parameter.schema as Json).flatMap(([name, schema]) => {
    const key = `${parameter.name}[${name}]`
    const forms = (schema.anyOf as readonly Json[] | undefined) ?? [schema]
    const named = forms.flatMap((form): readonly (readonly [string, Json])[] =>
      form.type === 'object'
        ? propertiesOf(form).map(([operator, value]) => [`${key}[${operator}]`, value])
        : [[key, form]],
    )
    return named.map(([each, value]) => ({ ...schema, name: each, in: 'query', schema: value }))
  })
}

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
export function answersOf({ operation }: DescribedOperation, { find }: DescribedApi) {
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
