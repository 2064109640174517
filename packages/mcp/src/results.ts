import type { CallToolResult } from '@modelcontextprotocol/server'
import { JsonApiError } from '@prismapi/jsonapi/document/error'
import type { Answered } from './inner-request.ts'

/** A result with its structured content, and a copy of it as JSON. */
export const resultOf = (structured: object, isError = false): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(structured) }],
  structuredContent: structured as Record<string, unknown>,
  ...(isError && { isError }),
})

const refusedBy = (error: JsonApiError): CallToolResult => resultOf({ errors: error.errors }, true)

/** A document that HTTP would answer with. */
export function documentOf({ text }: Answered): Readonly<Record<string, unknown>> {
  return text === '' ? {} : unfolded(JSON.parse(text))
}

/** The results of several operations become a list. */
function unfolded({ 'atomic:results': results, ...document }: Record<string, unknown>): Record<string, unknown> {
  if (!Array.isArray(results)) return document
  return { ...document, data: results.flatMap((each) => each.data ?? []) }
}

/** The result of a request, which says in `meta` where nothing of it stays. */
export function answered(response: Answered, isUndone: boolean): CallToolResult {
  const document = documentOf(response)
  if (response.status >= 400) return resultOf('errors' in document ? document : { errors: [failed(response)] }, true)
  const meta = { ...(document.meta as object | undefined), ...(isUndone && { dryRun: true }) }
  return resultOf({ ...document, ...(Object.keys(meta).length > 0 && { meta }) })
}

const failed = ({ status }: Answered) => ({ status: String(status), title: 'The request failed.' })

/** Errors of code are thrown on. */
export async function refusals(work: () => Promise<CallToolResult>): Promise<CallToolResult> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof JsonApiError) return refusedBy(error)
    throw error
  }
}
