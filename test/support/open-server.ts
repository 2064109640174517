import type { SchemaClass } from '@prismapi/jsonapi/schema/schema'
import { type ModelName, Server, type Serving } from 'prismapi'
import type { RequestClasses } from 'prismapi/rules'
import type { Limits, ServerParts } from 'prismapi/types'
import { origin } from './api.ts'
import { identifier, jsonapi } from './row-documents.ts'
import { plain } from './servers.ts'

// Servers of a test's own schemas, and what their documents are expected to say.

interface Behaviour {
  readonly limits?: Partial<Limits>
  readonly requests?: Readonly<Record<string, Partial<RequestClasses>>>
  readonly serving?: (phase: Serving) => void
  readonly reads?: 'auto' | 'prisma'
  readonly version?: Server['version']
}

/** A server at `/api/<name>` that asks nobody for permission, and serves the models that it has schemas of. */
export function openServer(
  name: string,
  schemas: Readonly<Partial<Record<ModelName, SchemaClass>>>,
  { limits = {}, requests = {}, serving, reads = 'auto', version = '1.0' }: Behaviour = {},
): ServerParts {
  class Open extends Server {
    override readonly name = name
    override readonly models = Object.keys(schemas) as ModelName[]
    override readonly limits = limits
    override readonly reads = reads
    override readonly version = version

    override authorizable() {
      return false
    }

    override serving(phase: Serving) {
      serving?.(phase)
    }
  }
  const none: RequestClasses = { request: null, query: null, collectionQuery: null }
  return plain(Open, {
    schemas: new Map(Object.entries(schemas)),
    requests: new Map(Object.entries(requests).map(([model, classes]) => [model, { ...none, ...classes }])),
  })
}

export type Query = Readonly<Record<string, string | number>>

/** A path with its query, in the order given: what a test asks for. */
export function pathOf(server: string, path: string, query: Query = {}): string {
  const pairs = Object.entries(query).map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`)
  return `/api/${server}${path}${pairs.length > 0 ? `?${pairs.join('&')}` : ''}`
}

/** A link: its keys are sorted. */
export const urlOf = (server: string, path: string, query: Query = {}): string =>
  origin + pathOf(server, path, Object.fromEntries(Object.entries(query).sort(([a], [b]) => (a < b ? -1 : 1))))

export interface PageOf {
  /** The query that was asked with. */
  readonly asked?: Query
  readonly data: readonly object[]
  /** The whole top-level `meta`; left out, there is none. */
  readonly meta?: object
  /** The query of each link beside `self`. */
  readonly sides?: Readonly<Record<string, Query>>
  /** Links beside `self` that are the same on every page. */
  readonly links?: object
}

/** The document of one page, whole. */
export function pageDocument(server: string, path: string, { asked = {}, data, meta, sides = {}, links }: PageOf) {
  const urls = Object.entries(sides).map(([name, query]) => [name, urlOf(server, path, query)])
  return {
    jsonapi,
    links: { self: urlOf(server, path, asked), ...links, ...Object.fromEntries(urls) },
    ...(meta && { meta }),
    data,
  }
}

const identifiers = (type: string, ids: readonly number[]) => ids.map((id) => identifier(type, id))

/** What `fields[<type>]=` leaves of resources. */
const bareOf = (server: string, type: string, ids: readonly number[]) =>
  identifiers(type, ids).map((each) => ({ ...each, links: { self: urlOf(server, `/${type}/${each.id}`) } }))

/** The two URLs of a to-many relation: what they show of the ids, and their links beside those of the page. */
export function endpointsOf(server: string, parent: string, relation: string, type: string) {
  const related = `${parent}/${relation}`
  return [
    { path: related, show: (ids: readonly number[]) => bareOf(server, type, ids), links: {} },
    {
      path: `${parent}/relationships/${relation}`,
      show: (ids: readonly number[]) => identifiers(type, ids),
      links: { related: urlOf(server, related) },
    },
  ]
}
