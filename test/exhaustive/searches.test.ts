import { walk } from '@prismapi/testing/internal/kit/leaks/walk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import V2 from '../../src/app/v2/server.ts'
import { hidingCallers } from '../support/field-rules/hidden-cells.ts'
import { Twins } from '../support/field-rules/twins.ts'
import { callers, useWorlds } from '../support/hidden-worlds.ts'
import { HidingV2 } from '../support/hiding-servers.ts'

// A search tells nothing of what is hidden: by what is found, its order, its number, its pages, or its price.

const patience = 120_000

/** Words of values that are hidden, of those in their place, and of what all may see. */
const texts = [
  ...['secret', 'sealed', 'other', '901', '"secret text"', 'text -secret', 'secret or sealed', 'hidden', '"n hidden"'],
  ...['post', 'post -secret', 'post -other', 'synopsis', 'nice -hidden', 'title or synopsis', 'nothingofthekind'],
]

const askedOf = (text: string): readonly string[] => {
  const words = encodeURIComponent(text)
  return [
    `/posts?filter[search]=${words}&sort=-search,id`,
    `/posts?filter[search]=${words}&sort=search,-id&page[size]=3`,
    `/posts?filter[search]=${words}&sort=-search&page[size]=2&include=author&withCount=comments`,
    `/posts?filter[not][0][search]=${words}&sort=-createdAt&page[size]=5`,
    `/posts?filter[or][0][search]=${words}&filter[or][1][title]=x&sort=id`,
    `/posts/-stats?groupBy=author&filter[search]=${words}`,
    `/users?filter[posts.search]=${words}&fields[users]=name`,
    `/users/3/posts?filter[search]=${words}&sort=-search,id`,
    `/tags?filter[posts.search]=${words}`,
    `/videos?filter[search]=${words}&sort=-search`,
  ]
}

const asked = texts.flatMap(askedOf)

/** Where little may be asked, prices are told by what is refused. */
class Frugal extends V2 {
  override readonly limits = { ...new V2().limits, cost: 400 }
}

describe.each([
  ['a server', V2],
  ['a server where little may be asked', Frugal],
] as const)('two databases that differ in hidden values, behind %s', (_name, server) => {
  describe.each(Object.entries(hidingCallers))('are the same to %s', (_, caller) => {
    let twins: Twins
    beforeAll(async () => {
      twins = await Twins.open(server, caller)
    })
    afterAll(() => twins.close())

    test(
      'whatever is searched, as documents and as CSV',
      async () => {
        for (const url of asked) await twins.read(url)
        for (const text of texts)
          await twins.read(`/posts?filter[search]=${encodeURIComponent(text)}&sort=-search,id`, { Accept: 'text/csv' })
        expect(twins.differing).toEqual([])
        expect(twins.answered('read', 2)).toBeGreaterThan(20)
        if (server === Frugal) expect(twins.answered('read', 4)).toBeGreaterThan(20)
      },
      patience,
    )
  })
})

describe('hidden rows', () => {
  const worlds = useWorlds({ server: HidingV2 })

  test.each(callers)(
    'are found by no search of %s',
    async (_, userId) => {
      const { leaks } = await walk(worlds.world, asked, worlds.walker(userId))
      expect(leaks).toEqual([])
    },
    patience,
  )
})
