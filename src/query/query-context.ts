import type { ISchema } from 'yup'
import type { FieldsOf } from '../condition/field-access.ts'
import type { Scopes } from '../condition/scopes.ts'
import type { Resources } from '../model/meta.ts'
import type { HookContext } from '../request/hook-request.ts'
import type { Limits } from '../request/limits.ts'
import type { Observer } from '../request/observer.ts'
import type { SchemaRegistry } from '../schema/resource-schema.ts'

/** What the meaning of a query depends on. */
export interface QueryContext extends HookContext {
  readonly server: QueryServer
  readonly limits: Limits
  readonly served: QueryServed
  /** Which fields of each model the caller sees, of which rows. */
  readonly seen: FieldsOf
  /** Null where nothing observes the request. */
  readonly observer: Observer | null
}

export interface QueryServer {
  readonly resources: Resources
  readonly schemas: SchemaRegistry
  /** `prisma`: no prepared statements of the framework's own. */
  readonly reads: 'auto' | 'prisma'
  /** Unknown query parameters are left out instead of refused. */
  readonly ignoresUnknownParameters: boolean
  readonly readByRule: ReadByRule
}

/**
 * What the text of a parameter is to a rule of the application. `name` is what messages call it.
 * @throws {JsonApiError} 400, `source.parameter` the key, where the rule refuses it.
 */
export type ReadByRule = (
  rule: ISchema<unknown>,
  sent: { readonly name: string; readonly key: string; readonly text: string },
  user: unknown,
) => unknown

export interface QueryServed {
  readonly scopes: Scopes
  /** The models whose deleted rows the user may see. */
  readonly trash: ReadonlySet<string>
}
