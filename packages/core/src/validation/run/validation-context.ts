import type { FieldsOf } from '@prismapi/jsonapi/condition/scopes'
import type { Resources } from '@prismapi/jsonapi/model/meta'
import type { Tracing } from '@prismapi/jsonapi/request/observer'
import type { SchemaRegistry } from '@prismapi/jsonapi/schema/resource-schema'
import type { Store } from '../../database/store.ts'
import type { Hooks } from '../../read/hooks.ts'
import type { Rows } from '../../read/rows.ts'

/** What validation needs to know of a request. */
export interface ValidationContext {
  readonly server: { readonly schemas: SchemaRegistry; readonly resources: Pick<Resources, 'provider' | 'models'> }
  /** Null for a guest. */
  readonly user: unknown
  readonly served: { readonly hooks: Hooks }
  /** Which fields of each model the caller sees, of which rows. */
  readonly seen: FieldsOf
  readonly rows: Rows
  readonly store: Pick<Store, 'single'>
  readonly observer: Tracing | null
}
