import type { Scopes } from '../condition/scopes.ts'
import { type BoundedCache, boundedCache } from '../request/bounded-cache.ts'
import type { Query } from './query.ts'
import type { QueryInputs } from './query-inputs.ts'

interface Entry {
  readonly inputs: QueryInputs
  /** What the query means where none of its inputs is the request's own; null until it was asked for. */
  query: Query | null
}

/** For each type and each relation. Clients choose what they ask, so what is kept has an end. */
const entries = 500
/** Longer query strings are checked each time. */
const longest = 2048

// Schemas and relations are frozen and live as long as their server.
const caches = new WeakMap<object, BoundedCache<Entry>>()

interface Asked {
  /** The type or the relation that is asked about. */
  readonly about: object
  readonly key: string
  readonly scopes: Scopes
  readonly inputsOf: () => QueryInputs
  readonly check: () => Query
}

/** The query that was checked before for the same type or relation and key, where nothing of this request has a part in it. */
export function cachedQuery({ about, key, scopes, inputsOf, check }: Asked): Query {
  if (key.length > longest) return check()
  const cache = caches.get(about) ?? boundedCache<Entry>(entries)
  caches.set(about, cache)
  const entry = cache.get(key, () => ({ inputs: inputsOf(), query: null }))
  if (entry.inputs.isPersonal || isScoped(entry.inputs.crosses, scopes)) return check()
  entry.query ??= check()
  return entry.query
}

function isScoped(models: ReadonlySet<string>, scopes: Scopes): boolean {
  for (const model of models) if (scopes.has(model)) return true
  return false
}
