import type { Part as Json } from '../../openapi/described.ts'
import type { DescribedApi, DescribedOperation } from './described-api.ts'
import { toParameterShape } from './shape.ts'
import { api, keyOf, type Part, part } from './surface.ts'

/** The parameters and headers that an endpoint lists. What they may be belongs to their type, and is not told again. */
export function askedParts(described: DescribedApi, { name, type, parameters, listed }: DescribedOperation) {
  const where = type ?? api
  return parameters.flatMap((parameter, at): readonly Part[] => {
    const { $ref } = listed[at] ?? {}
    const [family = '', ...rest] =
      typeof $ref === 'string' ? $ref.replace('#/components/parameters/', '').split('.') : []
    // Of sparse fieldsets a document lists the nearest; a server takes them of every type.
    if (parameter.in === 'path' || family === 'fields') return []
    const header = parameter.in === 'header' ? `header ${parameter.name}` : null
    const needs = header ? [keyOf(api, header)] : needsOf(described, parameter, { family, rest })
    return [part({ where, what: `${header ?? parameter.name} of ${name}`, within: keyOf(where, name), needs })]
  })
}

interface Component {
  readonly family: string
  readonly rest: readonly string[]
}

/** The parts that say what a parameter may be: where they are gone, or new, it is as well. */
function needsOf(described: DescribedApi, parameter: Json, { family, rest }: Component): readonly string[] {
  const [type, relation] = rest
  const what = String(parameter.name)
  if (type === undefined) return ownNeeds(described, parameter)
  return family === 'include' && relation !== undefined ? [keyOf(type, `include=${relation}`)] : [keyOf(type, what)]
}

/** A list that the endpoint has for itself is of several types, which it does not name. */
function ownNeeds({ types, find }: DescribedApi, { name, schema }: Json): readonly string[] {
  const { values } = toParameterShape((schema ?? {}) as Json, find)
  const whats = [`${name}`, ...[...(values ?? [])].map((value) => `${name}=${value}`)]
  return types.flatMap((type) => whats.map((what) => keyOf(type, what)))
}
