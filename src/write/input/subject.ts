import type { RelatedRows } from '../../read/related-rows.ts'
import type { ResourceSchema } from '../../schema/resource-schema.ts'
import type { WriteContext } from '../write-context.ts'

/** What every step of a write knows: whose request it is, the type that is written, and the rows that the document names. */
export interface Subject {
  readonly ctx: WriteContext
  readonly schema: ResourceSchema
  readonly related: RelatedRows
}
