import type { AuthorizerClass } from '../auth/authorizer.ts'
import { type Permissions, permissions } from '../auth/can.ts'
import type { AnyPolicy } from '../auth/policy.ts'
import type { Reads } from '../database/stores.ts'
import { atomicExtension, type Extensions, filterProfile, noExtensions, upsertProfile } from '../document/profiles.ts'
import type { Resources } from '../model/meta.ts'
import type { Services } from '../model/register.ts'
import { unknownServices } from '../model/services.ts'
import type { CursorSeal } from '../pagination/cursor-seal.ts'
import { checkDefaults } from '../query/check-defaults.ts'
import type { QueryServer } from '../query/query-context.ts'
import { type Limits, limitsOf } from '../request/limits.ts'
import { checkDeprecation, type Deprecation } from '../schema/deprecation.ts'
import { inFile } from '../schema/in-file.ts'
import { compileRegistry, type RegistryOptions } from '../schema/registry.ts'
import type { ResourceSchema, SchemaRegistry } from '../schema/resource-schema.ts'
import { checkRequestClasses } from '../validation/request/check-request-classes.ts'
import type { RequestClasses } from '../validation/request/request-classes.ts'
import { readByRule } from '../validation/run/read-by-rule.ts'
import { basePathOf } from './base-path.ts'
import { checkAction } from './check-action.ts'
import { compileDocs, type Docs } from './docs.ts'
import { inServer } from './in-server.ts'
import { logNotes } from './log-notes.ts'
import type { Logger } from './logger.ts'
import { checkExamples, type OpenApiOptions } from './openapi-options.ts'
import { checkPages, type PageOptions } from './pages.ts'
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
  /** `/api/v1` */
  readonly basePath: string
  /** The host name that it answers to, in lower case; null for any. */
  readonly host: string | null
  /** `http://127.0.0.1:3000/api/v1`: what links begin with; never taken from a request's Host header. */
  readonly baseUrl: string
  readonly version: '1.0' | '1.1'
  /**
   * The extensions and profiles that clients can ask it to apply: none where it declares 1.0. That of cursors is not among
   * them: documents that are paged so name it whether it was asked for or not, and others never.
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
  /** What the application says in its OpenAPI document. */
  readonly openapi: OpenApiOptions
  /** Null where the server class does not announce its end. */
  readonly deprecation: Deprecation | null
  /** Is anything of it deprecated, so that answers may have to say so. */
  readonly deprecates: boolean
  /** What executes its reads. */
  readonly reads: Reads
  /** What makes the cursors of its pages, and reads them again. */
  readonly cursorSeal: CursorSeal
  /** Errors say nothing about the inside. */
  readonly production: boolean
  /** Browsers get pages. */
  readonly browsable: boolean
  /** How these look. */
  readonly pages: PageOptions
  /** What shows its reference; null where it has none. */
  readonly docs: Docs | null
  readonly logger: Logger
  /** Callers may make so many requests and no more. */
  readonly isRateLimited: boolean
  serving(phase: Serving): void | Promise<void>
  /** The types whose rows are deleted softly. */
  readonly softDeleted: readonly ResourceSchema[]
}

const supportedExtensions: Extensions = Object.freeze({
  ext: [atomicExtension],
  profile: [filterProfile, upsertProfile],
})

/** In: the application's classes. Out: the frozen server. Whatever is wrong with them is an Error here, at boot. */
export function compileServer(parts: ServerParts, environment: Environment): CompiledServer {
  const server = new parts.server(environment.services ?? unknownServices)
  const at = { name: server.name, file: parts.files?.get(parts.server) }
  return inServer(at, () => compile(server, parts, environment))
}

function compile(server: Server, parts: ServerParts, environment: Environment): CompiledServer {
  const { resources, policies, logger, services = unknownServices, sampleUsers } = environment
  const limits = limitsOf(server.name, server.limits)
  const schemas = new Map([...parts.schemas].map(([model, SchemaOfModel]) => [model, new SchemaOfModel(services)]))
  const fileOf = (model: string) => fileOfSchema(parts, model)
  const only = server.models ?? null
  const { maxPageSize } = limits
  const reserved = server.version === '1.1' ? ['operations'] : []
  const own: RegistryOptions = { resources, schemas, only, reserved, fileOf, maxPageSize, showsCan: server.showsCan }
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
  checkExamples(server, registry)
  logNotes(logger, server.name, notes)
  const deprecation = checkDeprecation(`${server.name}: deprecated`, server.deprecated)
  const basePath = basePathOf(server)
  return Object.freeze({
    name: server.name,
    file: parts.files?.get(parts.server),
    basePath,
    host: server.host?.toLowerCase() ?? null,
    baseUrl: environment.baseUrl.replace(/\/+$/, '') + basePath,
    version: server.version,
    supportedExtensions: server.version === '1.1' ? supportedExtensions : noExtensions,
    resources,
    schemas: registry,
    requests: parts.requests,
    services,
    policies,
    authorizers: byType(parts.authorizers, registry),
    authorizable: server.authorizable(),
    viewAnyByView: server.viewAnyByView,
    viewEverywhere: server.viewEverywhere,
    permissions: [...registry.byType.values()].some((schema) => schema.showsCan) ? permissions : null,
    ignoresUnknownParameters: server.ignoresUnknownParameters,
    readByRule,
    challenge: server.challenge ?? null,
    limits,
    etags: server.etags,
    features: new CompiledFeatures(environment.features, server, resources),
    openapi: server.openapi,
    deprecation,
    deprecates: deprecation !== null || [...registry.byType.values()].some(isDeprecating),
    reads: checkReads(server),
    cursorSeal: environment.cursorSeal,
    production: environment.production,
    browsable: server.browsable ?? !environment.production,
    pages: checkPages(server.pages, server.name, registry.byType),
    // A type that is called so keeps its URL.
    docs: registry.byType.has('docs') ? null : compileDocs(server.docs, parts.root),
    isRateLimited: environment.isRateLimited ?? false,
    logger,
    serving: (phase: Serving) => server.serving(phase),
    softDeleted: [...registry.byModel.values()].filter((schema) => schema.deletedAt !== null),
  })
}

const isDeprecating = ({ deprecation, attributes, relations, filters, sorts, actions }: ResourceSchema): boolean =>
  deprecation !== null ||
  [attributes, relations, filters, sorts, actions].some((parts) =>
    [...parts.values()].some((part) => part.deprecation !== null),
  )

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

/** @throws {Error} for another word, as JavaScript and variables may have it. */
function checkReads({ reads }: Server): Reads {
  if (reads === 'auto' || reads === 'prisma') return reads
  throw new Error(`reads is ${JSON.stringify(reads)}. Write 'auto', or 'prisma' for Prisma Client alone.`)
}
