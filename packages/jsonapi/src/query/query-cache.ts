import type { Condition } from '../condition/condition.ts'
import type { FieldsOf, Scopes } from '../condition/scopes.ts'
import { type BoundedCache, boundedCache, memo } from '../model/memo.ts'
import { isToMany, targetModels } from '../schema/relation-kinds.ts'
import { type ResourceSchema, type SchemaRegistry, targetSchemas } from '../schema/resource-schema.ts'
import type { Parameter } from './parameters.ts'
import type { RawQuery } from './parse.ts'
import type { CheckContext, SeenFields } from './query-context.ts'

interface Entry<Result> {
  readonly inputs: QueryInputs
  /** What the query means where nothing of it is the request's own; null until it was asked for. */
  checked: Checked<Result> | null
  /** What all queries have in common that differ from it in their page alone; null where it asks for none. */
  readonly anyPage: Entry<Result> | null
}

interface Checked<Result> {
  readonly query: Result
  readonly fields: FieldsAsked
}

/** For each type and each relation. Clients choose what they ask, so what is kept has an end. */
const entries = 500
/** Longer query strings are checked each time. */
const longest = 2048

const cacheOf = memo((_about: object): BoundedCache<Entry<never>> => boundedCache(entries))

interface Question<Result> {
  /** The type or the relation that is asked about. */
  readonly about: object
  /** What kind of question it is. All questions of a kind have results of the same type. */
  readonly kind: string
  readonly search: string
  readonly scopes: Scopes
  readonly seen: FieldsOf
  readonly inputsOf: () => QueryInputs
  readonly check: (fields: CheckContext['seen']) => Result
  /** The query with another page, whose parameters these are; null where that changes more than the page. */
  readonly withPage: (query: Result, page: string) => Result | null
}

/**
 * The query, checked once for the same type or relation, kind and text. It is checked
 * anew where its meaning depends on this request: where it names a filter of the
 * schema class, crosses a scope, or asks for a field that the caller may not see.
 */
export function cachedQuery<Result extends object>(question: Question<Result>): Result {
  const { about, kind, search, seen, check } = question
  if (search.length > longest) return check(seen)
  const cache: BoundedCache<Entry<Result>> = cacheOf(about)
  const entry = cache.get(`${kind} ${search}`, () => entryFor(question, cache))
  if (dependsOnRequest(entry.inputs, question)) return check(seen)
  return kept(entry, seen)?.query ?? checkedFor(entry, question)
}

/** A cursor is hardly ever sent twice: what is asked for beside the page is checked once for all pages. */
function entryFor<Result>(question: Question<Result>, cache: BoundedCache<Entry<Result>>): Entry<Result> {
  const { kind, search, seen, inputsOf, withPage } = question
  const unpaged = (): Entry<Result> => ({ inputs: inputsOf(), checked: null, anyPage: null })
  const apart = pageApart(search)
  if (apart === null) return unpaged()
  const anyPage = cache.get(`${kind} any page ${apart.rest}`, unpaged)
  const { inputs } = anyPage
  const common = dependsOnRequest(inputs, question) ? null : kept(anyPage, seen)
  const query = common && withPage(common.query, apart.page)
  return { inputs, checked: query && { ...common, query }, anyPage }
}

/**
 * The page parameters of a query string, and all the rest, with their names in their places;
 * null where there are none, or a name is spelt so that only decoding tells what it is.
 */
export function pageApart(search: string): { readonly page: string; readonly rest: string } | null {
  const pieces = search.replace(/^\?/, '').split('&')
  const names = pieces.map(nameOf)
  if (names.some(isEncoded) || !names.some(isOfPage)) return null
  return {
    page: pieces.filter(isOfPage).join('&'),
    rest: pieces.map((piece, i) => (isOfPage(piece) ? names[i] : piece)).join('&'),
  }
}

const nameOf = (piece: string): string => piece.split('=', 1)[0] as string
const isOfPage = (piece: string): boolean => /^page(?:\[|%5[bB])/.test(piece)
/** Brackets may be encoded, for many clients do that. */
const isEncoded = (name: string): boolean => /[%+]/.test(name.replaceAll(/%5[bd]/gi, ''))

/** What was checked before, where the caller sees all that was asked about. */
const kept = <Result>({ checked }: Entry<Result>, seen: FieldsOf): Checked<Result> | null =>
  checked && seesAll(checked.fields, seen) ? checked : null

function checkedFor<Result>(entry: Entry<Result>, { seen, check }: Question<Result>): Result {
  const noted = new NotedFields(seen)
  const query = check(noted.seen)
  if (noted.isMasked) return query
  entry.checked = { query, fields: noted.fields }
  if (entry.anyPage) entry.anyPage.checked ??= entry.checked
  return query
}

/** Whether the meaning of the query depends on the request, by more than the fields that its caller sees. */
const dependsOnRequest = ({ isPersonal, crosses }: QueryInputs, { scopes }: { readonly scopes: Scopes }): boolean =>
  isPersonal || isScoped(crosses, scopes)

function isScoped(models: ReadonlySet<string>, scopes: Scopes): boolean {
  for (const model of models) if (scopes.has(model)) return true
  return false
}

/** The fields that a check asked about: what it came to holds for all who see them of every row. */
type FieldsAsked = readonly (readonly [model: string, kind: 'fields' | 'stored', name: string])[]

/** What a caller sees of each model, for one check of a query: notes what is asked. */
class NotedFields {
  /** Was a field hidden: then the check came to something that is this caller's alone. */
  isMasked = false
  private readonly noted = new Map<string, FieldsAsked[number]>()
  private readonly given: FieldsOf

  constructor(given: FieldsOf) {
    this.given = given
  }

  readonly seen = (model: string): SeenFields => ({
    fields: { get: (name) => this.look(model, 'fields', name) },
    stored: { get: (name) => this.look(model, 'stored', name) },
  })

  get fields(): FieldsAsked {
    return [...this.noted.values()]
  }

  private look(...[model, kind, name]: FieldsAsked[number]): Condition | undefined {
    this.noted.set(`${model} ${kind} ${name}`, [model, kind, name])
    const condition = this.given(model)?.[kind].get(name)
    this.isMasked ||= condition !== undefined
    return condition
  }
}

/** Does a caller see all of these fields, of every row. */
const seesAll = (fields: FieldsAsked, seen: FieldsOf): boolean =>
  fields.every(([model, kind, name]) => !seen(model)?.[kind].has(name))

/** What the meaning of a query depends on beside its text, its schemas and the fields that the caller sees. */
interface QueryInputs {
  /** It names a filter of the schema class, which takes the request, or the deleted rows that only some callers see. */
  readonly isPersonal: boolean
  /** The models whose scopes may have a part in it. */
  readonly crosses: ReadonlySet<string>
}

/**
 * In: a query's parameters, and the types that they are about. Out: all that the check of it could ask of a request.
 * Told by the names in the text and in default sorts, without running the check: a path crosses no relation that it
 * does not name. A name that stands there by chance costs a look at one more scope, and never leaves one out.
 */
export function inputsOf(
  { parameters }: Pick<RawQuery, 'parameters'>,
  schemas: readonly ResourceSchema[],
  registry: SchemaRegistry,
): QueryInputs {
  const crosses = new Set<string>()
  const seen = new Set<string>()
  const all = parameters.map(textOf).join(' ')
  // Any parameter, and any default sort, may name an attribute that only those see who see deleted rows.
  const marks = [...registry.byType.values()].flatMap(({ deletedAtAttribute }) =>
    deletedAtAttribute === null ? [] : [deletedAtAttribute],
  )
  const isMarked = (text: string) => marks.length > 0 && ['trashed', ...marks].some((mark) => text.includes(mark))
  let isPersonal = isMarked(all)

  function visit(schema: ResourceSchema, text: string): void {
    const at = `${schema.type} ${text}`
    if (seen.has(at)) return
    seen.add(at)
    const isNamed = (name: string) => text.includes(name)
    const { filters, sorts, relations, defaultSort } = schema
    isPersonal ||= isMarked(text) || [...filters.keys()].some(isNamed)
    for (const [name, sort] of sorts) if (isNamed(name)) for (const model of sort.crosses) crosses.add(model)
    for (const relation of relations.values()) {
      if (!isNamed(relation.name)) continue
      for (const model of targetModels(relation)) crosses.add(model)
      if (isToMany(relation) && 'pivot' in relation && relation.pivot) crosses.add(relation.pivot.model)
      for (const target of targetSchemas(registry, relation)) visit(target, text)
    }
    visit(schema, defaultSort)
  }

  const crossing = parameters.filter(({ family }) => !crossesNothing.has(family))
  for (const schema of schemas) visit(schema, crossing.map(textOf).join(' '))
  return Object.freeze({ isPersonal, crosses })
}

const textOf = ({ key, value }: Parameter): string => `${key} ${value}`

// What is included brings its scopes as it is loaded.
const crossesNothing: ReadonlySet<string> = new Set(['include', 'fields', 'page', 'withCount'])
