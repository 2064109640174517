import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { missingId } from '../tested.ts'
import type { Interview, Question } from './interview.ts'

const type = 'application/vnd.api+json'

/** Documents that cannot be meant: each is refused, and nothing could be written of it if it were not. */
export async function askRefusals(own: Interview, schema: ResourceSchema): Promise<void> {
  const path = `/${schema.type}`
  const refuse = (question: Question) => own.ask({ ...question, status: [...question.status, ...own.denials] })
  if (schema.operations.has('create')) {
    const post = { method: 'POST', path }
    const body = JSON.stringify({ data: { type: 'no-such-type' } })
    await refuse({ ...post, body, status: [409] })
    for (const bad of ['{', '[]', '{"data":null}', '{"data":[]}', '{"data":{"type":7}}', '{}'])
      await refuse({ ...post, body: bad, status: [400] })
    for (const wrong of ['application/json', `${type};charset=utf-8`, `${type};ext="https://example.com/unknown"`])
      await refuse({ ...post, body, headers: { 'Content-Type': wrong }, status: [415] })
    await refuse({ ...post, body, headers: { Accept: 'text/plain' }, status: [406] })
  }
  const id = missingId(schema)
  const missing = `${path}/${encodeURIComponent(id)}`
  const body = JSON.stringify({ data: { type: schema.type, id } })
  if (schema.operations.has('update')) await refuse({ method: 'PATCH', path: missing, body, status: [404] })
  if (schema.operations.has('delete')) await refuse({ method: 'DELETE', path: missing, status: [404] })
}
