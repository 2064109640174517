import type { PageRequest } from './page-request.ts'

// Filters and pages leave some out, and of what an application reads in the URL nothing is known.
const leavesAll = /^(?:include|sort|withCount|fields\[[^\]]*\])$/

/** The ids of all that a to-many relationship holds; null where the page may not show all of them. */
export function linkedIds({ search, document: { data, links } }: Pick<PageRequest, 'search' | 'document'>) {
  const isWhole =
    !links?.next && !links?.prev && [...new URLSearchParams(search).keys()].every((key) => leavesAll.test(key))
  return isWhole && Array.isArray(data) ? data.map(({ id }): string => id) : null
}
