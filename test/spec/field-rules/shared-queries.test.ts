import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import V2 from '../../../src/app/v2/server.ts'
import { openTestDatabase } from '../../support/database.ts'
import { fieldServers } from '../../support/field-policies.ts'
import { type Database, type Running, startServers } from '../../support/servers.ts'

// A server keeps queries that it has checked. What one caller may not see is no part of what another one is answered.

const callers = [null, 1, 3, 4] as const
const page = 'page[number]=1&page[size]=5'
const urls = [
  `/users?${page}`,
  `/users?sort=email&${page}`,
  '/users?sort=-email&page[number]=2&page[size]=5',
  '/users?sort=-role,name',
  '/users?filter[email][contains]=e',
  '/users?filter[email][isNull]=true',
  '/users?filter[not][0][role]=ADMIN',
  '/users?filter[posts][exists]=true',
  `/posts?${page}`,
  `/posts?sort=author.email&${page}`,
  '/posts?filter[author.email][contains]=member',
  '/posts?filter[author]=5',
  '/posts?filter[synopsis][isNull]=true&sort=synopsis',
  '/posts?include=author&includeFilter[comments][author.email][contains]=member&include=comments',
  '/posts?withStats[*]=count',
  '/videos?withStats[rating]=avg,min,max',
  '/videos?withStats[*]=count&sort=-rating',
  `/videos?${page}`,
  '/users/4/posts?sort=title',
  '/users/4/posts?filter[content][contains]=e',
]

describe('whoever asked before, a caller is answered as if nobody had', () => {
  let database: Database
  const alone = new Map<number | null, Running>()
  beforeAll(async () => {
    database = await openTestDatabase()
    for (const caller of callers) alone.set(caller, await startServers(database, await fieldServers(V2)))
  })
  afterAll(async () => {
    for (const each of alone.values()) await each.close()
    await database.close()
  })

  const answer = async (running: Running, caller: number | null, url: string) => {
    const { status, text } = await running.as(caller)('GET', `/api/v2${url}`)
    return { caller, url, status, text }
  }

  test.each([
    ['those who see less first', callers],
    ['those who see more first', callers.toReversed()],
    ['others in between', [3, 1, 4, null, 1, 3]],
  ])('%s', async (_, order) => {
    const shared = await startServers(database, await fieldServers(V2))
    try {
      for (const url of urls)
        for (const caller of order)
          expect(await answer(shared, caller, url)).toEqual(await answer(alone.get(caller) as Running, caller, url))
    } finally {
      await shared.close()
    }
  })

  test('and the callers are answered differently', async () => {
    const texts = async (url: string) =>
      new Set(
        await Promise.all(
          callers.map(async (caller) => (await answer(alone.get(caller) as Running, caller, url)).text),
        ),
      )
    for (const url of urls.filter((each) => each.startsWith('/users?')))
      expect((await texts(url)).size, url).toBeGreaterThan(1)
  })
})
