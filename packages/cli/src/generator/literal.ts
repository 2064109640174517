/** A value as TypeScript source. Objects at a depth below `lines` take one line for each member, others one in all. */
export function literal(value: unknown, lines: number, indent = ''): string {
  if (Array.isArray(value)) return `[${value.map((item) => literal(item, 0)).join(', ')}]`
  if (typeof value !== 'object' || value === null) return typeof value === 'string' ? quoted(value) : String(value)
  const members = Object.entries(value)
  if (members.length === 0) return '{}'
  if (lines === 0) return `{ ${members.map(([name, item]) => `${key(name)}: ${literal(item, 0)}`).join(', ')} }`
  const deeper = `${indent}  `
  const body = members.map(([name, item]) => `${deeper}${key(name)}: ${literal(item, lines - 1, deeper)},\n`)
  return `{\n${body.join('')}${indent}}`
}

export const quoted = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`

/** A type: one of the texts. */
export const union = (texts: readonly string[]): string =>
  texts.length === 0 ? 'never' : texts.map(quoted).join(' | ')

// The name of a table, and so that of a constraint, may be any text.
const key = (name: string): string => (/^[A-Za-z_]\w*$/.test(name) ? name : quoted(name))
