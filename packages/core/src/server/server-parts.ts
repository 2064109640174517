import type { Resources } from '@prismapi/jsonapi/model/meta'
import type { Services } from '@prismapi/jsonapi/model/register'
import type { CursorSeal } from '@prismapi/jsonapi/pagination/cursor-seal'
import type { SchemaClass } from '@prismapi/jsonapi/schema/schema'
import type { AuthorizerClass } from '../auth/authorizer.ts'
import type { AnyPolicy, PolicyClass } from '../auth/policy.ts'
import type { ClassFiles, SampleUsers } from '../validation/request/check-request-classes.ts'
import type { RequestClasses } from '../validation/request/resource-query.ts'
import type { Logger } from './logger.ts'
import type { ServerClass } from './server.ts'
import type { ServerFeature } from './server-feature.ts'

/** A server class with the files of the application that belong to it. */
export interface ServerParts {
  /** The server class: the default export of its `server.ts`. */
  readonly server: ServerClass
  /** Schema classes by model. */
  readonly schemas: ReadonlyMap<string, SchemaClass>
  /** Authorizer classes that lie beside a schema, by model. */
  readonly authorizers: ReadonlyMap<string, AuthorizerClass>
  /** Policy classes by model that replace those of all servers. */
  readonly policies?: ReadonlyMap<string, PolicyClass>
  /** Request and query classes by model, the server's own before those of all servers. */
  readonly requests: ReadonlyMap<string, RequestClasses>
  /** Where these classes lie, for messages about them. */
  readonly files?: ClassFiles
  /** The application's folder, where its packages are looked for; by default the folder of the process. */
  readonly root?: string
}

/** What all servers of a process have in common. */
export interface Environment {
  readonly resources: Resources
  /** What the application handed in for its own code; left out where a tool reads its classes. */
  readonly services?: Services
  /** A user of each role, for whom classes are checked at boot. */
  readonly sampleUsers?: SampleUsers | undefined
  /** Of each model whose policy a server does not replace. */
  readonly policies: ReadonlyMap<string, AnyPolicy>
  /** The public origin, `https://api.example.org`. */
  readonly baseUrl: string
  readonly production: boolean
  readonly logger: Logger
  readonly cursorSeal: CursorSeal
  /** What its servers have beside what all have. */
  readonly features: readonly ServerFeature[]
}
