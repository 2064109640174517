import { isDeepStrictEqual } from 'node:util'
import { filterUrls, readingUrls } from '@prismapi/testing/internal/kit/leaks/questions'
import type { World } from '@prismapi/testing/internal/kit/leaks/world'
import type { ServerParts } from 'prismapi/types'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestDatabase, provider } from '../../support/database.ts'
import { fillWorld, worldOf } from '../../support/hidden-world.ts'
import { callers } from '../../support/hidden-worlds.ts'
import { HidingServer, HidingV2 } from '../../support/hiding-servers.ts'
import { partOf } from '../../support/night.ts'
import { askedUrls } from '../../support/readers/asked-urls.ts'
import { randomUrls } from '../../support/readers/random-urls.ts'
import { type Database, exampleWith, type Running, startServers, theExample } from '../../support/servers.ts'

// One database behind two servers, which differ in what reads it: documents must not.

class ByPrisma extends HidingServer {
  override readonly reads = 'prisma'
}
class V2ByPrisma extends HidingV2 {
  override readonly reads = 'prisma'
}

interface Refused {
  readonly status: number
  readonly text: string
}

interface Told {
  readonly detail: string
  readonly source?: { readonly parameter?: string }
}

const errorsOf = ({ status, text }: Refused): readonly Told[] => (status === 400 ? JSON.parse(text).errors : [])
const isAboutSort = ({ source }: Told): boolean => source?.parameter === 'sort'
const isRefusedSort = (told: Told): boolean =>
  isAboutSort(told) && /^Sort parameter [\w.-]+ is not allowed\.$/.test(told.detail)

/** Prisma Client has no way to the index of words. */
const isRefusedSearch = ({ source, detail }: Told): boolean =>
  source?.parameter === 'filter[search]' && detail.startsWith('A search cannot stand beside a filter inside of Json')

/** Prisma cannot sort by a value that is null where it may not be seen; pages by cursors refuse it for another reason. */
function isUnknownToPrisma(one: Refused, other: Refused): boolean {
  if (errorsOf(other).some(isRefusedSearch)) return true
  const rest = (answer: Refused) => errorsOf(answer).filter((told) => !isAboutSort(told))
  return errorsOf(other).some(isRefusedSort) && isDeepStrictEqual(rest(one), rest(other))
}

describe.each([
  ['first', HidingServer, ByPrisma],
  ['second', HidingV2, V2ByPrisma],
] as const)('on the %s server', (_, auto, prisma) => {
  let database: Database
  let byStatements: Running
  let byPrisma: Running

  beforeAll(async () => {
    database = await openTestDatabase()
    await fillWorld(database.writer)
    byStatements = await startServers(database, await exampleWith(auto))
    byPrisma = await startServers(database, await exampleWith(prisma))
  })
  afterAll(async () => {
    for (const each of [byStatements, byPrisma]) await each.close()
    await database.close()
  })

  const world = (): World => worldOf(byStatements.api.servers[0] as World['server'])
  const { length } = callers

  /** The URLs whose answers differ for one of the callers, who take turns. */
  async function differing(urls: readonly string[]): Promise<readonly string[]> {
    const asks = callers.map(([, user]) => [byStatements.as(user), byPrisma.as(user)] as const)
    const { basePath } = world().server
    const found: string[] = []
    for (const [i, url] of urls.entries()) {
      const ask = asks[i % length] as (typeof asks)[number]
      const [one, other] = await Promise.all(ask.map((by) => by('GET', basePath + url)))
      if (one && other && isUnknownToPrisma(one, other)) continue
      if (one?.text !== other?.text || one?.status !== other?.status) found.push(url)
    }
    return found
  }

  test('every URL without a filter', async () => {
    expect(await differing(partOf(readingUrls(world())))).toEqual([])
  }, 180_000)

  test('every filter', async () => {
    expect(await differing(partOf(filterUrls(world(), [3, 1, 0.1])))).toEqual([])
  }, 180_000)

  test('and any mixture of parameters', async () => {
    expect(await differing(partOf(randomUrls(world(), 600)))).toEqual([])
  }, 180_000)

  test('the one reads with statements, the other never does', async () => {
    const { basePath } = world().server
    const reads = async ({ as }: Running) => {
      const queries = await database.queriesOf(() => as(null)('GET', `${basePath}/posts?include=author,tags`))
      return new Set(queries.map((query) => (query.startsWith('select ') ? 'statement' : 'Prisma')))
    }
    expect([await reads(byPrisma), await reads(byStatements)]).toEqual([new Set(['Prisma']), new Set(['statement'])])
  })

  test('what is left to Prisma is what SQL has no exact way for', () => {
    const parts = byStatements.logs
      .filter(({ message }) => message.startsWith('Read by Prisma'))
      .map(({ fields }) => fields.part)
    expect(provider === 'sqlite' ? ['a list of Float'] : []).toEqual(expect.arrayContaining([...new Set(parts)]))
  })
})

describe('on the example', () => {
  let database: Database
  let byStatements: Running
  let byPrisma: Running

  beforeAll(async () => {
    database = await openTestDatabase()
    const example = await theExample()
    byStatements = await startServers(database, example)
    byPrisma = await startServers(database, { ...example, servers: example.servers.map(readByPrisma) })
  })
  afterAll(async () => {
    for (const each of [byStatements, byPrisma]) await each.close()
    await database.close()
  })

  test('every URL that any test of it reads', async () => {
    const asks = [null, 1, 3].map((user) => [byStatements.as(user), byPrisma.as(user)] as const)
    const urls = partOf(askedUrls())
    const found: string[] = []
    for (const [i, url] of urls.entries()) {
      const [one, other] = await Promise.all(
        (asks[i % asks.length] as (typeof asks)[number]).map((by) => by('GET', url)),
      )
      if (one && other && isUnknownToPrisma(one, other)) continue
      const texts = [one, other].map((each) => (url.endsWith('/openapi.json') ? withoutHiddenOrders(each) : each?.text))
      if (texts[0] !== texts[1] || one?.status !== other?.status) found.push(url)
    }
    expect(urls.length).toBeGreaterThan(1000)
    expect(found).toEqual([])
  }, 180_000)
})

/** OpenAPI offers the orders that its server knows: by the e-mail addresses of users, which members do not all see, only with SQL. */
const withoutHiddenOrders = (answer: Refused | undefined): string =>
  JSON.stringify(JSON.parse(answer?.text ?? 'null'), (_, value) =>
    Array.isArray(value) ? value.filter((each) => !/\.email$/.test(String(each))) : value,
  )

const readByPrisma = (parts: ServerParts): ServerParts => ({
  ...parts,
  server: class extends (parts.server as typeof HidingServer) {
    override readonly reads = 'prisma'
  },
})
