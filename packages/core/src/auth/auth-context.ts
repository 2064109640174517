import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import type { ReadContext, ReadServed, ReadServer } from '../read/read-context.ts'
import type { DescribedRequest } from '../validation/request/describe-rules.ts'
import type { RequestClasses } from '../validation/request/resource-query.ts'
import type { AbilityOf } from './ability.ts'
import type { AuthorizerClass } from './authorizer.ts'
import type { AnyPolicy } from './policy.ts'

/** What an operation is authorized with. */
export interface AuthContext extends ReadContext {
  readonly server: AuthServer
  readonly served: AuthServed
  /** The parsed body; undefined where the client sent none. */
  readonly body: unknown
  /** This request's CASL ability for a model: built at the first call, kept for the request. */
  readonly abilityOf: AbilityOf
}

export interface AuthServer extends ReadServer {
  /** The application's request and query classes, by model. */
  readonly requests: ReadonlyMap<string, RequestClasses>
  readonly baseUrl: string
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
  /** The types whose rows are deleted softly. */
  readonly softDeleted: readonly ResourceSchema[]
  /** The `WWW-Authenticate` value for guests that are denied; null: they get 403 as users do. */
  readonly challenge: string | null
  /** Errors say nothing about the inside. */
  readonly production: boolean
  readonly logger: DescribedRequest['server']['logger']
}

export interface AuthServed extends ReadServed {
  /** Authorizers registered together with a list of models, by type. */
  readonly authorizers: ReadonlyMap<string, AuthorizerClass>
  readonly defaultAuthorizer: AuthorizerClass | null
  /** The request is a job's: nobody is asked for permission, the request class neither. */
  readonly asksNobody: boolean
}
