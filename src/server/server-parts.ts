import type { AuthorizerClass } from '../auth/authorizer.ts'
import type { AnyPolicy } from '../auth/policy.ts'
import type { Resources } from '../model/meta.ts'
import type { Services } from '../model/register.ts'
import type { CursorSeal } from '../pagination/cursor-seal.ts'
import type { SchemaClass } from '../schema/schema.ts'
import type { ClassFiles, SampleUsers } from '../validation/request/check-request-classes.ts'
import type { RequestClasses } from '../validation/request/request-classes.ts'
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
  /** Request and query classes by model, the server's own before those of all servers. */
  readonly requests: ReadonlyMap<string, RequestClasses>
  /** Where these classes lie, for messages about them. */
  readonly files?: ClassFiles
  /** The application's folder, where its packages are looked for; by default the one that the process was started in. */
  readonly root?: string
}

/** What all servers of a process have in common. */
export interface Environment {
  readonly resources: Resources
  /** What the application handed in for its own code; left out where a tool reads its classes. */
  readonly services?: Services
  /** A user of each role, for whom classes are checked at boot. */
  readonly sampleUsers?: SampleUsers | undefined
  readonly policies: ReadonlyMap<string, AnyPolicy>
  /** The public origin, `https://api.example.org`. */
  readonly baseUrl: string
  readonly production: boolean
  readonly logger: Logger
  readonly cursorSeal: CursorSeal
  /** What its servers have beside what all have. */
  readonly features: readonly ServerFeature[]
  /** Left out, callers may make any number of requests. */
  readonly isRateLimited?: boolean
}
