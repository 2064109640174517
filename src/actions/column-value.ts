import type { Attribute, ResourceSchema } from '../schema/resource-schema.ts'
import { columnValues } from '../validation/run/column-values.ts'
import type { RequestContext } from './context.ts'

/** The value that an attribute's column would get from a document's, which no rule has looked at yet; undefined for none. */
export function columnValue(ctx: RequestContext, schema: ResourceSchema, { name }: Attribute, value: unknown): unknown {
  const { provider } = ctx.server.resources
  try {
    return columnValues(schema, new Map([[name, value]]), { provider, failed: new Set() }).attributes.get(name)
  } catch {
    // A conversion of the application's own relies on its rules, and they will say what is wrong with the value.
    return undefined
  }
}
