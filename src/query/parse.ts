import { badParameter } from '../document/errors.ts'
import { say } from '../document/text.ts'
import type { PageParams } from '../pagination/paginator.ts'
import type { Limits } from '../request/limits.ts'
import type { RequestUrl } from '../request/request-url.ts'
import { mapAll } from './failures.ts'
import { groupIncluded, type IncludedParameter, isIncludedFamily, toIncluded } from './included-parameters.ts'
import { isMemberName, isPath, notAllowed, type Parameter, parseParameters } from './parameters.ts'

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

export interface ParseOptions {
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
  at: Pick<RequestUrl, 'search'>,
  limits: Pick<Limits, 'parameters'>,
  { allow = [], ignoresUnknown = false }: ParseOptions = {},
): RawQuery {
  if (at.search === '') return emptyQuery
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
