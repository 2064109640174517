/** The values of a key as one string, to look rows up by. */
export const keyText = (values: readonly unknown[]): string =>
  values.length === 1 ? partText(values[0]) : JSON.stringify(values.map(partText))

const partText = (value: unknown): string => (value instanceof Date ? value.toISOString() : String(value))
