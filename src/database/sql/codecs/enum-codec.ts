import type { EnumMeta } from '../../../model/meta.ts'
import { NotInSql } from '../not-in-sql.ts'
import { type Codec, refuse } from './codec.ts'

/** Values of an enum have Prisma's names outside, and their own in the database. */
export function enumCodec(meta: EnumMeta | undefined): Codec {
  if (!meta) return { bind: refuse('an enum'), read: refuse('an enum') }
  const stored = new Map<unknown, string>(meta.values.map((name) => [name, meta.stored[name] ?? name]))
  const names = new Map<unknown, string>([...stored].map(([name, text]) => [text, name as string]))
  const find = (texts: ReadonlyMap<unknown, string>) => (value: unknown) => {
    const found = texts.get(value)
    if (found === undefined) throw new NotInSql(`a value that is no ${meta.name}`)
    return found
  }
  return { bind: find(stored), read: find(names), fitsJson: true }
}
