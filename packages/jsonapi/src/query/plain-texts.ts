import { all, any, compare, not, related } from '../condition/build.ts'
import { type Compare, type Condition, type Operator, type Visitor, visit } from '../condition/condition.ts'
import type { Provider } from '../model/meta.ts'

/** The same condition, whose searches take `%` and `_` for what they are: clients send these texts, and no patterns. */
export const withPlainTexts = (condition: Condition, provider: Provider): Condition =>
  visit(condition, plainTexts, provider)

const plainTexts: Visitor<Condition, Provider> = {
  all: ({ conditions }, provider) => all(...conditions.map((each) => withPlainTexts(each, provider))),
  any: ({ conditions }, provider) => any(conditions.map((each) => withPlainTexts(each, provider))),
  not: ({ condition }, provider) => not(withPlainTexts(condition, provider)),
  compare: plainSearch,
  json: (node) => node,
  related: ({ relation, quantifier, condition }, provider) =>
    related(relation, quantifier, withPlainTexts(condition, provider)),
  absent: (node) => node,
  constant: (node) => node,
}

const searches: ReadonlySet<Operator> = new Set(['contains', 'startsWith', 'endsWith'])
/** Without regard to case, equality is a search, too. An order is none: it compares both sides in small letters. */
const caselessSearches: ReadonlySet<Operator> = new Set([...searches, 'equals', 'not'])

function plainSearch(node: Compare, provider: Provider): Compare {
  const { column, operator, value, mode } = node
  if (typeof value !== 'string' || !(mode === 'insensitive' ? caselessSearches : searches).has(operator)) return node
  const escaped = escapeLike(value, provider)
  return escaped === null ? compare(column, operator, value, 'plain') : compare(column, operator, escaped, mode)
}

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
