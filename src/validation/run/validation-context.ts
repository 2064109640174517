import type { Scopes } from '../../condition/scopes.ts'
import type { Reader } from '../../database/reader.ts'
import type { Resources } from '../../model/meta.ts'
import type { Hooks } from '../../read/hooks.ts'
import type { Tracing } from '../../request/tracing.ts'
import type { SchemaRegistry } from '../../schema/resource-schema.ts'

/** What validation needs to know of a request. */
export interface ValidationContext {
  readonly server: { readonly schemas: SchemaRegistry; readonly resources: Pick<Resources, 'provider' | 'models'> }
  /** Null for a guest. */
  readonly user: unknown
  readonly served: { readonly scopes: Scopes; readonly hooks: Hooks }
  readonly store: { readonly reader: Reader }
  readonly observer: Tracing | null
}
