import type { Row } from '../model/where.ts'

/** The values of a key as one string, to look rows up by. */
export const keyText = (values: readonly unknown[]): string =>
  values.length === 1 ? partText(values[0]) : JSON.stringify(values.map(partText))

/** The same of the values that a row has in these columns. */
export const rowKey = (row: Row, columns: readonly string[]): string => keyText(columns.map((column) => row[column]))

const partText = (value: unknown): string => (value instanceof Date ? value.toISOString() : String(value))
