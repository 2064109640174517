import { readingUrls } from '@prismapi/testing/internal/kit/leaks/questions'
import { compareWithMissing, walk } from '@prismapi/testing/internal/kit/leaks/walk'
import { Schema } from 'prismapi'
import { describe, expect, test } from 'vitest'
import { users } from '../support/api.ts'
import { callers, useWorlds } from '../support/hidden-worlds.ts'
import { HidingServer, HidingV2 } from '../support/hiding-servers.ts'
import { isNight } from '../support/night.ts'

// Hidden rows of every model, and the same database without them: whatever is asked, the answers are the same.

const patience = 180_000

const isAmong =
  (...ids: readonly (number | null)[]) =>
  ([, userId]: (typeof callers)[number]): boolean =>
    ids.includes(userId)

describe.each([
  ['first', HidingServer, callers.filter(isNight ? () => true : isAmong(null, users.editor))],
  // What differs there: the pages of posts, a renamed and a computed attribute, and a bin that editors look into.
  ['second', HidingV2, callers.filter(isNight ? isAmong(null, users.editor) : isAmong(users.editor))],
] as const)('on the %s server', (_, server, askers) => {
  const worlds = useWorlds({ server })

  test.each(askers)(
    'no URL that reads tells %s of a hidden row, and every row that may be seen is met',
    async (_, userId) => {
      const { leaks, seen } = await walk(worlds.world, readingUrls(worlds.world), worlds.walker(userId))
      expect({ leaks, seen }).toEqual({ leaks: [], seen: worlds.visibleTo(userId) })
    },
    patience,
  )

  test.each(askers)('what is below a hidden resource answers %s as if it had never been', async (_, userId) => {
    expect(await compareWithMissing(worlds.world, worlds.walker(userId).get)).toEqual([])
  })
})

describe('a default order that leads through a relation', () => {
  class ByAuthor extends Schema<'Post'> {
    override softDelete = 'deletedAt' as const
    override readonly defaultSort = 'author.name'
  }
  const worlds = useWorlds({ schemas: { Post: ByAuthor } })

  test('does not tell where the names of hidden authors lie', async () => {
    expect((await walk(worlds.world, ['/posts'], worlds.walker(users.admin))).leaks).toEqual([])
  })
})
