import { executeOperation } from '../../actions/actions.ts'
import { JsonApiError } from '../../document/error.ts'
import { documentText } from '../../document/rendered.ts'
import type { ResourceSchema } from '../../schema/resource-schema.ts'
import type { ServerContext } from '../../server/server-context.ts'
import type { Audience } from '../audience.ts'
import type { Example } from '../examples.ts'

/** The rows that the application names as examples: each as this caller would be shown it, and none that they would not. */
export async function readExamples(ctx: ServerContext, { has }: Audience): Promise<ReadonlyMap<string, Example>> {
  const { openapi, schemas } = ctx.server
  const found = new Map<string, Example>()
  for (const [type, id] of Object.entries(openapi.examples ?? {})) {
    const schema = schemas.byType.get(type)
    const example = schema && has(`${type}.view`) ? await readExample(ctx, schema, id) : null
    if (example) found.set(type, example)
  }
  return found
}

async function readExample(ctx: ServerContext, schema: ResourceSchema, id: string): Promise<Example | null> {
  try {
    const { document } = await executeOperation(ctx, { kind: 'view', schema, id })
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
