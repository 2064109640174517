import { mediaType } from './api.ts'
import type { RawAnswer } from './keep-alive.ts'

// What is wrong with an answer. For tests with so many answers that `expect` would take most of their time.

/** Null for an answer in good form: a document of what was asked for, nothing at all, or an error document. */
export function faultOf({ status, type, text }: RawAnswer, body: string): string | null {
  if (status === 204) return type === null && text === '' ? null : 'a 204 with a body'
  if (type !== mediaType) return `the media type ${type}`
  const { jsonapi, links, errors, ...rest } = JSON.parse(text)
  if (jsonapi?.version !== '1.0') return 'no version'
  if (status === 200 || status === 201) return typeof links?.self === 'string' && !errors ? null : 'no document of data'
  if (status < 400 || status > 499) return `the status ${status}`
  if (links || Object.keys(rest).length > 0 || !Array.isArray(errors)) return 'no error document'
  const statuses = [...new Set(errors.map((error) => error.status))]
  if (String(status) !== (statuses.length > 1 ? '400' : statuses[0])) return 'a status that is not that of its errors'
  return errors.map((error) => errorFault(error, body)).find((fault) => fault !== null) ?? null
}

const isText = (value: unknown): boolean => typeof value === 'string' && /\S/.test(value)
const optional = new Set(['detail', 'code', 'source', 'meta'])

function errorFault({ status, title, ...rest }: Readonly<Record<string, unknown>>, body: string): string | null {
  const { detail = 'none', code = 'none', source = { pointer: '' }, meta = { field: 'none' } } = rest
  if (typeof status !== 'string' || !/^4\d\d$/.test(status)) return 'an error without its status'
  if (![title, detail, code, (meta as { field?: unknown }).field].every(isText)) return 'an error without its text'
  if (Object.keys(rest).some((name) => !optional.has(name))) return 'an error that says too much'
  const { pointer, ...others } = source as { pointer?: unknown }
  if (typeof pointer !== 'string' || Object.keys(others).length > 0) return 'an error without its place'
  return rest.source === undefined || leadsSomewhere(JSON.parse(body), pointer) ? null : `a dead pointer ${pointer}`
}

/** RFC 6901: does the pointer name a value of the document. */
function leadsSomewhere(document: unknown, pointer: string): boolean {
  let value = document
  for (const token of pointer.split('/').slice(1)) {
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return false
    value = (value as Record<string, unknown>)[name]
  }
  return true
}
