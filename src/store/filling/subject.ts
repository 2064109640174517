import type { RequestContext } from '../../request/context.ts'
import type { ResourceSchema } from '../../schema/resource-schema.ts'
import type { RelatedRows } from './related-rows.ts'

/** What every step of a write knows: whose request it is, the type that is written, and the rows that the document names. */
export interface Subject {
  readonly ctx: RequestContext
  readonly schema: ResourceSchema
  readonly related: RelatedRows
}
