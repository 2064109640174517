import type { ModelMeta, Provider, SearchMeta } from '../model/meta.ts'
import type { DeclaredFilter, TakenNames } from './filters.ts'
import type { Attribute } from './resource-schema.ts'

/** What `search` of a schema class says. */
export interface DeclaredSearch<Name extends string = string> {
  /** The columns that are searched, the weightiest first; left out, those with `/// @search`. */
  readonly fields?: readonly Name[]
  /**
   * The language of the texts, as PostgreSQL calls its configurations: `english`, `german`. Left out, words stay as
   * they are: `simple`.
   */
  readonly language?: string
}

interface SearchParts {
  readonly model: ModelMeta
  readonly provider: Provider
  readonly attributes: ReadonlyMap<string, Attribute>
  readonly taken: TakenNames
}

/** The name of the filter, and of the order. */
export const searchName = 'search'

/** So many columns have weights of their own. */
const mostColumns = 4

/**
 * What clients may search; null where a type has no search.
 *
 * @throws {Error} for a field that is no text, or shown to nobody, and for a database that has no such search.
 */
export function compileSearch(declared: DeclaredSearch | undefined, parts: SearchParts): SearchMeta | null {
  const { model, provider, attributes, taken } = parts
  const what = `search of ${model.name}`
  const annotated = [...attributes.values()].filter(({ column, writeOnly }) => column?.isSearched && !writeOnly)
  const searched = declared?.fields?.map((name) => searchedField(what, name, attributes)) ?? annotated
  if (declared && searched.length === 0)
    throw new Error(`${what}: it has no fields. Name columns in fields, or write /// @search above columns.`)
  if (searched.length === 0) return null
  if (provider !== 'sqlite' && provider !== 'postgresql')
    throw new Error(
      `${what}: texts are searched on SQLite and PostgreSQL, and not on ${provider}. Remove it, and /// @search.`,
    )
  if (searched.length > mostColumns)
    throw new Error(`${what}: ${mostColumns} fields can be weighed, and it has ${searched.length}. Leave some out.`)
  if (taken.has(searchName))
    throw new Error(`${what}: a field, a filter or a sort is called search already. Give that one another name.`)
  const { language = 'simple' } = declared ?? {}
  if (!/^[a-z]+$/.test(language))
    throw new Error(`${what}: ${JSON.stringify(language)} is no language. Write it as PostgreSQL does: english.`)
  const columns = searched.map(({ column }) => column as NonNullable<Attribute['column']>)
  const { table, dbSchema } = model
  const key = model.key.flatMap((name) => model.columns[name] ?? [])
  return Object.freeze({ columns: Object.freeze(columns), language, index: `${table}_search`, table, dbSchema, key })
}

function searchedField(what: string, name: string, attributes: SearchParts['attributes']): Attribute {
  const attribute = [...attributes.values()].find(({ column }) => column?.name === name)
  const { kind, column, isList, writeOnly } = attribute ?? {}
  if (attribute && column && kind === 'string' && !isList && !writeOnly) return attribute
  throw new Error(`${what}: ${name} is no column with a text that clients see. Name another one.`)
}

/** The filter by which clients search. */
export const searchFilter = (search: SearchMeta): DeclaredFilter =>
  Object.freeze({
    name: searchName,
    kind: 'string',
    values: null,
    rule: null,
    isList: false,
    description: 'Words to look for: all of them, `"a phrase"`, `-without`, `this or that`.',
    deprecation: null,
    search,
    where: () => null,
  })
