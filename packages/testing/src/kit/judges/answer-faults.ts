import type { CompiledServer } from '@prismapi/core/server/compile'
import type { TestRequest } from '../../send.ts'
import type { TestedServer } from '../tested.ts'
import { documentFaults } from './document-faults.ts'
import { type Expected, isObject } from './judged.ts'
import { schemaFaults } from './schema-faults.ts'

/** What came back, as far as it is judged. */
interface Received {
  readonly status: number
  readonly headers: { get(name: string): string | null }
  readonly text: string
}

type Told = Pick<CompiledServer, 'basePath' | 'schemas' | 'version'> & Partial<Pick<TestedServer, 'mayLack'>>

/** What no client is to read: names of our parts and of those below us, stacks, files. */
export const internals =
  /\bPrisma(?:Client\w*)?\b|\bSQLITE_[A-Z]+|\bP20\d\d\b|node_modules|\n\s+at .+:\d+:\d+|\bSELECT .+ FROM /

/** The faults of any answer: a 5xx, a document that is none, or one that reveals too much. */
export function answerFaults(
  { version, basePath, schemas, mayLack }: Told,
  request: TestRequest,
  {
    status,
    headers,
    text,
    primary = primaryOf(request.path, text),
  }: Received & { readonly primary?: Expected['primary'] },
): readonly string[] {
  const { method, path, body } = request
  if (status >= 500) return [`the answer is ${status} ${text}`]
  if (status === 304) return text === '' ? [] : ['304: a body']
  if (status < 400 && /\/openapi\.json(?:\?|$)/.test(path)) return []
  const header = (name: string) => headers.get(name)
  const judged = { method, url: path, status, header, text, ...(body !== undefined && { sent: body }) }
  const isWhole = !/[?&]fields(\[|%5B)/i.test(path)
  return [
    ...documentFaults(judged, { version, primary }),
    ...(isOfTypes(headers, text) ? schemaFaults({ basePath, schemas, mayLack }, parsed(text), isWhole) : []),
    ...(status >= 400 && internals.test(text) ? [`the error tells of the inside: ${text}`] : []),
  ]
}

/** Linkage is told from resources by its URL: what it identifies may be included beside it. */
function primaryOf(path: string, text: string): Expected['primary'] {
  if (!/^[^?]*\/relationships\/[^/?]+(?:\?|$)/.test(path)) return null
  const document = parsed(text)
  return isObject(document) && Array.isArray(document.data) ? 'identifiers' : 'identifier'
}

/** Is it a document of resources: not the results of operations, and not nothing. */
const isOfTypes = (headers: Received['headers'], text: string): boolean =>
  text !== '' && !/\bext="/.test(headers.get('content-type') ?? '')

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
