import path from 'node:path'
import {
  atomicExtension,
  type Extensions,
  filterProfile,
  noExtensions,
  upsertProfile,
} from '@prismapi/jsonapi/document/types'
import { boundedCache, memo } from '@prismapi/jsonapi/model/memo'
import type { Resources } from '@prismapi/jsonapi/model/meta'
import { type BasePathParams, type Services, unknownServices } from '@prismapi/jsonapi/model/register'
import type { CursorSeal } from '@prismapi/jsonapi/pagination/cursor-seal'
import { checkDefaults } from '@prismapi/jsonapi/query/check-defaults'
import type { QueryServer } from '@prismapi/jsonapi/query/query-context'
import { compileLimits, type Limits } from '@prismapi/jsonapi/request/limits'
import { placeOf, type SchemaNotes } from '@prismapi/jsonapi/schema/notes'
import { compileRegistry, inFile, type RegistryOptions } from '@prismapi/jsonapi/schema/registry'
import type { ResourceSchema, SchemaRegistry } from '@prismapi/jsonapi/schema/resource-schema'
import type { Context } from 'koa'
import type { AuthorizerClass } from '../auth/authorizer.ts'
import { type Permissions, permissions } from '../auth/can.ts'
import { type AnyPolicy, makePolicies } from '../auth/policy.ts'
import type { Reads } from '../database/stores.ts'
import { checkRequestClasses } from '../validation/request/check-request-classes.ts'
import type { RequestClasses } from '../validation/request/resource-query.ts'
import { readByRule } from '../validation/run/query-rules.ts'
import { type BasePath, compileBasePath, type Located, pathWith } from './base-path.ts'
import { checkAction, checkFieldOptions, checkParameters } from './check-classes.ts'
import type { Logger } from './logger.ts'
import type { Server } from './server.ts'
import { CompiledFeatures, type ServerFeature } from './server-feature.ts'
import type { Environment, ServerParts } from './server-parts.ts'
import type { Serving } from './serving-phase.ts'

/**
 * A server as its requests see it: one value, frozen at boot. Nothing in it changes while it serves.
 *
 * @internal
 */
export interface CompiledServer {
  readonly name: string
  /** The file of its class, where that is known. */
  readonly file: string | undefined
  /** Where it lies, whatever the request. */
  readonly base: BasePath
  /** `/api/v1`. With parameters: the path of the request (`serverAt`), and before that the pattern of the class. */
  readonly basePath: string
  /** The values of these parameters, as the request has them. */
  readonly params: BasePathParams
  /** The host name that it answers to, in lower case; null for any. */
  readonly host: string | null
  /** `http://127.0.0.1:3000/api/v1`: what links begin with; never taken from a request's Host header. */
  readonly baseUrl: string
  readonly version: '1.0' | '1.1'
  /**
   * The extensions and profiles that clients can ask it to apply: none where it declares 1.0. That of cursors is not
   * among them: documents that are paged so name it whether it was asked for or not, and others never.
   */
  readonly supportedExtensions: Extensions
  readonly resources: Resources
  readonly schemas: SchemaRegistry
  /** What the application handed in for its own code. */
  readonly services: Services
  /** The application's request and query classes, by model. */
  readonly requests: ReadonlyMap<string, RequestClasses>
  /** By model; made once, without state. */
  readonly policies: ReadonlyMap<string, AnyPolicy>
  /** Authorizers found beside the schema of a type, by type. */
  readonly authorizers: ReadonlyMap<string, AuthorizerClass>
  /** No route of it writes. */
  readonly readOnly: boolean
  /** Who is asking, where it does not leave that to the application. */
  readonly authenticate: ((ctx: Context) => unknown) | null
  /** False: the application protects the whole server by itself. */
  readonly authorizable: boolean
  /** `viewAny` lists only what the caller may `view`. */
  readonly viewAnyByView: boolean
  /** What the caller may not `view` is absent wherever it is not named by its own URL. */
  readonly viewEverywhere: boolean
  /** Tells what callers may do with resources; null where none of its types shows that. */
  readonly permissions: Permissions | null
  /** Unknown query parameters are left out instead of refused. */
  readonly ignoresUnknownParameters: boolean
  /** What the text of a declared filter is to its rule. */
  readonly readByRule: QueryServer['readByRule']
  /** The `WWW-Authenticate` value for guests that are denied; null: they get 403 like everybody. */
  readonly challenge: string | null
  readonly limits: Limits
  /** Answers have an ETag, and are 304 to who has them already. */
  readonly etags: boolean
  /** What its features compiled of it. */
  readonly features: CompiledFeatures
  /** What executes its reads. */
  readonly reads: Reads
  /** What makes the cursors of its pages, and reads them again. */
  readonly cursorSeal: CursorSeal
  /** Errors say nothing about the inside. */
  readonly production: boolean
  readonly logger: Logger
  serving(phase: Serving): void | Promise<void>
  /** The types whose rows are deleted softly. */
  readonly softDeleted: readonly ResourceSchema[]
}

/** Of the extension and the other profile nothing is left where nothing is written. */
function supportedExtensions({ version, readOnly }: Server): Extensions {
  if (version !== '1.1') return noExtensions
  if (readOnly) return Object.freeze({ ext: [], profile: [filterProfile] })
  return Object.freeze({ ext: [atomicExtension], profile: [filterProfile, upsertProfile] })
}

/** In: the application's classes. Out: the frozen server. Whatever is wrong with them is an Error here, at boot. */
export function compileServer(parts: ServerParts, environment: Environment): CompiledServer {
  const server = new parts.server(environment.services ?? unknownServices)
  const at = { name: server.name, file: parts.files?.get(parts.server) }
  return inServer(at, () => compile(server, parts, environment))
}

function compile(server: Server, parts: ServerParts, environment: Environment): CompiledServer {
  const { resources, logger, services = unknownServices, sampleUsers } = environment
  const limits = compileLimits(server.name, server.limits)
  checkReadOnly(server)
  const schemas = new Map([...parts.schemas].map(([model, SchemaOfModel]) => [model, new SchemaOfModel(services)]))
  const fileOf = (model: string) => fileOfSchema(parts, model)
  const only = server.models ?? null
  const { maxPageSize } = limits
  const reserved = server.version === '1.1' ? ['operations'] : []
  const { showsCan, readOnly } = server
  const own: RegistryOptions = { resources, schemas, only, reserved, fileOf, maxPageSize, showsCan, readOnly }
  const withTypes = (options: RegistryOptions, feature: ServerFeature): RegistryOptions =>
    feature.types?.(server, options, () => compiled.registry) ?? options
  const compiled = compileRegistry(environment.features.reduce(withTypes, own))
  const { registry, notes } = compiled
  for (const [model, classes] of parts.requests) {
    const schema = registry.byModel.get(model)
    if (schema) checkRequestClasses(classes, { schema, services, files: parts.files, sampleUsers })
  }
  for (const schema of registry.byType.values()) {
    const file = fileOf(schema.model.name)
    for (const action of schema.actions.values()) inFile(file, () => checkAction(registry, schema, action))
  }
  checkDefaults({ registry, resources, limits, fileOf })
  logNotes(logger, server.name, notes)
  const features = new CompiledFeatures(environment.features, server, {
    resources,
    registry,
    production: environment.production,
    root: parts.root,
  })
  checkParameters(features.parameters, registry)
  checkFieldOptions(
    registry,
    environment.features.flatMap(({ fieldOptions = [] }) => fieldOptions),
    fileOf,
  )
  const base = compileBasePath(server)
  return Object.freeze({
    name: server.name,
    file: parts.files?.get(parts.server),
    base,
    basePath: base.text,
    params: unknownParams(base),
    host: server.host?.toLowerCase() ?? null,
    baseUrl: environment.baseUrl.replace(/\/+$/, '') + base.text,
    version: server.version,
    supportedExtensions: supportedExtensions(server),
    resources,
    schemas: registry,
    requests: parts.requests,
    services,
    policies: policiesOf(parts, environment),
    authorizers: byType(parts.authorizers, registry),
    readOnly: server.readOnly,
    authenticate: server.authenticate?.bind(server) ?? null,
    authorizable: server.authorizable(),
    viewAnyByView: server.viewAnyByView,
    viewEverywhere: server.viewEverywhere,
    permissions: [...registry.byType.values()].some((schema) => schema.showsCan) ? permissions : null,
    ignoresUnknownParameters: server.ignoresUnknownParameters,
    readByRule,
    challenge: server.challenge ?? null,
    limits,
    etags: server.etags,
    features,
    reads: checkReads(server),
    cursorSeal: environment.cursorSeal,
    production: environment.production,
    logger,
    serving: server.serving.bind(server),
    softDeleted: [...registry.byModel.values()].filter((schema) => schema.deletedAt !== null),
  })
}

function policiesOf({ policies, files }: ServerParts, environment: Environment): ReadonlyMap<string, AnyPolicy> {
  if (!policies?.size) return environment.policies
  return new Map([...environment.policies, ...makePolicies(policies, environment.services, files)])
}

function fileOfSchema({ schemas, files }: ServerParts, model: string): string | undefined {
  const schema = schemas.get(model)
  return schema && files?.get(schema)
}

function byType(
  authorizers: ReadonlyMap<string, AuthorizerClass>,
  registry: SchemaRegistry,
): ReadonlyMap<string, AuthorizerClass> {
  return new Map(
    [...authorizers].flatMap(([model, authorizer]) => {
      const schema = registry.byModel.get(model)
      return schema ? [[schema.type, authorizer] as const] : []
    }),
  )
}

/** @throws {Error} for what says of writes how they are done, where there are none. */
function checkReadOnly({ name, readOnly, idempotency, limits }: Server): void {
  if (!readOnly) return
  const named = [
    ...(idempotency !== false && Object.keys(idempotency).length > 0 ? ['idempotency'] : []),
    ...(['operations', 'linkage'] as const).flatMap((limit) => (limit in limits ? [`limits.${limit}`] : [])),
  ]
  if (named.length > 0)
    throw new Error(
      `Server ${name}: ${named.join(' and ')} ${named.length === 1 ? 'is' : 'are'} about writes, and it is readOnly. Leave ${named.length === 1 ? 'it' : 'them'} out.`,
    )
}

/** @throws {Error} for another word, as JavaScript and variables may have it. */
function checkReads({ reads }: Server): Reads {
  if (reads === 'auto' || reads === 'prisma') return reads
  throw new Error(`reads is ${JSON.stringify(reads)}. Write 'auto', or 'prisma' for Prisma Client alone.`)
}

/** Where there is no request: each parameter has its own name for a value. */
const unknownParams = ({ names }: BasePath): BasePathParams =>
  Object.freeze(Object.fromEntries(names.map((name) => [name, name]))) as BasePathParams

// What is known of a server, such as the sizes of its columns, is found once for each.
const placesOf = memo((_server: CompiledServer) => boundedCache<CompiledServer>(500))

/**
 * The server for one call, where its base path has parameters: links begin with the call's path, and application code
 * gets the values. Those of the paths that were asked for last are kept.
 *
 * @internal
 */
export function serverAt(server: CompiledServer, { path, params }: Pick<Located, 'path' | 'params'>): CompiledServer {
  const origin = server.baseUrl.slice(0, server.baseUrl.length - server.basePath.length)
  const make = () => Object.freeze({ ...server, basePath: path, baseUrl: origin + path, params })
  return placesOf(server).get(path, make)
}

/**
 * The same for values that no URL was taken apart for.
 *
 * @throws {Error} for a parameter without a value.
 */
export function serverWith(server: CompiledServer, params?: BasePathParams): CompiledServer {
  const { base, name } = server
  if (base.names.length === 0) return server
  const given = (params ?? {}) as Readonly<Record<string, string>>
  // A text with half of a character in it has no place in a URL.
  const areTexts = base.names.every((each) => String(given[each] ?? '').isWellFormed())
  const located = areTexts ? base.locate(pathWith(base.text.split('/'), given as BasePathParams)) : null
  if (located) return serverAt(server, located)
  const missing = base.names.map((each) => `${each}: …`).join(', ')
  throw new Error(`The base path of ${name} is ${base.text}. Pass the values of its parameters: { ${missing} }.`)
}

/** Says once, at boot, what of the Prisma schema is not served as it is written. */
function logNotes(logger: Logger, name: string, notes: SchemaNotes): void {
  const fields = { server: name }
  for (const note of notes.skipped) logger.warn(fields, `${placeOf(note)} is not served: ${note.reason}`)
  for (const note of notes.renamed) logger.info(fields, `${placeOf(note)} is served as ${note.name}: ${note.reason}`)
  for (const warning of notes.warnings) logger.warn(fields, warning)
  if (notes.hidden.length > 0)
    logger.info(fields, `Hidden because of their names: ${notes.hidden.map(placeOf).join(', ')}`)
  if (notes.secrets.length > 0)
    logger.info(fields, `Write-only because of their names: ${notes.secrets.map(placeOf).join(', ')}`)
}

interface NamedServer {
  readonly name: string
  /** Of its class; undefined where that is not known. */
  readonly file: string | undefined
}

/**
 * Runs what makes a server of the application's classes: whatever it throws names a file, where one is known, and the
 * server, unless the file lies in its folder.
 */
export function inServer<T>(server: NamedServer, work: () => T): T {
  try {
    return work()
  } catch (error) {
    const { message } = error as Error
    const named = nameServer(message, server)
    if (named === message) throw error
    throw new Error(named, { cause: error })
  }
}

function nameServer(message: string, { name, file }: NamedServer): string {
  const [, found] = /^(\S+\.(?:ts|js|mjs)): /.exec(message) ?? []
  if (found !== undefined && file !== undefined && path.dirname(found) === path.dirname(file)) return message
  if (found !== undefined) return `${message} (Server ${name}.)`
  const told = message.startsWith(`Server ${name}: `) ? message : `Server ${name}: ${message}`
  return file === undefined ? told : `${file}: ${told}`
}
