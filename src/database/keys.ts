/** The values of a key as one string, to look rows up by. */
export const keyText = (values: readonly unknown[]): string =>
  values.length === 1 ? valueText(values[0]) : JSON.stringify(values.map(valueText))

/** The same for a key of one value. */
export const valueText = (value: unknown): string => (value instanceof Date ? value.toISOString() : String(value))
