import type { Part as Json } from '../../openapi/described.ts'

const start = '#/components/schemas/-'

/** A document where each schema stands where a large document refers to one that several places share. */
export function inlined(document: Json): Json {
  const { schemas = {} } = (document.components ?? {}) as Readonly<Record<string, Readonly<Record<string, Json>>>>
  const inline = (part: unknown): unknown => {
    if (typeof part !== 'object' || part === null) return part
    if (Array.isArray(part)) return part.map(inline)
    const { $ref, ...said } = part as Json
    const isShared = typeof $ref === 'string' && $ref.startsWith(start)
    const whole = isShared ? { ...schemas[$ref.slice(start.length - 1)], ...said } : part
    return Object.fromEntries(Object.entries(whole).map(([name, value]) => [name, inline(value)]))
  }
  return inline(document) as Json
}
