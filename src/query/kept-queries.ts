import { type BoundedCache, boundedCache } from '../request/bounded-cache.ts'
import type { Query } from './query.ts'

/** For each type and each relation. Clients choose what they ask, so what is kept has an end. */
const keptQueries = 100

// Schemas and relations are frozen and live as long as their server; what they make of a query string is the same for
// everybody, unless the scopes of the request, or what else is its own, had a part in it.
const queries = new WeakMap<object, BoundedCache<Query | 'personal'>>()

/**
 * The query that was checked before for the same type or relation and key, or `check`'s. What `check` says is personal is checked
 * anew each time.
 */
export function keptQuery(
  about: object,
  key: string,
  check: () => { readonly query: Query; readonly isPersonal: boolean },
): Query {
  const kept = queries.get(about) ?? boundedCache<Query | 'personal'>(keptQueries)
  queries.set(about, kept)
  let checked: Query | null = null
  const known = kept.get(key, () => {
    const { query, isPersonal } = check()
    checked = query
    return isPersonal ? 'personal' : query
  })
  if (known !== 'personal') return known
  return checked ?? check().query
}
