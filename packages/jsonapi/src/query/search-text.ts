import { isEverything, nothing } from '../condition/build.ts'
import type { Compare, Condition } from '../condition/condition.ts'
import { badParameter } from '../document/errors.ts'
import { say } from '../document/text.ts'
import type { ColumnMeta, ModelMeta, SearchMeta } from '../model/meta.ts'
import { searchName } from '../schema/search.ts'
import { type CheckContext, storedSeenOf } from './query-context.ts'

/** A word or a phrase of a search. */
export interface SearchTerm {
  readonly text: string
  /** The rows that are found do not have it. */
  readonly isDenied: boolean
}

/** What is looked for: the terms of one group at least. */
export type SearchGroups = readonly (readonly SearchTerm[])[]

/** Reads a search as people write one: words, `"a phrase"`, `-without`, `this or that`. Other signs mean nothing. */
export function parseSearch(text: string): SearchGroups {
  const groups: SearchTerm[][] = [[]]
  for (const [, sign, phrase, word] of text.matchAll(/(-?)(?:"([^"]*)"?|([^\s"]+))/g)) {
    const found = phrase ?? word ?? ''
    if (phrase === undefined && sign === '' && found.toLowerCase() === 'or') groups.push([])
    else if (hasWord.test(found)) groups.at(-1)?.push({ text: found, isDenied: sign === '-' })
  }
  return groups.filter((terms) => terms.length > 0)
}

const hasWord = /[\p{L}\p{N}]/u

/** The same as a text that every database reads in the same way. */
const searchText = (groups: SearchGroups): string =>
  groups.map((terms) => terms.map(({ text, isDenied }) => `${isDenied ? '-' : ''}"${text}"`).join(' ')).join(' or ')

/**
 * The condition of a search. A field that the caller does not see in every row is not searched at all: neither what is
 * found nor its order depends on it.
 *
 * @throws {JsonApiError} 400 where there is no word to look for.
 */
export function searchCondition(
  { key, text }: { readonly key: string; readonly text: string },
  { model, search }: { readonly model: ModelMeta; readonly search: SearchMeta },
  check: CheckContext,
): Condition {
  const groups = parseSearch(text)
  if (groups.length === 0 || groups.some((terms) => terms.every(({ isDenied }) => isDenied)))
    throw badParameter(key, say`The value of ${key} must have a word to look for.`)
  const seen = search.columns.filter(({ name }) => isEverything(storedSeenOf(model.name, name, check)))
  if (seen.length === 0) return nothing
  return Object.freeze({
    kind: 'compare',
    column: columnFor(seen),
    operator: 'search',
    value: searchText(groups),
    mode: null,
    words: Object.freeze({ ...search, seen }),
  } satisfies Compare)
}

/** Stands for the columns, where a condition is told by its column. */
const columnFor = (seen: readonly ColumnMeta[]): ColumnMeta => ({
  ...(seen[0] as ColumnMeta),
  name: `${searchName}(${seen.map(({ name }) => name).join()})`,
  isNullable: false,
  native: null,
})
