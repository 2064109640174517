import type { FieldsOf } from '../../condition/field-access.ts'
import type { Scopes } from '../../condition/scopes.ts'
import type { Store } from '../../database/store.ts'
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
  /** Which fields of each model the caller sees, of which rows. */
  readonly seen: FieldsOf
  readonly store: Pick<Store, 'reader' | 'single'>
  readonly observer: Tracing | null
}
