import type { Scopes } from '../model/where.ts'
import { type BoundedCache, boundedCache } from '../request/bounded-cache.ts'
import type { Query } from './query.ts'

/** A query, and on what its meaning depends beside its text. */
export interface CheckedQuery {
  readonly query: Query
  /** Had anything a part in it that is the request's own. */
  readonly isPersonal: boolean
  /** It means this as long as these models have no scope. */
  readonly unscoped: ReadonlySet<string>
}

/** For each type and each relation. Clients choose what they ask, so what is kept has an end. */
const keptQueries = 500

// Schemas and relations are frozen and live as long as their server; what they make of a query string is the same for
// everybody, unless the scopes of the request, or what else is its own, had a part in it.
const queries = new WeakMap<object, BoundedCache<CheckedQuery>>()

/**
 * The query that was checked before for the same type or relation and key, or `check`'s. What `check` says is personal is
 * checked anew each time.
 */
export function keptQuery(about: object, key: string, scopes: Scopes, check: () => CheckedQuery): Query {
  const kept = queries.get(about) ?? boundedCache<CheckedQuery>(keptQueries)
  queries.set(about, kept)
  let checked: CheckedQuery | null = null
  const known = kept.get(key, () => {
    checked = check()
    return checked
  })
  if (checked !== null) return known.query
  return known.isPersonal || isScoped(known.unscoped, scopes) ? check().query : known.query
}

function isScoped(models: ReadonlySet<string>, scopes: Scopes): boolean {
  for (const model of models) if (scopes.has(model)) return true
  return false
}
