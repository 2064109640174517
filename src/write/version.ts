import { delegateOf } from '../database/prisma/delegates.ts'
import type { Transaction } from '../database/store.ts'
import type { Row, Where } from '../model/where.ts'
import type { ResourceSchema, Version } from '../schema/resource-schema.ts'

/** Which state of its resource a row is, as text; null for a type without versions. */
export function versionOf({ version }: ResourceSchema, row: Row): string | null {
  if (!version) return null
  const value = row[version.column]
  return value instanceof Date ? value.toISOString() : String(value)
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

/** The next version of all rows that meet the condition. */
export async function nextVersions(
  { client }: Pick<Transaction, 'client'>,
  { version, model }: ResourceSchema,
  where: Where,
): Promise<Row> {
  if (!version) return {}
  const { column } = version
  if (version.kind === 'counter') return { [column]: { increment: 1 } }
  const last = await lastOf(delegateOf(client, model.name), version, where)
  return { [column]: after(last?.[column]) }
}

const lastOf = (delegate: ReturnType<typeof delegateOf>, { column }: Version, where: Where) =>
  delegate.findFirst({ where, orderBy: { [column]: 'desc' }, select: { [column]: true } })

// Two changes may fall into one millisecond, and clocks may be put back.
function after(before: unknown, wanted?: unknown): Date {
  const instant = wanted instanceof Date ? wanted : new Date()
  if (!(before instanceof Date) || instant > before) return instant
  return new Date(before.getTime() + 1)
}
