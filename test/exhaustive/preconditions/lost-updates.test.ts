import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Answer } from '../../support/api.ts'
import { addPost } from '../../support/rows.ts'
import { useServers } from '../../support/servers.ts'
import { versionedParts } from '../../support/versioned.ts'

const api = useServers(versionedParts)

const clients = 8
const increments = 1000

interface Tally {
  readonly path: string
  readonly read: (attributes: Readonly<Record<string, unknown>>) => number
  readonly write: (count: number) => object
}

/** Adds one as often as it says, each time to what it knows, and reads again where somebody was faster. */
async function increment({ path, read, write }: Tally, times: number): Promise<{ readonly refused: number }> {
  const ask = api.as(null)
  let refused = 0
  let known: Answer = await ask('GET', path)
  for (let done = 0; done < times; ) {
    const { type, id, attributes } = known.body.data
    const answer = await ask('PATCH', path, {
      headers: { 'If-Match': known.headers.get('ETag') as string },
      body: { data: { type, id, attributes: write(read(attributes) + 1) } },
    })
    if (answer.status === 200) done++
    else if (answer.status === 412) refused++
    // Too many met each other: nothing was done.
    else expect(answer.status).toBe(503)
    known = answer.status === 200 ? answer : await ask('GET', path)
  }
  return { refused }
}

async function count(tally: Tally): Promise<unknown> {
  const results = await Promise.all(Array.from({ length: clients }, () => increment(tally, increments / clients)))
  expect(results.some(({ refused }) => refused > 0)).toBe(true)
  return tally.read((await api.as(null)('GET', tally.path)).body.data.attributes)
}

test('no increment is lost where a column counts the changes', async () => {
  const { id } = await api.db.video.create({
    data: { id: randomUUID(), title: 'V', url: 'https://a.example/v', durationSeconds: 1, rating: 0 },
  })
  const path = `/api/open/videos/${id}`
  expect(await count({ path, read: ({ rating }) => Number(rating), write: (rating) => ({ rating }) })).toBe(increments)
  expect((await api.db.video.findUniqueOrThrow({ where: { id } })).durationSeconds).toBe(1 + increments)
}, 120_000)

test('nor where the instant of the last change is the version, however many fall into a millisecond', async () => {
  const { id } = await addPost(api.db, { content: '0' })
  const path = `/api/open/posts/${id}`
  expect(await count({ path, read: ({ content }) => Number(content), write: (n) => ({ content: String(n) }) })).toBe(
    increments,
  )
}, 120_000)

test('nor one of a relation: of those that replace what they have read, all but one read again', async () => {
  const ask = api.as(null)
  const { id } = await addPost(api.db)
  const path = `/api/open/posts/${id}/relationships/tags`
  const ids = Array.from({ length: clients }, (_, i) => String(i + 1))
  const add = async (own: string): Promise<void> => {
    for (;;) {
      const shown = await ask('GET', path)
      const { status } = await ask('PATCH', path, {
        headers: { 'If-Match': shown.headers.get('ETag') as string },
        body: { data: [...shown.body.data, { type: 'tags', id: own }] },
      })
      if (status === 200) return
      expect([412, 503]).toContain(status)
    }
  }
  await Promise.all(ids.map(add))
  const { body } = await ask('GET', path)
  expect(body.data.map((each: { id: string }) => each.id).sort()).toEqual(ids)
}, 120_000)
