import { badParameter } from '../document/errors.ts'
import { say } from '../document/text.ts'
import type { PageParams } from '../pagination/paginator.ts'
import type { RequestUrl } from '../request/hook-context.ts'
import type { Limits } from '../request/limits.ts'
import { mapAll } from './failures.ts'
import { hasQuery, isMemberName, isPath, notAllowed, type Parameter, parseParameters } from './parameters.ts'

/** A query string as it was sent: its syntax is right, what it means is not checked yet. */
export interface RawQuery {
  /** Null where it was not sent. */
  readonly include: string | null
  /** Values of `fields[type]`, by type. */
  readonly fields: ReadonlyMap<string, string>
  readonly sort: string | null
  readonly withCount: string | null
  readonly filter: readonly Parameter[]
  /** Null where no `page` parameter was sent. */
  readonly page: PageParams | null
  /** What is asked of included collections, by include path. */
  readonly included: ReadonlyMap<string, readonly IncludedParameter[]>
  /** Every parameter, in the order sent: those of additional families too. */
  readonly parameters: readonly Parameter[]
}

interface ParseOptions {
  /** Further families, which are handed over in `parameters` as they came. */
  readonly allow?: Iterable<string>
  /** Other families are left out instead of refused. */
  readonly ignoresUnknown?: boolean
}

/** How the keys of a family look: `include`, `fields[posts]`, `filter[author][name]`. */
type Shape = 'single' | 'member' | 'nested'

const families: ReadonlyMap<string, Shape> = new Map<string, Shape>([
  ['include', 'single'],
  ['fields', 'member'],
  ['sort', 'single'],
  ['withCount', 'single'],
  ['filter', 'nested'],
  ['page', 'member'],
])

/** Does the family mean something on every URL that is read. */
export const isFamily = (name: string): boolean => families.has(name) || isIncludedFamily(name)

const emptyQuery: RawQuery = Object.freeze({
  include: null,
  fields: new Map(),
  sort: null,
  withCount: null,
  filter: [],
  page: null,
  included: new Map(),
  parameters: [],
})

/**
 * In: where the query string stands, with or without its `?`. Out: its parameters by family.
 *
 * @throws JsonApiError 400, `source.parameter` the exact key, for everything that is wrong with the syntax.
 */
export function parseQuery(
  at: Pick<RequestUrl, 'search' | 'parameters'>,
  limits: Pick<Limits, 'parameters'>,
  { allow = [], ignoresUnknown = false }: ParseOptions = {},
): RawQuery {
  if (!hasQuery(at)) return emptyQuery
  const allowed = new Set(allow)
  const seen = new Set<string>()
  const isKnown = ({ family }: Parameter) => isFamily(family) || allowed.has(family)
  const sent = parseParameters(at, limits)
  const parameters = mapAll(ignoresUnknown ? sent.filter(isKnown) : sent, (parameter) => {
    if (!isKnown(parameter)) throw notAllowed(parameter.key)
    const shaped = toIncluded(parameter) ?? parameter
    const shape = families.get(shaped.family)
    if (shape) checkShape(shaped, shape, seen)
    return parameter
  })
  const of = (family: string) => parameters.filter((parameter) => parameter.family === family)
  return {
    include: of('include')[0]?.value ?? null,
    fields: new Map(of('fields').map(({ path, value }) => [path[0] as string, value])),
    sort: of('sort')[0]?.value ?? null,
    withCount: of('withCount')[0]?.value ?? null,
    filter: of('filter'),
    page: toPage(of('page')),
    included: groupIncluded(parameters),
    parameters,
  }
}

function checkShape({ key, path }: Parameter, shape: Shape, seen: Set<string>): void {
  if (shape === 'nested') {
    if (path.every((name, i) => isPath(name) || (name === '' && i > 0 && i === path.length - 1))) return
    throw notAllowed(key)
  }
  if (shape === 'member' && path.length === 0) {
    throw badParameter(key, say`Query parameter ${key} must name a member, as in ${key}[…].`)
  }
  if (path.length > (shape === 'member' ? 1 : 0) || !path.every(isMemberName)) throw notAllowed(key)
  if (seen.has(key)) throw badParameter(key, say`Query parameter ${key} must not be repeated.`)
  seen.add(key)
}

export function toPage(parameters: readonly Parameter[]): PageParams | null {
  if (parameters.length === 0) return null
  // Without a prototype, so that no key is anything but what the client sent.
  const page: Record<string, string> = Object.create(null)
  for (const { path, value } of parameters) page[path[0] as string] = value
  return page
}

// What is asked of an included collection, and what the same parameter is called where the collection is asked itself.
const includedFamilies: ReadonlyMap<string, string> = new Map([
  ['includePage', 'page'],
  ['includeSort', 'sort'],
  ['includeFilter', 'filter'],
])

/** A parameter of an included collection: as the collection's own URL would have it, but for its key. */
export interface IncludedParameter extends Parameter {
  /** Where the collection is included: `author.posts`. */
  readonly at: string
}

const isIncludedFamily = (family: string): boolean => includedFamilies.has(family)

/**
 * `includeFilter[author.posts][title]` as the `filter[title]` of what is
 * included at `author.posts`; null for a parameter of another family.
 *
 * @throws JsonApiError 400 for one that names no include path.
 */
function toIncluded({ key, family, path: [at, ...path], value }: Parameter): IncludedParameter | null {
  const own = includedFamilies.get(family)
  if (own === undefined) return null
  if (at === undefined) {
    throw badParameter(key, say`Query parameter ${family} must name an include path, as in ${family}[…].`)
  }
  if (!isPath(at)) throw notAllowed(key)
  return { key, at, family: own, path, value }
}

/** The parameters of each included collection, by include path. */
function groupIncluded(parameters: readonly Parameter[]): ReadonlyMap<string, readonly IncludedParameter[]> {
  const groups = new Map<string, IncludedParameter[]>()
  for (const parameter of parameters) {
    const included = toIncluded(parameter)
    if (!included) continue
    const group = groups.get(included.at)
    if (group) group.push(included)
    else groups.set(included.at, [included])
  }
  return groups
}
