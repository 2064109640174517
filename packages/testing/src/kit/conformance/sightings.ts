import type { SchemaRegistry } from '@prismapi/jsonapi/schema/resource-schema'
import type { Answer } from '../../send.ts'
import { isObject, type Json } from '../judges/judged.ts'

interface Sighting {
  readonly value: string
  /** What was asked. */
  readonly at: string
}

/** The resources seen so far. Until something is written, a resource must look the same wherever it is shown. */
export function sightings({ byType }: SchemaRegistry) {
  const seen = new Map<string, Sighting>()
  function* differences(item: Json, at: string): Generator<string> {
    const attributes = isObject(item.attributes) ? item.attributes : {}
    for (const [name, shown] of Object.entries(attributes)) {
      // What is computed may depend on the hour.
      if (!byType.get(String(item.type))?.attributes.get(name)?.column) continue
      const key = `${item.type}:${item.id}`
      const field = JSON.stringify([key, name])
      const value = JSON.stringify(shown)
      const before = seen.get(field)
      if (!before) seen.set(field, { value, at })
      else if (before.value !== value) yield `${name} of ${key} is ${value}, and ${before.value} in ${before.at}`
    }
  }
  return {
    /** `name`: what messages call the request. */
    *compare({ request: { method }, status, document }: Answer, name: string): Generator<string> {
      if (method !== 'GET' && method !== 'HEAD' && status < 300) seen.clear()
      if (method !== 'GET' || status !== 200 || !isObject(document)) return
      for (const item of [document.data ?? [], document.included ?? []].flat().filter(isObject))
        yield* differences(item, name)
    },
  }
}
