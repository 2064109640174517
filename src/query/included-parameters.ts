import { badParameter } from '../document/errors.ts'
import { say } from '../document/text.ts'
import { isPath, notAllowed, type Parameter } from './parameters.ts'

// What is asked of an included collection, and what the same parameter is called where the collection is asked itself.
const families: ReadonlyMap<string, string> = new Map([
  ['includePage', 'page'],
  ['includeSort', 'sort'],
  ['includeFilter', 'filter'],
])

/** A parameter of an included collection: as the collection's own URL would have it, but for its key. */
export interface IncludedParameter extends Parameter {
  /** Where the collection is included: `author.posts`. */
  readonly at: string
}

export const isIncludedFamily = (family: string): boolean => families.has(family)

/**
 * `includeFilter[author.posts][title]` as the `filter[title]` of what is included at `author.posts`; null for a parameter
 * of another family.
 *
 * @throws JsonApiError 400 for one that names no include path.
 */
export function toIncluded({ key, family, path: [at, ...path], value }: Parameter): IncludedParameter | null {
  const own = families.get(family)
  if (own === undefined) return null
  if (at === undefined) {
    throw badParameter(key, say`Query parameter ${family} must name an include path, as in ${family}[…].`)
  }
  if (!isPath(at)) throw notAllowed(key)
  return { key, at, family: own, path, value }
}

/** The parameters of each included collection, by include path. */
export function groupIncluded(parameters: readonly Parameter[]): ReadonlyMap<string, readonly IncludedParameter[]> {
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
