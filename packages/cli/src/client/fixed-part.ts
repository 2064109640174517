import { atomicExtension } from '@prismapi/jsonapi/document/types'

interface Fixed {
  /** Does the server take QUERY. */
  readonly takesQuery: boolean
  /** The path of atomic requests; null where the server takes none. */
  readonly operations: string | null
  readonly includeDepth: string
  readonly sortDepth: string
}

/** Atomic requests have a media type of their own, which openapi-fetch does not take from the types. */
const useAtomic = (operations: string | null): string =>
  operations === null
    ? ''
    : `  typed.use({
    onRequest({ request, schemaPath }) {
      if (schemaPath !== '${operations}') return
      for (const name of ['Accept', 'Content-Type']) request.headers.set(name, \`\${mediaType};ext="${atomicExtension}"\`)
    },
  })
`

/** The longest URL that each program on the way takes; the server's links are no longer, either. */
const longestUrl = 4000

const useQuery = (takesQuery: boolean): string =>
  takesQuery
    ? `  // A question that is too long for a URL has its parameters in the body of QUERY.
  typed.use({
    onRequest({ request }) {
      if (request.method !== 'GET' || request.url.length <= ${longestUrl}) return
      const at = request.url.indexOf('?')
      const asked = new Request(request.url.slice(0, at), request)
      asked.headers.set('Content-Type', 'application/x-www-form-urlencoded')
      return new Request(asked, { method: 'QUERY', body: request.url.slice(at + 1) })
    },
  })
`
    : ''

/** What every client's file begins with: the client, and the types that are made of those of its server. */
export const fixedPart = ({
  operations,
  takesQuery,
  includeDepth,
  sortDepth,
}: Fixed): string => `import createFetchClient, {
  type ClientOptions,
  type FetchResponse,
  type MaybeOptionalInit,
  type Middleware,
  mergeHeaders,
} from 'openapi-fetch'

const mediaType = 'application/vnd.api+json'

/** A client of the server. \`baseUrl\` is its origin, and \`headers\` say who asks. */
export function createClient(options: ClientOptions = {}): Client {
  const client: unknown = createFetchClient<paths>({
    ...options,
    headers: mergeHeaders({ Accept: mediaType, 'Content-Type': mediaType }, options.headers),
    querySerializer: { array: { style: 'form', explode: false } },
  })
  // It has one signature that takes what it does not know; these take what the server has.
  const typed = client as Client
${useAtomic(operations)}${useQuery(takesQuery)}  return typed
}

export interface Client {
  GET: Call<'get'>
  POST: Call<'post'>
  PATCH: Call<'patch'>
  DELETE: Call<'delete'>
  use(...middleware: Middleware[]): void
  eject(...middleware: Middleware[]): void
}

type Method = 'get' | 'post' | 'patch' | 'delete'
type PathWith<M extends Method> = { [P in keyof paths]: paths[P] extends Record<M, object> ? P : never }[keyof paths]
type Sent<P extends keyof paths, M extends Method> = MaybeOptionalInit<paths[P], M & keyof paths[P]>
type Call<M extends Method> = <P extends PathWith<M>>(
  path: P,
  ...sent: undefined extends Sent<P, M> ? [sent?: Sent<P, M>] : [sent: Sent<P, M>]
) => Promise<FetchResponse<paths[P][M & keyof paths[P]] & object, object, \`\${string}/\${string}\`>>

/** The name of a type. */
export type Type = keyof Types
/** A resource, as documents have it. */
export type Resource<T extends Type> = Types[T] extends { resource: infer R } ? R : never
/** The document that creates a resource. */
export type Create<T extends Type> = Types[T] extends { create: infer D } ? D : never
/** The document that updates one. */
export type Update<T extends Type> = Types[T] extends { update: infer D } ? D : never

/** The paths that may be included with resources of a type. */
export type IncludePath<T extends keyof Includes> = Path<T, RelationOf<T>, ${includeDepth}>
export type Include<T extends keyof Includes, First extends string = RelationOf<T>> = {
  include?: Path<T, First, ${includeDepth}>[]
}
type RelationOf<T extends keyof Includes> = T extends unknown ? keyof Includes[T] & string : never
type Path<T, First extends string, Depth extends 0[]> = T extends keyof Includes
  ? Depth extends [0, ...infer Rest extends 0[]]
    ? { [R in First & keyof Includes[T]]: R | \`\${R}.\${Path<Includes[T][R], string, Rest>}\` }[First & keyof Includes[T]]
    : Beyond<Depth>
  : never

/** What filters say of related resources, and of alternatives: the server checks their names. */
export type RelationFilter<T extends Type> = Partial<
  Record<
    | \`filter[\${RelatedFrom<T>}.\${string}\`
    | \`filter[\${RelatedFrom<T>}][\${string}\`
    | \`filter[\${'or' | 'and' | 'not'}][\${string}\`,
    string | string[]
  >
>
type RelatedFrom<T> = T extends keyof Includes ? keyof Includes[T] & string : never

/** By what collections of a type are sorted. */
export type Sort<T extends keyof Sorts> =
  | SortPath<T, ${sortDepth}>
  | \`-\${SortPath<T, ${sortDepth}>}\`
  | \`\${string}:nulls\${'First' | 'Last'}\`
type SortPath<T, Depth extends 0[]> = T extends keyof Sorts
  ? Sorts[T]['own'] | (Depth extends [0, ...infer Rest extends 0[]] ? SortThrough<Sorts[T]['through'], Rest> : Beyond<Depth>)
  : never
type SortThrough<Through, Depth extends 0[]> = {
  [R in keyof Through & string]: \`\${R}.\${SortPath<Through[R], Depth>}\`
}[keyof Through & string]

/** What paths go on with: nothing, or any text where there are too many to name. */
type Beyond<Depth extends 0[]> = 0[] extends Depth ? string : never

export type Answer<D> = {
  jsonapi: Shared['jsonapi']
  links?: Shared['links']
  meta?: Shared['meta']
  data: D
  included?: Shared['included']
}
export type Document<D> = { content: { [mediaType]: D } }
export type Nothing = { content?: never }
export type Refused = Document<Shared['errors']>
`
