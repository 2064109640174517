import { expect, test } from 'vitest'
import { findOperation, findRoute, patterns } from '../../src/request/operation.ts'
import type { ResourceSchema, SchemaRegistry } from '../../src/schema/resource-schema.ts'

/** Counts every step that is taken through it. */
class CountingMap extends Map<string, ResourceSchema> {
  steps = 0

  override get(key: string) {
    this.steps++
    return super.get(key)
  }

  override [Symbol.iterator](): MapIterator<[string, ResourceSchema]> {
    this.steps += this.size
    return super[Symbol.iterator]()
  }
}

function registryOf(count: number): { registry: SchemaRegistry; byType: CountingMap } {
  const byType = new CountingMap()
  for (let n = 0; n < count; n++)
    byType.set(`things-${n}`, {
      type: `things-${n}`,
      operations: new Set(),
      relations: new Map(),
    } as unknown as ResourceSchema)
  return { registry: { byType, byModel: new Map() }, byType }
}

test.each([6, 200])(
  'with %i models, the type of a request is one look-up, and there are seven patterns to match',
  (count) => {
    const { registry, byType } = registryOf(count)
    const route = findRoute(registry, `/things-${count - 1}/1`)
    const operation = route && findOperation(route, 'GET')
    expect({ kind: operation?.kind, type: operation?.schema.type }).toEqual({
      kind: 'view',
      type: `things-${count - 1}`,
    })
    expect(byType.steps).toBe(1)
    expect(patterns).toHaveLength(7)
  },
)
