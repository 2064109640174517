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
 * const languages: Languages = { fr: { ...french, 'Only its author may edit a post.': 'Seul son auteur peut modifier un article.' } }
 */
export const french: Readonly<Record<OwnText, string>> = { ...requests, ...queries, ...documents, ...rules, ...pages }
