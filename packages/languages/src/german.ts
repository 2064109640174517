import { documents } from './german/documents.ts'
import { pages } from './german/pages.ts'
import { queries } from './german/queries.ts'
import { requests } from './german/requests.ts'
import { rules } from './german/rules.ts'
import type { OwnText } from './texts.ts'

/**
 * All texts of the framework in German.
 *
 * @example
 * import { german, type Languages } from 'prismapi/languages'
 *
 * const own = { 'Only its author may edit a post.': 'Nur der Autor darf einen Beitrag ändern.' }
 * const languages: Languages = { de: { ...german, ...own } }
 */
export const german: Readonly<Record<OwnText, string>> = { ...requests, ...queries, ...documents, ...rules, ...pages }
