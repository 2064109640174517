import type { Serving } from 'prismapi'
import { describe, expect, test } from 'vitest'
import V1 from '../../../src/app/v1/server.ts'
import { exampleWith, useServers } from '../../support/servers.ts'

// What a scope hides counts as null where it is sorted by: the document offers the orders that the server takes.

class Scoped extends V1 {
  override serving(phase: Serving): void {
    super.serving(phase)
    phase.scope('User', { id: { not: 4 } })
  }
}

class ScopedByPrisma extends Scoped {
  override readonly reads = 'prisma'
}

describe.each([
  ['by SQL', Scoped, true],
  ['by Prisma Client', ScopedByPrisma, false],
])('orders behind rows that a scope hides, %s', (_, server, isTaken) => {
  const api = useServers(() => exampleWith(server))
  const offered = async (type: string): Promise<readonly string[]> => {
    const { body } = await api.as(3)('GET', '/api/v1/openapi.json', { headers: { Accept: 'application/json' } })
    return body.components.parameters[`sort.${type}`].schema.items.enum
  }

  test('are offered where they are taken', async () => {
    for (const [type, behind] of [
      ['posts', 'author.name'],
      ['videos', 'owner.createdAt'],
      ['profiles', 'user.name'],
    ] as const) {
      expect((await offered(type)).includes(behind), behind).toBe(isTaken)
      expect((await api.as(3)('GET', `/api/v1/${type}?sort=${behind}`)).status).toBe(isTaken ? 200 : 400)
      for (const sort of (await offered(type)).filter((each) => !each.startsWith('-')))
        expect((await api.as(3)('GET', `/api/v1/${type}?sort=${sort}`)).status, sort).toBe(200)
    }
  })
})
