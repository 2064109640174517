import type { Row } from '../model/where.ts'

/** The values of a row as its database has them, by column: an instant may be a text of any spelling there, or a number. */
export type StoredRow = Row

const storedRows = new WeakMap<Row, StoredRow>()

/** Remembers of a row what it was made from. */
export function keepStored(row: Row, columns: readonly string[], values: readonly unknown[]): void {
  const stored: Record<string, unknown> = {}
  for (let i = 0; i < columns.length; i++) stored[columns[i] as string] = values[i]
  storedRows.set(row, stored)
}

/** What a row was made from; null where its reader does not tell, or was not asked to (`keepsStored` of its plan). */
export const storedOf = (row: Row): StoredRow | null => storedRows.get(row) ?? null
