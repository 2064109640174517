import { namesOfAttribute, namesOfRelation } from '@prismapi/core/auth/field-names'
import { type CompiledServer, compileServer, serverWith } from '@prismapi/core/server/compile'
import type { Discovered } from '@prismapi/core/server/discover'
import type { ServerParts } from '@prismapi/core/server/server-parts'
import type { Awaitable } from '@prismapi/jsonapi/model/awaitable'
import type { ColumnMeta, Resources } from '@prismapi/jsonapi/model/meta'
import type { BasePathParams, ColumnOf, ModelName, RelationOf } from '@prismapi/jsonapi/model/register'
import { cursorSeal } from '@prismapi/jsonapi/pagination/cursor-seal'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { toolFeatures } from 'prismapi/internal/usual/compiled-features'
import { type Answer, send, type TestRequest } from '../send.ts'
import { openTarget, type TestSource } from '../target.ts'

/** The headers by which a caller is known, or a function that makes them when they are needed. */
export type CallerHeaders = Readonly<Record<string, string>> | (() => Awaitable<Readonly<Record<string, string>>>)

/** Who asks, by the names that failures call them: `{ guest: {}, admin: { Authorization: 'Bearer …' } }`. */
export type Callers = Readonly<Record<string, CallerHeaders>>

/**
 * An application as the kit has to know it: its servers, its address and its callers. The kit finds types, relations,
 * filters and sorts in the application's files, and ids and values in its answers. Switch its rate limit off: the kit
 * sends many requests.
 *
 * @example
 * const discovered = await discover({ root: import.meta.dirname, resources })
 * const tested: Tested = { resources, ...discovered, app: () => app, callers: { guest: {} } }
 */
export interface Tested {
  /** What `prisma generate` wrote: `resources` of `prisma/generated/resources.ts`. */
  readonly resources: Resources
  /** The servers with their classes, as `discover` finds them; those that are tested. */
  readonly servers: readonly ServerParts[]
  /** The features of the application's own, as `discover` finds them. */
  readonly features?: Discovered['features']
  /** A Koa app, a listener of `node:http`, a function that makes one when the first check runs, or a URL. */
  readonly app: TestSource
  /** Who asks; by default a guest alone. */
  readonly callers?: Callers
  /** Fields that rules of the policies hide from some callers, or of some rows: resources may lack them. */
  readonly hiddenFields?: HiddenFields
  /** The values of base path parameters: `{ organization: 'acme' }` to ask below `/api/acme/v1`. */
  readonly params?: BasePathParams
  /** The public origin that links begin with, as the application has it. Left out, they only have to begin alike. */
  readonly baseUrl?: string
}

/**
 * Columns and relations by model, by Prisma's names.
 *
 * @example
 * const hiddenFields: HiddenFields = { User: ['email', 'posts'] }
 */
export type HiddenFields = { readonly [M in ModelName]?: readonly (ColumnOf<M> | RelationOf<M>)[] }

export interface TestedServer extends CompiledServer {
  /** May a resource of the type have no such field, by its name in documents. */
  readonly mayLack: (schema: ResourceSchema, name: string) => boolean
}

/** One server, as one caller meets it. */
export interface Asker {
  readonly server: TestedServer
  readonly caller: string
  /** The origin that links have to have; null where the test does not say. */
  readonly origin: string | null
  /** Does the caller tell who it is: sends headers of its own. */
  isNamed(): Promise<boolean>
  ask(request: TestRequest): Promise<Answer>
}

const mediaType = 'application/vnd.api+json'
const silent = { debug() {}, info() {}, warn() {}, error() {} }

/** The servers of an application, as values: their classes are compiled as they are at its boot, without a database. */
export function serversOf({
  resources,
  servers,
  features = [],
}: Pick<Tested, 'resources' | 'servers' | 'features'>): readonly CompiledServer[] {
  const seal = cursorSeal(null)
  return servers.map((parts) =>
    compileServer(parts, {
      resources,
      policies: new Map(),
      baseUrl: 'http://tested',
      production: true,
      logger: silent,
      cursorSeal: seal,
      features: toolFeatures(features),
    }),
  )
}

/**
 * Every server as every caller meets it. The application is started by the first question.
 * @throws {Error} where there are none, for nothing would be tested, and where a base path parameter has no value.
 */
export function askersOf(tested: Tested): readonly Asker[] {
  const { callers = { guest: {} }, servers, baseUrl } = tested
  if (servers.length === 0)
    throw new Error(
      '`servers` is empty, so nothing is tested. Pass those that `discover` finds: its `root` may be wrong.',
    )
  if (Object.keys(callers).length === 0)
    throw new Error('`callers` is empty, so nothing is tested. Name who asks, or leave it out: { guest: {} }.')
  const target = openTarget(tested.app)
  const origin = baseUrl === undefined ? null : new URL(baseUrl).origin
  const mayLack = lackedIn(tested.hiddenFields ?? {})
  const all = serversOf(tested).map((server): TestedServer => ({ ...serverWith(server, tested.params), mayLack }))
  return all.flatMap((server) =>
    Object.entries(callers).map(([caller, own]) => {
      const ownHeaders = async () => (typeof own === 'function' ? await own() : own)
      return {
        server,
        caller,
        origin,
        isNamed: async () => Object.keys(await ownHeaders()).length > 0,
        ask: async (request: TestRequest) =>
          send(target, { ...request, headers: headersOf(server, request, await ownHeaders()) }),
      }
    }),
  )
}

/** Whether resources may lack a field, by its name in documents. */
export function lackedIn(fields: HiddenFields): TestedServer['mayLack'] {
  const hidden = fields as Readonly<Record<string, readonly string[] | undefined>>
  return (schema, name) => (hidden[schema.model.name] ?? []).some((field) => namesOfField(schema, field).includes(name))
}

const headersOf = (
  { host }: CompiledServer,
  { body, headers }: TestRequest,
  own: Readonly<Record<string, string>>,
) => ({
  Accept: mediaType,
  ...(body !== undefined && { 'Content-Type': mediaType }),
  ...(host !== null && { Host: host }),
  ...own,
  ...headers,
})

/** What documents call a column or a relation of the model. */
export const namesOfField = ({ attributes, relations }: ResourceSchema, field: string): readonly string[] => [
  ...[...attributes.values()].flatMap((each) => (namesOfAttribute(each).includes(field) ? [each.name] : [])),
  ...[...relations.values()].flatMap((each) => (namesOfRelation(each).includes(field) ? [each.name] : [])),
]

const uuid = '00000000-0000-4000-8000-00000000dead'
const number = 2_000_000_011

/** An id in the form of the type's ids that no row should have. */
export function missingId({ id, model }: ResourceSchema): string {
  const row = Object.fromEntries(id.columns.map((name) => [name, missingValue(model.columns[name] as ColumnMeta)]))
  return id.format(row)
}

function missingValue({ type, native, default: made }: ColumnMeta): unknown {
  if (type === 'Int' || type === 'Float' || type === 'Decimal') return number
  if (type === 'BigInt') return BigInt(number)
  if (type === 'DateTime') return new Date('1971-02-03T04:05:06Z')
  return made === 'uuid' || native?.[0] === 'Uuid' ? uuid : 'no-such-row'
}
