import { foldText } from '@prismapi/jsonapi/condition/memory'
import { nameOfLacked } from '@prismapi/jsonapi/model/prisma-values'
import type { Row } from '@prismapi/jsonapi/model/where'

/** The values of a key as one string, to look rows up by. */
export const keyText = (values: readonly unknown[]): string =>
  values.length === 1 ? partText(values[0]) : JSON.stringify(values.map(partText))

/** The same of the values that a row has in these columns. */
export const rowKey = (row: Row, columns: readonly string[]): string => keyText(columns.map((column) => row[column]))

const partText = (value: unknown): string =>
  value instanceof Date ? (nameOfLacked(value) ?? value.toJSON() ?? '') : String(value)

// Keys that differ in JavaScript may be one for the database: by `citext`, or by the collation of a column. Only the
// database knows. It is asked where it has answered with a key that it was not asked for, and where two keys are alike.

/** The values of a key as one string, which keys that are alike have in common. */
export const foldedText = (values: readonly unknown[]): string =>
  keyText(values.map((value) => (typeof value === 'string' ? foldText(value) : value)))

/** Of keys that were asked for, those that may be other spellings of what was found, and have to be asked for alone. */
export function keysToAskAgain(
  asked: Iterable<string>,
  found: { has(key: string): boolean; keys(): Iterable<string> },
) {
  const all = new Set(asked)
  const lacking = [...all].filter((key) => !found.has(key))
  if (lacking.length === 0) return lacking
  const alike = new Set([...found.keys()].map(foldText))
  const unexplained = new Set([...found.keys()].filter((key) => !all.has(key)).map(foldText))
  for (const key of lacking) unexplained.delete(foldText(key))
  return unexplained.size > 0 ? lacking : lacking.filter((key) => alike.has(foldText(key)))
}
