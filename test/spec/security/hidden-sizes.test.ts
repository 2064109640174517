import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { resources } from '../../../prisma/generated/resources.ts'
import { parseNumber } from '../../../scripts/number-option.ts'
import V1 from '../../../src/app/v1/server.ts'
import { users } from '../../support/api.ts'
import { openTestDatabase } from '../../support/database.ts'
import { randomQueries, urlOf } from '../../support/price/random-queries.ts'
import { samplesOf } from '../../support/price/samples.ts'
import { exampleWith, type Running, startServers } from '../../support/servers.ts'

// The price is no oracle: how many rows there are that a guest may not see decides nothing for them.

/** As many drafts as keep the table, and the rows of their author, between a thousand rows and ten thousand. */
const fewDrafts = 1200
const manyDrafts = 8500
const requests = 300
const seed = parseNumber('FC_SEED', process.env.FC_SEED, { otherwise: Date.now() % 2 ** 31, from: 0 })

/** So that some of the requests are refused, and some are not. */
class Priced extends V1 {
  override readonly limits = { cost: 10_000 }
}

const open: { close(): Promise<void> }[] = []
afterAll(async () => {
  for (const each of open) await each.close()
})

async function withDrafts(count: number) {
  const database = await openTestDatabase()
  const draft = { title: 'T', content: 'C', authorId: users.admin, publishedAt: null }
  await database.writer.post.createMany({
    data: Array.from({ length: count }, () => ({ ...draft, slug: `draft-${randomUUID()}` })),
  })
  if (resources.provider === 'postgresql') await database.writer.$executeRawUnsafe('ANALYZE')
  const running = await startServers(database, await exampleWith(Priced))
  open.push(running, database)
  return { database, running }
}

let few: Awaited<ReturnType<typeof withDrafts>>
let many: Awaited<ReturnType<typeof withDrafts>>
beforeAll(async () => {
  few = await withDrafts(fewDrafts)
  many = await withDrafts(manyDrafts)
})

test('what is refused is refused however many hidden rows there are, up to ten times as many', async () => {
  const [server] = few.running.api.servers
  if (!server) throw new Error('There is no server.')
  const random = randomQueries(server, await samplesOf(server, few.database.writer), seed)
  const urls = Array.from({ length: requests }, () => urlOf(server, random.next()))
  const answers = async ({ running }: { readonly running: Running }) => {
    const found: string[] = []
    for (const url of urls) {
      const { status, body } = await running.as(null)('GET', url)
      found.push(`${status} ${body.errors?.[0].code ?? ''} ${url}`)
    }
    return found
  }
  // The statistics of PostgreSQL are there after the first request.
  for (const { running } of [few, many]) await running.as(null)('GET', '/api/v1/posts')
  const answered = await answers(few)
  expect(await answers(many), `FC_SEED=${seed}`).toEqual(answered)
  const kinds = new Set(answered.map((answer) => answer.split(' ', 2).join(' ')))
  expect([kinds.has('200 '), kinds.has('400 too-expensive')]).toEqual([true, true])
})
