import { beforeAll, expect, test } from 'vitest'
import { mediaType, useApi, users } from '../../support/api.ts'
import { openEvents } from '../../support/event-stream.ts'

// A search beside what else can be asked of a collection: QUERY, exports, streams, and responses that are kept.

const api = useApi()
const admin = api.as(users.admin)
const post = (title: string, content = 'Nothing else.') =>
  api.make.post.create({ title, content, synopsis: null, publishedAt: new Date(0) })

let ids: string[]
beforeAll(async () => {
  const [inContent, inTitle] = [await post('Travel', 'We saw a zeppelin.'), await post('Zeppelins')]
  ids = [String(inTitle.id), String(inContent.id)]
})

const asked = 'filter[search]=zeppelin&sort=-search'

async function send(path: string, init: { method?: string; headers?: Record<string, string>; body?: string } = {}) {
  const authorization = await api.authorization(users.admin)
  return fetch(api.url(path), { ...init, headers: { accept: mediaType, authorization, ...init.headers } })
}

const query = (body: string) =>
  send('/api/v2/posts', {
    method: 'QUERY',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: encodeURI(body),
  })

const idsOf = (document: { data: { id: string }[] }) => document.data.map(({ id }) => id)

test('QUERY has the response of GET', async () => {
  const [one, other] = [await send(`/api/v2/posts?${encodeURI(asked)}`), await query(asked)]
  const text = await one.text()
  expect(await other.text()).toBe(text)
  expect(idsOf(JSON.parse(text))).toEqual(ids)
  expect(other.headers.get('etag')).toBe(one.headers.get('etag'))
})

test('a link holds a long question with its search', async () => {
  const titles = Array.from({ length: 90 }, (_, i) => `A title that is rather long, for it has the number ${i}`)
  const long = `${asked}&filter[title][in]=Zeppelins,${titles.join().replaceAll(', ', ' ')}`
  const { links, data } = (await (await query(long)).json()) as { links: { self: string }; data: { id: string }[] }
  expect(idsOf({ data })).toEqual(ids.slice(0, 1))
  const { pathname, search } = new URL(links.self)
  expect(search).toMatch(/^\?query=/)
  expect(idsOf((await admin.get(pathname + search)).body)).toEqual(ids.slice(0, 1))
})

test.each([
  ['text/csv', (text: string) => text.split('\r\n').slice(1, -1)],
  [
    'application/x-ndjson',
    (text: string) =>
      text
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line).id),
  ],
] as const)('%s has the rows in the order of the search', async (accept, linesOf) => {
  const response = await send(`/api/v2/posts?${asked}&fields[posts]=`, { headers: { accept } })
  expect(linesOf(await response.text())).toEqual(ids)
})

test('a response that is kept has what is written behind it', async () => {
  const found = async () => idsOf((await api.guest.get('/api/v2/posts?filter[search]=airship&sort=-search,id')).body)
  for (let i = 0; i < 4; i++) expect(await found()).toEqual([])
  const { id } = await post('An airship')
  expect(await found()).toEqual([String(id)])
  await api.db.post.update({ where: { id }, data: { title: 'A boat' } })
  expect(await found()).toEqual([])
})

test('a stream tells what comes into the search, and what leaves it', async () => {
  const stream = await openEvents(api.url('/api/v2/posts?filter[search]=submarine&sort=-search&fields[posts]=title'))
  try {
    expect((await stream.next()).data.data).toEqual([])
    const { id } = await post('A submarine')
    const { event, data } = await stream.next()
    expect([event, data.data.id, data.data.attributes]).toEqual(['upsert', String(id), { title: 'A submarine' }])
    await api.db.post.update({ where: { id }, data: { title: 'A bathyscaphe' } })
    const gone = await stream.next()
    expect([gone.event, gone.data]).toEqual(['remove', { data: { type: 'posts', id: String(id) } }])
  } finally {
    await stream.close()
  }
})
