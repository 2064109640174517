import type { Part as Json } from '@prismapi/openapi/described'
import type { NamedParameter } from '@prismapi/openapi/parameter'
import type { DescribedApi, DescribedOperation } from './described-api.ts'
import { toParameterShape } from './shape.ts'
import { api, keyOf, type Part, part } from './surface.ts'

/** The parameters and headers that an endpoint lists. What they may be belongs to their type, and is not told again. */
export function askedParts(described: DescribedApi, operation: DescribedOperation) {
  const { id, name, type, parameters, names } = operation
  const where = type ?? api
  return parameters.flatMap((parameter, at): readonly Part[] => {
    const named = names[at] ?? null
    // Documents list the fields of some types, or of all, and versions at the URLs of types alone.
    const isToldOnce = named?.family === 'fields' || (versions.has(String(parameter.name)) && ofRelations.test(id))
    if (parameter.in === 'path' || isToldOnce) return []
    const header = parameter.in === 'header' ? `header ${parameter.name}` : null
    const needs = header ? [keyOf(api, header)] : needsOf(described, operation, { parameter, named })
    return [part({ where, what: `${header ?? parameter.name} of ${name}`, within: keyOf(where, name), needs })]
  })
}

interface Asked {
  readonly parameter: Json
  readonly named: NamedParameter | null
}

const ofRelations = /\.(?:viewRelated|\w+Relationship|attach|detach)$/
const versions: ReadonlySet<string> = new Set(['If-Match', 'If-None-Match'])
const ofTypes: ReadonlySet<string> = new Set(['filter', 'page', 'sort', 'include'])

/** The parts that say what a parameter may be: where they are gone, or new, it is as well. */
function needsOf(
  described: DescribedApi,
  { id, type: where, shows }: DescribedOperation,
  { parameter, named }: Asked,
): readonly string[] {
  const what = String(parameter.name)
  // `include` of linkage begins with the relation.
  const relation = /\.([^.]+)\.\w+Relationship$/.exec(id)?.[1]
  if (named?.family === 'include' && where !== null && relation !== undefined)
    return [keyOf(where, `include=${relation}`)]
  if (!named || !ofTypes.has(named.family)) return ownNeeds(described, parameter)
  return (named.type === null ? shows : [named.type]).map((type) => keyOf(type, what))
}

/** A list that the endpoint has for itself is of several types, which it does not name. */
function ownNeeds({ types, find }: DescribedApi, { name, schema }: Json): readonly string[] {
  const { values } = toParameterShape((schema ?? {}) as Json, find)
  const whats = [`${name}`, ...[...(values ?? [])].map((value) => `${name}=${value}`)]
  return types.flatMap((type) => whats.map((what) => keyOf(type, what)))
}
