import type { Provider } from '../model/meta.ts'

/**
 * Prisma hands the text of `contains`, `startsWith` and `endsWith` to LIKE (and that of a case-insensitive `equals` to
 * ILIKE) as it is, so that `%` and `_` match anything. In: a text whose characters are all plain. Out: the text that
 * stands for it in a pattern; null where the database has no way to say so: SQLite's LIKE has no escape character
 * unless the statement names one, and Prisma's does not.
 */
export function escapeLike(text: string, provider: Provider): string | null {
  switch (provider) {
    case 'sqlite':
      return /[%_]/.test(text) ? null : text
    case 'sqlserver':
      return text.replaceAll(/[%_[]/g, '[$&]')
    case 'postgresql':
    case 'cockroachdb':
    case 'mysql':
      return text.replaceAll(/[\\%_]/g, '\\$&')
    default:
      return provider satisfies never
  }
}

/** The databases whose LIKE can be told to ignore case. */
export const ignoresCase = (provider: Provider): boolean => provider === 'postgresql' || provider === 'cockroachdb'
