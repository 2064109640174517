import type { ModelMeta } from '../model/meta.ts'

/** What is wrong where a model of the framework's own lacks columns of these types, which a page of `docs/` shows; null where it has all. */
export function lackingColumns(
  { name, columns }: ModelMeta,
  wanted: Readonly<Record<string, string>>,
  page: string,
): string | null {
  const lacking = Object.entries(wanted).filter(([column, type]) => columns[column]?.type !== type)
  if (lacking.length === 0) return null
  return `${name} lacks ${lacking.map((each) => each.join(' ')).join(', ')}. Add what docs/${page} shows.`
}
