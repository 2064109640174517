/** A value as JSON, as the server writes rows: dates in ISO 8601, bigints and decimals as text, bytes in base64. */
export const toText = (value: unknown): string => JSON.stringify(value, writable)

function writable(_name: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
