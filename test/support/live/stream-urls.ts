import { isToMany } from '@prismapi/jsonapi/schema/relation-kinds'
import type { SchemaRegistry } from '@prismapi/jsonapi/schema/resource-schema'
import { includePaths } from '@prismapi/testing/internal/kit/leaks/urls'
import { isNight } from '../night.ts'

/** Every URL that has a stream: collections with each include path, with linkage alone, resources, and what is related to many. */
export function streamUrls(
  registry: SchemaRegistry,
  shown: ReadonlyMap<string, readonly Readonly<Record<string, unknown>>[]>,
): readonly string[] {
  const depth = isNight ? 3 : 1
  return [...registry.byType.values()].flatMap(({ type, model, relations, id: { format } }) => {
    const names = [...relations.keys()]
    const toMany = [...relations.values()].filter(isToMany)
    return [
      `/${type}`,
      ...includePaths(registry, relations.values(), depth).map((path) => `/${type}?include=${path}`),
      ...names.map((name) => `/${type}?include=${name}&fields[${type}]=${name}`),
      ...(shown.get(model.name) ?? []).flatMap((row) => {
        const at = `/${type}/${encodeURIComponent(format(row))}`
        return [at, `${at}?include=${names.join()}`, ...toMany.map(({ name }) => `${at}/${name}`)]
      }),
    ]
  })
}
