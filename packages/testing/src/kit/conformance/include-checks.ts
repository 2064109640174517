import { type ResourceSchema, type SchemaRegistry, targetSchemas } from '@prismapi/jsonapi/schema/resource-schema'
import type { Answer } from '../../send.ts'
import { isObject, type Json } from '../judges/judged.ts'
import { resourcesIn } from './interview.ts'

/** The include paths of a type, down to a depth, that the server offers. */
export function includePathsOf(
  registry: SchemaRegistry,
  schemas: readonly ResourceSchema[],
  depth: number,
): readonly string[] {
  if (depth < 1) return []
  const paths = schemas.flatMap(({ relations }) =>
    [...relations.values()]
      .filter(({ isIncludable }) => isIncludable)
      .flatMap((relation) => {
        const next = includePathsOf(registry, targetSchemas(registry, relation), depth - 1)
        return [relation.name, ...next.map((path) => `${relation.name}.${path}`)]
      }),
  )
  return [...new Set(paths)]
}

/** Whatever is linked on the way of a path is included (JSON:API, *Inclusion of Related Resources*). */
export function* inclusionFaults({ document }: Answer, path: string): Generator<string> {
  const included = document?.included
  if (!Array.isArray(included)) return yield 'included is missing'
  const primary = resourcesIn({ document })
  const all = new Map<string, Json>([...primary, ...included.filter(isObject)].map((item) => [keyOf(item), item]))
  let level: readonly Json[] = primary
  for (const name of path.split('.')) {
    const next = new Map<string, Json>()
    for (const item of level) {
      for (const identifier of linkageOf(item, name)) {
        const target = all.get(keyOf(identifier))
        if (target) next.set(keyOf(target), target)
        else yield `${keyOf(identifier)} is linked to by ${name} of ${keyOf(item)}, and not included`
      }
    }
    level = [...next.values()]
  }
}

const keyOf = ({ type, id }: Json): string => `${type}:${id}`

/** The identifiers that a resource has for one of its relations. */
export function linkageOf({ relationships }: Json, name: string): readonly Json[] {
  const relationship = isObject(relationships) ? relationships[name] : undefined
  const { data } = isObject(relationship) ? relationship : {}
  return [data ?? []].flat().filter(isObject)
}
