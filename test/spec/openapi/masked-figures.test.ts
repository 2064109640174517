import { Policy, type Rules } from 'prismapi'
import { describe, expect, test } from 'vitest'
import V2 from '../../../src/app/v2/server.ts'
import { inPlace } from '../../support/openapi-in-place.ts'
import { exampleWith, useServers } from '../../support/servers.ts'

// Where rules show a value in some rows only, its figures are refused by Prisma Client: the document offers what is taken.

class VideoPolicy extends Policy<'Video'> {
  override abilities({ can, cannot }: Rules<'Video'>) {
    can(this.reads)
    cannot('view', 'rating', { featured: false })
  }
}
class ByPrisma extends V2 {
  override readonly reads = 'prisma'
}

describe.each([
  ['by SQL', V2, true],
  ['by Prisma Client', ByPrisma, false],
])('figures of a value that some rows hide, %s', (_, server, isTaken) => {
  const api = useServers(async () => {
    const { policies, ...parts } = await exampleWith(server)
    return { ...parts, policies: new Map([...policies, ['Video', VideoPolicy]]) as typeof policies }
  })

  test('are offered where they are taken', async () => {
    const ask = (path: string) =>
      api.as(3)('GET', `/api/v2${path}`, { headers: { Accept: 'application/vnd.api+json, application/json' } })
    const { body } = await ask('/openapi.json')
    const { paths } = inPlace(body, 'parameters')
    const asked = paths['/api/v2/videos'].get.parameters.map(({ name }: { readonly name: string }) => name)
    expect(asked.includes('withStats[rating]')).toBe(isTaken)
    expect(asked.includes('withStats[durationSeconds]')).toBe(true)
    expect((await ask('/videos?withStats[rating]=avg')).status).toBe(isTaken ? 200 : 400)
    expect((await ask('/videos?withStats[durationSeconds]=avg')).status).toBe(200)
  })
})
