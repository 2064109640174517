import { isToMany } from '../../../src/schema/relation-kinds.ts'
import type { SchemaRegistry } from '../../../src/schema/resource-schema.ts'
import { includePaths } from '../../../src/testing/kit/leaks/urls.ts'
import { isNight } from '../night.ts'

/** Every URL that has a stream: collections with each include path, with linkage alone, resources, and what is related to many. */
export function streamUrls(
  registry: SchemaRegistry,
  shown: ReadonlyMap<string, readonly Readonly<Record<string, unknown>>[]>,
): readonly string[] {
  const depth = isNight ? 3 : 1
  return [...registry.byType.values()].flatMap(({ type, model, relations }) => {
    const names = [...relations.keys()]
    const toMany = [...relations.values()].filter(isToMany)
    return [
      `/${type}`,
      ...includePaths(registry, relations.values(), depth).map((path) => `/${type}?include=${path}`),
      ...names.map((name) => `/${type}?include=${name}&fields[${type}]=${name}`),
      ...(shown.get(model.name) ?? []).flatMap(({ id }) => [
        `/${type}/${id}`,
        `/${type}/${id}?include=${names.join()}`,
        ...toMany.map(({ name }) => `/${type}/${id}/${name}`),
      ]),
    ]
  })
}
