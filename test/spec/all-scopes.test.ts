import { Server, type Serving } from 'prismapi'
import type { ScopesOfAll } from 'prismapi/types'
import { describe, expect, test } from 'vitest'
import { users } from '../support/api.ts'
import { useBoot } from '../support/boot.ts'
import { expectTold } from '../support/documentation/told.ts'
import { plain, theExample, useServers } from '../support/servers.ts'

const everything: ScopesOfAll = {
  ...{ User: 'public', Profile: 'public', Post: 'public', Tag: 'public', Video: 'public', Comment: 'public' },
}

class V1 extends Server {
  override readonly name = 'v1'
  override serving(phase: Serving) {
    phase.scopes({
      ...everything,
      Tag: { id: { lte: 3 } },
      Video: (user) => (user ? 'public' : { OR: [] }),
      Post: (user) => ({ authorId: user?.id ?? 0 }),
    })
    // More of them narrow it further.
    phase.scope('Tag', { id: { gte: 3 } })
  }
}

const servers = useServers(async () => ({ ...(await theExample()), servers: [plain(V1)] }))
const listed = async (userId: number | null, type: string) => {
  const { body } = await servers.as(userId)('GET', `/api/v1/${type}?page[size]=5`)
  return body.data.length
}

test('each model is seen as its scope says, and all of one that is public', async () => {
  expect(await Promise.all(['tags', 'videos', 'posts', 'profiles'].map((type) => listed(null, type)))).toEqual([
    ...[1, 0, 0, 5],
  ])
  expect([await listed(users.member3, 'videos'), await listed(users.member3, 'posts')]).toEqual([5, 5])
})

describe('a model that is not named', () => {
  test('does not compile', () => {
    const serving = (phase: Serving) => {
      const { Tag: _, ...others } = everything
      // @ts-expect-error Tag is missing
      phase.scopes(others)
      // @ts-expect-error it has no column of that name
      phase.scopes({ ...everything, Tag: { nam: 'a' } })
      // @ts-expect-error there is no such model
      phase.scopes({ ...everything, Tagg: 'public' })
      // @ts-expect-error nothing is no scope
      phase.scopes({ ...everything, Tag: null })
    }
    expect(serving).toBeTypeOf('function')
  })

  const boot = useBoot()
  const server = (scopes: object, serving = 'serving(phase)') => ({
    'src/app/v1/server.js': `import { Server } from 'prismapi'
export default class V1 extends Server {
  name = 'v1'
  ${serving} {
    phase.scopes(${JSON.stringify(scopes)})
  }
}`,
  })
  const { Tag: _, ...others } = everything
  const missing =
    "src/app/v1/server.js: Server v1: scopes() does not name Tag. Add a condition for it, or Tag: 'public'."

  test.each([
    ['is missing', others, missing],
    [
      'is misspelt',
      { ...everything, Tagg: 'public' },
      'src/app/v1/server.js: Server v1: scopes() names Tagg, which is no model. Did you mean Tag?',
    ],
  ])('stops the start where it %s', async (_what, scopes, message) => {
    await expect(boot(server(scopes))).rejects.toThrow(new Error(message))
    await expect(boot(server(scopes, 'async serving(phase)'))).rejects.toThrow(new Error(message))
    expectTold(message)
  })

  test('and nothing else that serving throws for a guest', async () => {
    const text = server(everything)['src/app/v1/server.js'].replace('phase.scopes', 'phase.user.id; phase.scopes')
    expect((await boot({ 'src/app/v1/server.js': text })).servers).toHaveLength(1)
  })
})
