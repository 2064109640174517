import { nothing, type Where } from '../model/where.ts'

/** The condition that the columns have one of the lists of values. */
export function keysWhere(columns: readonly string[], keys: readonly (readonly unknown[])[]): Where {
  const [column] = columns as [string]
  if (columns.length === 1) return { [column]: { in: keys.map(([value]) => value) } }
  if (keys.length === 0) return nothing(column)
  return { OR: keys.map((values) => Object.fromEntries(columns.map((name, i) => [name, values[i]]))) }
}

/** The values of a key as one string, to look rows up by. */
export const keyText = (values: readonly unknown[]): string =>
  values.length === 1 ? partText(values[0]) : JSON.stringify(values.map(partText))

const partText = (value: unknown): string => (value instanceof Date ? value.toISOString() : String(value))
