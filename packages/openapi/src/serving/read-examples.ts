import { executeOperation } from '@prismapi/core/actions/actions'
import type { ServerContext } from '@prismapi/core/server/serving'
import { JsonApiError } from '@prismapi/jsonapi/document/error'
import { documentText } from '@prismapi/jsonapi/document/rendered'
import { requestedAt, withParts } from '@prismapi/jsonapi/request/hook-context'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import type { Audience } from '../caller.ts'
import { openApiOptionsOf } from '../compile-openapi.ts'
import type { Example } from '../examples.ts'

/** The rows that the application names as examples, as this caller sees them, without those that it may not see. */
export async function readExamples(ctx: ServerContext, { has }: Audience): Promise<ReadonlyMap<string, Example>> {
  const { schemas } = ctx.server
  const found = new Map<string, Example>()
  for (const [type, id] of Object.entries(openApiOptionsOf(ctx.server).examples ?? {})) {
    const schema = schemas.byType.get(type)
    const example = schema && has(`${type}.view`) ? await readExample(ctx, schema, id) : null
    if (example) found.set(type, example)
  }
  return found
}

async function readExample(ctx: ServerContext, schema: ResourceSchema, id: string): Promise<Example | null> {
  const url = new URL(`${ctx.server.baseUrl}/${schema.type}/${encodeURIComponent(id)}`)
  try {
    // What is asked of the description is no question about the resource.
    const asked = withParts(ctx, { at: requestedAt(url) })
    const { document } = await executeOperation(asked, { kind: 'view', schema, id })
    return document && exampleIn(JSON.parse(documentText(document)))
  } catch (error) {
    // Absent, hidden, or not theirs.
    if (error instanceof JsonApiError && error.status < 500) return null
    throw error
  }
}

const exampleIn = ({ data: { type, id, attributes = {} } }: { readonly data: Example }): Example => ({
  type,
  id,
  attributes,
})
