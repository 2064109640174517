import { documents } from './french/documents.ts'
import { pages } from './french/pages.ts'
import { queries } from './french/queries.ts'
import { requests } from './french/requests.ts'
import { rules } from './french/rules.ts'
import type { OwnText } from './texts.ts'

/**
 * All texts of the framework in French.
 *
 * @example
 * import { french, type Languages } from 'prismapi/languages'
 *
 * const own = { 'Only its author may edit a post.': 'Seul son auteur peut modifier un article.' }
 * const languages: Languages = { fr: { ...french, ...own } }
 */
export const french: Readonly<Record<OwnText, string>> = bound({
  ...requests,
  ...queries,
  ...documents,
  ...rules,
  ...pages,
})

/** French leaves a space before some signs, and begins no line with them. */
function bound(texts: Record<OwnText, string>): Record<OwnText, string> {
  for (const text of Object.keys(texts) as OwnText[]) texts[text] = texts[text].replace(/ (?=[:;?!])/g, '\u00a0')
  return texts
}
