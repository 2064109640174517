import type { Provider } from '../../model/meta.ts'

// https://www.postgresql.org/docs/current/datatype-character.html: text cannot hold the character with code zero.
const refusesNull: ReadonlySet<Provider> = new Set(['postgresql', 'cockroachdb'])

/**
 * Where in the value text stands that the database would refuse or change: lone surrogates, and U+0000 where text
 * cannot hold it. Null when there is none. Names of members count as well.
 */
export function findUnstorable(value: unknown, provider: Provider): readonly string[] | null {
  if (typeof value === 'string') return isStorable(value, provider) ? null : []
  if (typeof value !== 'object' || value === null) return null
  for (const [name, member] of Object.entries(value)) {
    if (!isStorable(name, provider)) return []
    const found = findUnstorable(member, provider)
    if (found) return [name, ...found]
  }
  return null
}

const isStorable = (text: string, provider: Provider): boolean =>
  text.isWellFormed() && !(refusesNull.has(provider) && text.includes('\0'))
