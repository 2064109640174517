import type { Row } from '@prismapi/jsonapi/model/where'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'

/**
 * The key columns of a row, from its key as the log writes it. Null for types whose ids are spelt differently from the
 * log's texts, and where the whole table was emptied.
 */
export function rowOfLoggedKey({ id, model }: ResourceSchema, key: string): Row | null {
  if (key === '') return null
  const parts: unknown = id.columns.length === 1 ? [key] : parsed(key)
  if (!Array.isArray(parts) || parts.length !== id.columns.length) return null
  const isPlain = id.columns.every((column) => plainKeys.has(model.columns[column]?.type ?? ''))
  if (!isPlain) return null
  return Object.fromEntries(
    id.columns.map((column, i) => [column, columnValue(model.columns[column]?.type, String(parts[i]))]),
  )
}

const plainKeys: ReadonlySet<string> = new Set(['Int', 'BigInt', 'String'])

function columnValue(type: string | undefined, text: string): unknown {
  if (type === 'Int') return Number(text)
  return type === 'BigInt' ? BigInt(text) : text
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The key of another table than the triggers were made for: the reader looks at all rows.
    return null
  }
}
