import type { RequestContext } from '@prismapi/core/actions/context'
import { readByRule } from '@prismapi/core/validation/run/query-rules'
import type { FieldsOf } from '@prismapi/jsonapi/condition/scopes'
import { badParameter } from '@prismapi/jsonapi/document/errors'
import { say } from '@prismapi/jsonapi/document/text'
import type { Provider } from '@prismapi/jsonapi/model/meta'
import type { Where } from '@prismapi/jsonapi/model/where'
import type { PageParams, PageRequest, Paginator } from '@prismapi/jsonapi/pagination/paginator'
import type { CheckContext } from '@prismapi/jsonapi/query/query-context'
import { defaultLimits, type Limits } from '@prismapi/jsonapi/request/limits'
import type { SchemaRegistry } from '@prismapi/jsonapi/schema/resource-schema'
import { conditionIn } from './conditions.ts'
import { registryOf, resources, resourcesOf } from './schemas.ts'

interface Given {
  readonly registry?: SchemaRegistry
  /** In Prisma's words. */
  readonly scopes?: ReadonlyMap<string, Where>
  readonly provider?: Provider
  readonly limits?: Partial<Limits>
  readonly seen?: FieldsOf
  readonly masksValues?: boolean
  /** The models whose deleted rows may be seen. */
  readonly trash?: readonly string[]
}

/** What the checks of a query depend on: PostgreSQL, all types, no scopes and the default limits unless given. */
export const checkContext = ({
  registry,
  scopes,
  provider,
  limits,
  seen,
  masksValues,
  trash,
}: Given = {}): CheckContext => ({
  registry: registry ?? registryOf(),
  resources: resourcesOf(provider ?? 'postgresql'),
  scopes: new Map([...(scopes ?? [])].map(([model, where]) => [model, conditionIn(where, model, resources)])),
  seen: seen ?? (() => null),
  readByRule,
  masksValues: masksValues ?? false,
  trash: new Set(trash),
  request: { user: null, method: 'GET', url: new URL('http://localhost/api/v1/posts'), params: {} },
  limits: { ...defaultLimits, ...limits },
})

/** A request for a query string, as far as the checks of a query look at one. */
export function requestContext(search: string, given: Given = {}): RequestContext {
  const { registry, resources, scopes, limits, trash } = checkContext(given)
  const url = new URL(`http://localhost/api/v1/posts${search}`)
  return {
    server: { schemas: registry, resources, params: {}, features: { parameters: [] } },
    served: { scopes, trash },
    seen: given.seen ?? (() => null),
    user: null,
    method: 'GET',
    limits,
    at: { url, search: url.search },
  } as unknown as RequestContext
}

/** A page that a fake paginator was asked for. */
export interface FakePage extends PageRequest {
  readonly params: PageParams
  readonly limits: unknown
}

/** Knows `number` and `size`, and remembers what it was asked for. */
export const fakePaginator = (order: Paginator['order'] = null): Paginator => ({
  keys: ['number', 'size'],
  order,
  parse(params, limits): FakePage {
    for (const key of Object.keys(params)) {
      if (!this.keys.includes(key)) throw badParameter(`page[${key}]`, say`Page parameter ${key} is not allowed.`)
    }
    return { params: { ...params }, limits, read: () => Promise.reject(new Error('not read in these tests')) }
  },
})
