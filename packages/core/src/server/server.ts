import { type ModelName, type Services, unknownServices } from '@prismapi/jsonapi/model/register'
import type { IdempotencyOptions, LiveOptions } from '@prismapi/jsonapi/request/features'
import type { OwnLimits } from '@prismapi/jsonapi/request/limits'
import type { Deprecation } from '@prismapi/jsonapi/schema/deprecation'
import type { Context } from 'koa'
import type { Reads } from '../database/stores.ts'
import type { OwnPage, PagePart } from './page-part.ts'
import type { Serving } from './serving-phase.ts'

/**
 * One API of the application, as a rule one version of it. Several servers share the Prisma clients and nothing else.
 * Lives in `src/app/<name>/server.ts` and is the file's default export.
 *
 * @example
 * export default class V1 extends Server {
 *   override name = 'v1'
 *   override serving(phase: Serving) {
 *     phase.scope('Post', { deletedAt: null })
 *   }
 * }
 */
export abstract class Server {
  /** The name, `v1`: the last segment of the base path unless that is given. */
  abstract readonly name: string
  /**
   * The path of the server: `/api/<name>` by default. It begins with a slash, ends with none, and is not the root. A
   * segment `:organization` is a parameter, whose value is `phase.params.organization`.
   */
  readonly basePath?: string
  /** The host name that it answers to; left out, any. Only routing uses it: links begin with the public base URL. */
  readonly host?: string
  /**
   * The version of JSON:API that it declares, and holds to.
   *
   * @see https://jsonapi.org/format/#document-jsonapi-object
   */
  readonly version: '1.0' | '1.1' = '1.0'
  /** The models that are served; all by default. A relation to a model that is not served is not offered. */
  readonly models?: readonly ModelName[]
  /** A `WWW-Authenticate` value: then a guest that is denied gets 401 with it, where everybody else gets 403. */
  readonly challenge?: string
  /**
   * True: it is only read. No type has a route that writes, whatever policies allow: these are 405, and atomic
   * operations and actions by other methods than GET are 404. OpenAPI, pages and `meta.can` tell of no writes.
   *
   * @example
   * export default class Site extends Server {
   *   override name = 'site'
   *   override readOnly = true
   * }
   */
  readonly readOnly: boolean = false
  /** What one request may cost, where it differs from the defaults. */
  readonly limits: OwnLimits = {}
  /**
   * False: answers have no ETag, so that no client gets a 304. Writes look at `If-Match` all the same, and it may name
   * the bare version of a resource: `If-Match: "7"`. A tag costs 1 µs for each kilobyte of the answer.
   */
  readonly etags: boolean = true
  /**
   * How answers to POST with an `Idempotency-Key` are kept, where it differs from the defaults; false: they are not,
   * and the header means nothing. By default they are where the Prisma schema has the model `IdempotencyKey`, annotated
   * `@hidden`.
   */
  readonly idempotency: false | Partial<IdempotencyOptions> = {}
  /**
   * True, or options where they differ from the defaults: collections and resources that are asked for with
   * `Accept: text/event-stream` are streams of what changes. It takes the model `Change` and the triggers of `prismapi
   * live`.
   */
  readonly live: boolean | Partial<LiveOptions> = false
  /** What its OpenAPI document says beside what is inferred: title, version, description, security schemes. */
  readonly openapi: OpenApiOptions = {}
  /**
   * The whole server will be gone: each of its answers says so, and its OpenAPI document does.
   *
   * @see https://www.rfc-editor.org/rfc/rfc9745
   * @example
   * export default class V1 extends Server {
   *   override name = 'v1'
   *   override deprecated = { since: '2026-01-01', sunset: '2026-12-31', link: 'https://example.org/v2' }
   * }
   */
  readonly deprecated?: Deprecation
  /**
   * What reads the database, and writes single rows: prepared statements where the clients bring a connection for them
   * and Prisma without extensions does the rest (`'auto'`), or Prisma alone.
   */
  readonly reads: Reads = 'auto'
  /**
   * True: browsers, which ask for `text/html`, get the pages of the browsable API; false: no client does. Left out,
   * they do outside of production. A client that names JSON:API, or takes anything, gets JSON:API either way.
   */
  readonly browsable?: boolean
  /**
   * How the pages look: a name, a colour, a logo.
   *
   * @example
   * export default class V1 extends Server {
   *   override name = 'v1'
   *   override pages = { name: 'Acme', colour: '#7b1fa2', logo: '/logo.svg' }
   * }
   */
  readonly pages: PageOptions = {}
  /**
   * What shows the reference, `/docs`, where the application has installed that package; false: there is none. For
   * `'scalar'` run `npm install @scalar/api-reference`.
   */
  readonly docs: DocsViewer | false = 'openapi-explorer'
  /**
   * True: query parameters that the server does not know are ignored; by default they are refused with 400.
   *
   * @see https://jsonapi.org/format/#query-parameters-custom
   */
  readonly ignoresUnknownParameters: boolean = false
  /** True: collections list only rows that the caller may `view`; the rules' conditions become part of the query. */
  readonly viewAnyByView: boolean = false

  /**
   * True: a row that the caller may not `view` is absent wherever it is not named by its own URL: from collections,
   * related resources, includes, linkage, totals, filters, and as a target of identifiers. By default `view` decides on
   * the resource's own URL only, and an include asks no policy.
   */
  readonly viewEverywhere: boolean = false

  /**
   * True: resources say in `meta.can` what their caller may do with them, by the names of the policies' actions, and
   * collections whether the caller may `create`. It takes no query: null stands for what only the database could say.
   * All columns of the rows are read, and methods of policies are called for each resource. A schema's own `showsCan`
   * wins: `"meta": { "can": { "view": true, "update": true, "delete": false, "attachTags": null } }`.
   */
  readonly showsCan: boolean = false

  /** What the application handed to `createApi({ services })`. */
  protected readonly services: Services

  /** Made by the framework; a class of the application needs no constructor. */
  constructor(services: Services = unknownServices) {
    this.services = services
  }

  /**
   * Who is asking on this server, in the place of `createApi({ authenticate })`: the user, or null for a guest. Streams
   * and the pages' sign-in ask it, too. Left out, the application's own one is asked.
   *
   * @throws {JsonApiError} 401, made by `unauthorized`, for credentials that are present and wrong.
   * @example
   * import type { Context } from 'koa'
   *
   * declare const partnerWith: (key: string) => Promise<{ readonly id: number } | null>
   *
   * export default class Partners extends Server {
   *   override name = 'partners'
   *   override authenticate(ctx: Context) {
   *     const key = ctx.get('Api-Key')
   *     return key === '' ? null : partnerWith(key)
   *   }
   * }
   */
  authenticate?(ctx: Context): unknown

  /** False: clients need no permission; the application protects the server by itself. */
  authorizable(): boolean {
    return true
  }

  /** Registers what holds for one request: scopes, creation hooks, authorizers. */
  serving(_phase: Serving): void | Promise<void> {}
}

/** The class of a server. */
export type ServerClass = new (services?: Services) => Server

/** What shows the reference of a server: a package that the application installs. */
export type DocsViewer = 'openapi-explorer' | 'scalar'

/** What only the application can say in the OpenAPI document of a server. */
export interface OpenApiOptions {
  /** By default `API <name>`. */
  readonly title?: string
  /** The version of the API; by default the server's name. */
  readonly version?: string
  /** Markdown, before what is said of every server. */
  readonly description?: string
  /** Security scheme objects of OpenAPI, by name. A client may use one of them, or none: guests have rights, too. */
  readonly securitySchemes?: Readonly<Record<string, object>>
  /**
   * Rows to show as examples: an id by type, `{ posts: '1' }`. Each is read for the caller who asks for the document,
   * through their scopes and policies, and left out where they may not view it; a query each. Without any, tools make
   * examples of the kinds, formats and enumerations.
   */
  readonly examples?: Readonly<Record<string, string>>
}

/** How the pages of a server look. */
export interface PageOptions {
  /** What they are called, in their header and titles. Left out, the OpenAPI document's title, or the server's name. */
  readonly name?: string
  /**
   * The colour of links, buttons and charts, as six hexadecimal digits: `#7b1fa2`. Where it would be hard to read on a
   * light or a dark page, that page gets a darker or a lighter shade of it.
   */
  readonly colour?: string
  /** The path of a picture on the same origin, which the application serves: `/logo.svg`. */
  readonly logo?: string
  /**
   * The groups of the start page, each with its types, in this order. Types of no group come last. Left out, a server
   * with more than thirty types groups them by their first letter.
   */
  readonly groups?: Readonly<Record<string, readonly string[]>>
  /**
   * More links of the rail, by what they are called: paths of the same origin, or addresses of the web.
   *
   * @example
   * const pages: PageOptions = { links: { Shop: 'https://shop.example.com', 'Background jobs': '/jobs' } }
   */
  readonly links?: Readonly<Record<string, string>>
  /**
   * Pages of the application in the frame of the server's, by the last part of their URL: the page `reports` is at
   * `/api/v1/-browse/own/reports`, and the rail leads there.
   */
  readonly own?: Readonly<Record<string, OwnPage>>
  /**
   * What stands below the details of a resource, by its type: HTML that `html` of the page makes, or null for nothing.
   *
   * @example
   * import { Server } from 'prismapi'
   * import type { ResourcePage } from 'prismapi/features'
   *
   * export default class V1 extends Server {
   *   override readonly name = 'v1'
   *   override readonly pages = {
   *     blocks: { posts: ({ html, resource }: ResourcePage) => html`<p>This is post ${resource.id}.</p>` },
   *   }
   * }
   */
  readonly blocks?: Readonly<Record<string, NonNullable<PagePart['resource']>>>
}
