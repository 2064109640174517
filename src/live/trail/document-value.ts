import type { Resources } from '../../model/meta.ts'
import type { Attribute } from '../../schema/resource-schema.ts'

/** A value of the log as documents have it. */
export function documentValue(
  { kind, column }: Attribute,
  value: unknown,
  { enums }: Pick<Resources, 'enums'>,
): unknown {
  if (Array.isArray(value) && kind !== 'json')
    return value.map((each) => documentValue({ kind, column } as Attribute, each, { enums }))
  if (typeof value !== 'string') return value
  if (kind === 'datetime') return instantOf(value)
  if (kind === 'date') return value.slice(0, 10)
  if (kind === 'time') return /\d\d:\d\d:\d\d(?:\.\d+)?/.exec(value)?.[0].replace(/\.0+$/, '') ?? value
  if (kind === 'bytes') return Buffer.from(value, 'hex').toString('base64')
  if (kind !== 'enum') return value
  const { stored = {} } = enums[column?.type ?? ''] ?? {}
  return Object.keys(stored).find((name) => stored[name] === value) ?? value
}

/** Columns without a zone hold UTC. */
function instantOf(text: string): string {
  const instant = new Date(/(?:Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z`)
  return Number.isNaN(instant.getTime()) ? text : instant.toISOString()
}
