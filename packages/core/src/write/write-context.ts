import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import type { RelatedRows } from '../read/find.ts'
import type { ReadContext } from '../read/read-context.ts'
import type { RequestStore } from '../read/rows.ts'

/** What rows are written with, inside or outside of a transaction. */
export interface WriteContext extends ReadContext {
  readonly server: ReadContext['server'] & { readonly production: boolean }
  readonly store: Pick<RequestStore, 'single' | 'isWithin' | 'committed' | 'outside'>
}

/** What every step of a write knows: its request, the type that is written, and the rows that the document names. */
export interface Subject {
  readonly ctx: WriteContext
  readonly schema: ResourceSchema
  readonly related: RelatedRows
}
