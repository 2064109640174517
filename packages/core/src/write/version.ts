import { columnOf, compare, everything } from '@prismapi/jsonapi/condition/build'
import type { Condition } from '@prismapi/jsonapi/condition/condition'
import type { Row } from '@prismapi/jsonapi/model/where'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import type { RowsChange } from '../database/store.ts'
import type { ReadContext } from '../read/read-context.ts'
import type { RequestTransaction } from '../read/rows.ts'

/** Which state of its resource a row is, as text; null for a type without versions. */
export function versionOf({ version }: ResourceSchema, row: Row): string | null {
  if (!version) return null
  const value = row[version.column]
  return value instanceof Date ? value.toISOString() : String(value)
}

/**
 * The version of a row for its entity tag. Null where a rule hides the version's column from the caller, unless clients
 * have to name the version.
 */
export function toldVersion({ seen }: Pick<ReadContext, 'seen'>, schema: ResourceSchema, row: Row): string | null {
  const { version, requiresIfMatch, model } = schema
  const isHidden = version !== null && seen(model.name)?.stored.has(version.column)
  return isHidden && !requiresIfMatch ? null : versionOf(schema, row)
}

/** The columns, and the one of the version. */
export const withVersion = ({ version }: ResourceSchema, columns: readonly string[]): readonly string[] =>
  version && !columns.includes(version.column) ? [...columns, version.column] : columns

/** What a new row counts from, where its database does not say. */
export function firstVersion({ version, model }: ResourceSchema): Row {
  if (version?.kind !== 'counter' || model.columns[version.column]?.default !== null) return {}
  return { [version.column]: 1 }
}

/** What is set of a row that was read, with the version that it has from then on: never one that it had before. */
export function nextVersion({ version }: ResourceSchema, row: Row, data: Row = {}): Row {
  if (!version) return data
  const { column } = version
  if (version.kind === 'counter') return { ...data, [column]: Number(row[column]) + 1 }
  return { ...data, [column]: after(row[column], data[column]) }
}

interface UnreadVersion {
  readonly data: Row
  /** The column that counts one more; left out, none. */
  readonly increment?: string
  /** The rows that this is a new version of. */
  readonly where: Condition
}

/** The same of a row that was not read; null where the version that it had decides the next one. */
export function nextVersionUnread({ version, model }: ResourceSchema, data: Row): UnreadVersion | null {
  if (!version) return { data, where: everything }
  const { column } = version
  if (column in data) return null
  if (version.kind === 'counter') return { data, increment: column, where: everything }
  const now = new Date()
  return { data: { ...data, [column]: now }, where: compare(columnOf(model, column), 'lt', now) }
}

/** The next version of all rows that meet the condition: columns to set, or the one that counts. */
export async function nextVersions(
  { rows }: Pick<RequestTransaction, 'rows'>,
  { version, model }: ResourceSchema,
  where: Condition,
): Promise<Pick<RowsChange, 'increment'> & { readonly data?: Row }> {
  if (!version) return {}
  const { column } = version
  if (version.kind === 'counter') return { increment: column }
  const order = [{ path: [column], direction: 'desc' as const }]
  const level = { model: model.name, columns: [column], where, order }
  const [last] = await rows.unscoped.read({ kind: 'rows', ...level, skip: 0, take: 1 })
  return { data: { [column]: after(last?.[column]) } }
}

// Two changes may fall into one millisecond, and clocks may be put back.
function after(before: unknown, wanted?: unknown): Date {
  const instant = wanted instanceof Date ? wanted : new Date()
  if (!(before instanceof Date) || instant > before) return instant
  return new Date(before.getTime() + 1)
}
