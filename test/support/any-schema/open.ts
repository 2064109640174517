import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { PolicyClass } from '@prismapi/core/auth/policy'
import type { Clients } from '@prismapi/core/database/store'
import type { SchemaRegistry } from '@prismapi/jsonapi/schema/resource-schema'
import type { SchemaClass } from '@prismapi/jsonapi/schema/schema'
import Koa from 'koa'
import { createApi, type ModelName, type Resources, Server, type Serving } from 'prismapi'
import type { RequestClasses } from 'prismapi/rules'
import type { ServerParts } from 'prismapi/types'
import { keepAliveTimeout, mediaType, origin } from '../api.ts'
import type { Generated } from './generate.ts'

/** What came back: a status below 500, and a document or nothing. */
export interface Reply {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests look into documents of every shape
  readonly body: any
  readonly allow: string | null
}

export type Ask = (method: string, path: string, body?: unknown) => Promise<Reply>

export type Policies = Readonly<Record<string, PolicyClass>>

/** A fixture that is served, at `/api/v1`, to everybody: to guests, where it has policies. */
export interface Served {
  readonly resources: Resources
  readonly schemas: SchemaRegistry
  /** The boot log, without what is only for debugging. */
  readonly said: readonly string[]
  /** Where it is served: the URL that paths are below. */
  readonly at: string
  /** Asks, with paths below the server's. Throws for an answer that no client should ever get. */
  readonly ask: Ask
  close(): Promise<void>
}

interface Behaviour {
  readonly version?: Server['version']
  readonly reads?: Server['reads']
  readonly policies?: Policies
  readonly requests?: Readonly<Record<string, RequestClasses>>
  /** Those that are served; all, where it is left out. */
  readonly models?: readonly string[]
  /** Whether there are streams. */
  readonly live?: boolean
}

/** Serves a generated schema without any code, or with what is given. */
export async function serve(
  { resources }: Pick<Generated, 'resources'>,
  clients: Clients,
  schemas: Readonly<Record<string, SchemaClass>> = {},
  serving: (phase: Serving) => void = () => {},
  {
    version = '1.0',
    reads = 'auto',
    policies = {},
    requests = {},
    models = Object.values(resources.models).flatMap(({ name, isHidden }) => (isHidden ? [] : [name])),
    live = false,
  }: Behaviour = {},
): Promise<Served> {
  const said: string[] = []
  const unforeseen: unknown[] = []
  const say = (_fields: object, message: string) => void said.push(message)
  const logger = {
    debug: () => {},
    info: say,
    warn: say,
    error: (fields: object) => void unforeseen.push((fields as { err?: unknown }).err),
  }
  const servers = [partsOf({ schemas, serving, version, reads, policies, requests, models, live })]
  const api = createApi({
    resources,
    clients,
    servers,
    policies: new Map(Object.entries(policies)),
    baseUrl: origin,
    // A busy machine makes no write fail.
    transactions: { maxWait: 60_000, timeout: 60_000, holdMilliseconds: 60_000 },
    logger,
    production: false,
  })
  const { schemas: registry } = api.servers[0] as (typeof api.servers)[number]
  const server = createServer({ keepAliveTimeout }, new Koa().use(api.middleware()).use(api.notFound()).callback())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`
  return {
    resources,
    schemas: registry,
    said,
    at,
    ask: async (method, path, body) => toReply(await send(method, at + path, body), { method, path, body, unforeseen }),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

interface Parts extends Required<Behaviour> {
  readonly schemas: Readonly<Record<string, SchemaClass>>
  readonly serving: (phase: Serving) => void
}

function partsOf({ schemas, serving, version, reads, policies, requests, models, live }: Parts): ServerParts {
  class Open extends Server {
    override readonly name = 'v1'
    override readonly version = version
    override readonly reads = reads
    override readonly models = models as readonly ModelName[]
    override readonly live = live

    override authorizable() {
      return Object.keys(policies).length > 0
    }

    override serving(phase: Serving) {
      serving(phase)
    }
  }
  return {
    server: Open,
    schemas: new Map(Object.entries(schemas)),
    authorizers: new Map(),
    requests: new Map(Object.entries(requests)),
  }
}

const send = (method: string, url: string, body: unknown): Promise<Response> =>
  fetch(url, {
    method,
    headers: { Accept: mediaType, ...(body !== undefined && { 'Content-Type': mediaType }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })

interface Asked {
  readonly method: string
  readonly path: string
  readonly body: unknown
  readonly unforeseen: unknown[]
}

async function toReply(response: Response, asked: Asked): Promise<Reply> {
  const text = await response.text()
  const { status, headers } = response
  const cause = asked.unforeseen.splice(0)[0]
  if (status >= 500)
    throw new Error(`${asked.method} ${asked.path} ${JSON.stringify(asked.body)} answered ${status}: ${text}`, {
      cause,
    })
  return { status, body: text === '' ? undefined : JSON.parse(text), allow: headers.get('Allow') }
}
