import type { KeptAnswer } from '@prismapi/core/server/incoming-request'
import { JsonApiError } from '@prismapi/jsonapi/document/error'
import { type ErrorObject, isObject, type Members, type Meta } from '@prismapi/jsonapi/document/types'
import type { Shown, ShownRow } from './shown-rows.ts'

interface KeptRows {
  readonly rows: Shown | undefined
  readonly meta: Meta
}

/**
 * The rows of a document that was kept as text: an answer to a call with a key.
 *
 * @param paths by which rows were included
 * @throws {JsonApiError} where what was kept is a failure.
 */
export function rowsInDocument({ status, body }: KeptAnswer, paths: readonly string[]): KeptRows {
  const document: unknown = body === null ? {} : JSON.parse(body)
  const { data, included, meta, errors } = document as Members
  if (errors !== undefined) throw new JsonApiError(status, errors as readonly ErrorObject[])
  const found = new Map(listOf(included).map((each) => [keyOf(each), each]))
  const row = (each: unknown) => rowOf(each as Members, found, paths)
  const rows = data === undefined || data === null ? data : Array.isArray(data) ? data.map(row) : row(data)
  return { rows, meta: isObject(meta) ? meta : {} }
}

const listOf = (member: unknown): readonly Members[] =>
  (Array.isArray(member) ? member : []).filter((each) => isObject(each))

const keyOf = ({ type, id }: Members): string => `${String(type)} ${String(id)}`

function rowOf(resource: Members, included: ReadonlyMap<string, Members>, paths: readonly string[]): ShownRow {
  const { type, id, attributes, relationships } = resource
  const row: Record<string, unknown> = { type, id, ...(isObject(attributes) ? attributes : {}) }
  for (const [name, relationship] of Object.entries(isObject(relationships) ? relationships : {})) {
    const data = isObject(relationship) ? relationship.data : undefined
    if (data === undefined) continue
    const behind = paths.flatMap((path) => (path.startsWith(`${name}.`) ? [path.slice(name.length + 1)] : []))
    const isIncluded = behind.length > 0 || paths.includes(name)
    const target = (identifier: Members) => {
      const found = isIncluded ? included.get(keyOf(identifier)) : undefined
      return found ? rowOf(found, included, behind) : identifier
    }
    row[name] = Array.isArray(data) ? data.map(target) : data === null ? null : target(data as Members)
  }
  return row as unknown as ShownRow
}
