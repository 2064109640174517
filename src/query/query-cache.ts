import type { FieldsOf } from '../condition/field-access.ts'
import type { Scopes } from '../condition/scopes.ts'
import { memo } from '../model/memo.ts'
import { type BoundedCache, boundedCache } from '../request/bounded-cache.ts'
import type { CheckContext } from './check-context.ts'
import { type FieldsAsked, NotedFields, seesAll } from './fields-asked.ts'
import { pageApart } from './page.ts'
import type { Query } from './query.ts'
import type { QueryInputs } from './query-inputs.ts'

interface Entry {
  readonly inputs: QueryInputs
  /** What the query means where nothing of it is the request's own; null until it was asked for. */
  checked: Checked | null
  /** What all queries have in common that differ from it in their page alone; null where it asks for none. */
  readonly anyPage: Entry | null
}

interface Checked {
  readonly query: Query
  readonly fields: FieldsAsked
}

/** For each type and each relation. Clients choose what they ask, so what is kept has an end. */
const entries = 500
/** Longer query strings are checked each time. */
const longest = 2048

const cacheOf = memo((_about: object): BoundedCache<Entry> => boundedCache(entries))

interface Question {
  /** The type or the relation that is asked about. */
  readonly about: object
  /** What kind of question it is. */
  readonly kind: string
  readonly search: string
  readonly scopes: Scopes
  readonly seen: FieldsOf
  readonly inputsOf: () => QueryInputs
  readonly check: (fields: CheckContext['seen']) => Query
  /** The query with another page, whose parameters these are; null where that changes more than the page. */
  readonly withPage: (query: Query, page: string) => Query | null
}

/**
 * The query that was checked before for the same type or relation, kind and text, where nothing of this request has a part in it:
 * no filter of the schema class, no scope, no field that its caller may not see.
 */
export function cachedQuery(question: Question): Query {
  const { about, kind, search, seen, check } = question
  if (search.length > longest) return check(seen)
  const cache = cacheOf(about)
  const entry = cache.get(`${kind} ${search}`, () => entryFor(question, cache))
  if (isOwn(entry.inputs, question)) return check(seen)
  return kept(entry, seen)?.query ?? checkedFor(entry, question)
}

/** A cursor is hardly ever sent twice: what is asked for beside the page is checked once for all pages. */
function entryFor(question: Question, cache: BoundedCache<Entry>): Entry {
  const { kind, search, seen, inputsOf, withPage } = question
  const unpaged = (): Entry => ({ inputs: inputsOf(), checked: null, anyPage: null })
  const apart = pageApart(search)
  if (apart === null) return unpaged()
  const anyPage = cache.get(`${kind} any page ${apart.rest}`, unpaged)
  const { inputs } = anyPage
  const common = isOwn(inputs, question) ? null : kept(anyPage, seen)
  const query = common && withPage(common.query, apart.page)
  return { inputs, checked: query && { ...common, query }, anyPage }
}

/** What was checked before, where the caller sees all that was asked about. */
const kept = ({ checked }: Entry, seen: FieldsOf): Checked | null =>
  checked && seesAll(checked.fields, seen) ? checked : null

function checkedFor(entry: Entry, { seen, check }: Question): Query {
  const noted = new NotedFields(seen)
  const query = check(noted.seen)
  if (noted.isMasked) return query
  entry.checked = { query, fields: noted.fields }
  if (entry.anyPage) entry.anyPage.checked ??= entry.checked
  return query
}

/** Has anything of the request but what its caller sees of fields a part in what the query means. */
const isOwn = ({ isPersonal, crosses }: QueryInputs, { scopes }: Pick<Question, 'scopes'>): boolean =>
  isPersonal || isScoped(crosses, scopes)

function isScoped(models: ReadonlySet<string>, scopes: Scopes): boolean {
  for (const model of models) if (scopes.has(model)) return true
  return false
}
