import { memo } from '../../model/memo.ts'
import { everybody } from '../../openapi/audience.ts'
import type { Part } from '../../openapi/described.ts'
import { documentParts } from '../../openapi/document.ts'
import type { CompiledServer } from '../../server/compile.ts'
import type { PageRequest } from '../data/page-request.ts'

type Parameters = ReadonlyMap<string, Part>

/** The parameters of GET for the URLs of a type, by path and name: the file of `prismapi client` has the same. */
const described = memo((server: CompiledServer) => {
  const known = new Map<string, ReadonlyMap<string, Parameters>>()
  return (type: string): ReadonlyMap<string, Parameters> => {
    const paths = known.get(type) ?? parametersOf(server, type)
    known.set(type, paths)
    return paths
  }
})

function parametersOf(server: CompiledServer, type: string): ReadonlyMap<string, Parameters> {
  const parts = documentParts(server, everybody(server), { types: new Set([type]), isLarge: false })
  const paths = [...parts.paths()]
  // The components of a large server take a second: only those of the types that are named are made.
  const known = new Map<string, Readonly<Record<string, Part>>>()
  const resolved = ({ $ref, ...own }: Part): Part => {
    if (typeof $ref !== 'string') return own
    const name = $ref.slice('#/components/parameters/'.length)
    const [, owner = ''] = name.split('.')
    const all = known.get(owner) ?? parts.parametersOf(owner)
    known.set(owner, all)
    return all[name] ?? {}
  }
  return new Map(
    paths.flatMap(([url, { get }]) => {
      if (!get) return []
      const own = ((get as Part).parameters ?? []) as readonly Part[]
      return [[url, new Map(own.map(resolved).map((each) => [String(each.name), each.schema as Part]))]]
    }),
  )
}

/**
 * The request of a page as a program that uses the typed client; null for what the client does not have. What its types do
 * not know, such as groups of filters, goes past them.
 */
export function typedRequest(
  { server, operation, path, search, status }: Pick<PageRequest, 'server' | 'operation' | 'path' | 'search' | 'status'>,
  isSignedIn: boolean,
): string | null {
  if (status >= 400) return null
  const id = operation && 'id' in operation && operation.id !== null ? operation.id : null
  const url = id === null ? path : withoutId(server, path)
  const parameters = operation ? described(server)(operation.schema.type).get(url) : new Map<string, Part>()
  if (!parameters || (!operation && url !== server.basePath)) return null
  const origin = server.baseUrl.slice(0, server.baseUrl.length - server.basePath.length)
  const params = [
    ...(id === null ? [] : [`path: { id: ${quoted(id)} }`]),
    ...queryText(new URLSearchParams(search), parameters),
  ]
  const headers = isSignedIn ? `, headers: { Authorization: 'Bearer ' + token }` : ''
  return `// npx prismapi client --server=${server.name} --out=api.ts
import { createClient } from ${quoted('./api.ts')}

const api = createClient({ baseUrl: ${quoted(origin || '/')}${headers} })
const { data, error } = await api.GET(${quoted(url)}${params.length > 0 ? `, {\n  params: {\n    ${params.join(',\n    ')},\n  },\n}` : ''})`
}

/** `/api/v1/posts/7/author` → `/api/v1/posts/{id}/author` */
function withoutId({ basePath }: CompiledServer, path: string): string {
  const [type, , ...rest] = path.slice(basePath.length + 1).split('/')
  return [basePath, type, '{id}', ...rest].join('/')
}

function queryText(sent: URLSearchParams, parameters: Parameters): readonly string[] {
  const members: string[] = []
  const untyped: string[] = []
  for (const name of new Set(sent.keys())) {
    const values = sent.getAll(name)
    const text = literalOf(values, parameters.get(name))
    if (text === null) untyped.push(`${memberName(name)}: ${quoted(values.join(','))}`)
    else members.push(`${memberName(name)}: ${text}`)
  }
  if (untyped.length > 0) members.push(`...({ ${untyped.join(', ')} } as object)`)
  return members.length === 0 ? [] : [`query: { ${members.join(', ')} }`]
}

/** What is sent, as its type has it; null for what is of no such type. An empty list would be left out. */
function literalOf(values: readonly string[], schema: Part | undefined): string | null {
  const [value = '', ...others] = values
  if (!schema) return null
  if (schema.type === 'array') {
    const items = values.flatMap((each) => each.split(',')).map((each) => literalOf([each], schema.items as Part))
    return items.includes(null) ? null : `[${items.join(', ')}]`
  }
  if (others.length > 0 || value === '' || !isOneOf(schema, value)) return null
  if (schema.type === 'integer' || schema.type === 'number') return String(Number(value)) === value ? value : null
  if (schema.type === 'boolean') return ['true', 'false'].includes(value) ? value : null
  return quoted(value)
}

/** Some parameters list what they take, in one part or several. */
function isOneOf({ enum: values, anyOf }: Part, value: string): boolean {
  if (Array.isArray(anyOf)) return anyOf.some((part: Part) => isOneOf(part, value))
  return !Array.isArray(values) || values.map(String).includes(value)
}

const memberName = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name))

const quoted = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
