import { beforeEach, describe, expect, test } from 'vitest'
import { users } from '../../support/api.ts'
import {
  atomic,
  Counting,
  CountingOperations,
  counting,
  done,
  fresh,
  postKeyed,
  replayed,
  shownOf,
  tagNamed,
} from '../../support/idempotency.ts'
import { addPost, addTag } from '../../support/rows.ts'
import { type TextAnswer, useServers } from '../../support/servers.ts'

const v1 = useServers(() => counting(Counting, CountingOperations))

beforeEach(() => {
  done.length = 0
})

describe('the first answer is the answer to every repeat', () => {
  test('of a POST: 201, Location, ETag and body, and the hooks run once', async () => {
    const [key, name] = [fresh(), fresh('keyed-tag')]
    const sent = { key, body: tagNamed(name), url: '/api/v1/tags?fields[tags]=name' }
    const first = await postKeyed(v1.as(users.admin), sent)
    const second = await postKeyed(v1.as(users.admin), sent)

    expect(first.status).toBe(201)
    expect(first.headers.get('Location')).toBe(first.body.data.links.self)
    expect(shownOf(second)).toEqual(shownOf(first))
    expect([replayed(first), replayed(second)]).toEqual([null, 'true'])
    expect(await v1.db.tag.count({ where: { name } })).toBe(1)
    expect(done).toEqual([`created ${name}`, `committed ${name}`])
  })

  test('what a POST answers without a key is what it answers with one', async () => {
    const url = '/api/v1/tags?include=posts'
    const plain = await v1.as(users.admin)('POST', url, { body: tagNamed('the-plain-tag') })
    const keyed = await postKeyed(v1.as(users.admin), { key: fresh(), body: tagNamed('the-keyed-tag'), url })
    // Ids stand alone: digits inside of other values are not theirs.
    const like = (text: string) =>
      text
        .replaceAll('the-keyed-tag', 'the-plain-tag')
        .replace(new RegExp(`\\b${keyed.body.data.id}\\b`, 'g'), String(plain.body.data.id))
    const headersOf = (answer: TextAnswer) => {
      // They follow from the text, in which an id may have a digit more.
      const { etag: _, 'content-length': __, ...headers } = shownOf(answer).headers
      return headers
    }
    expect(like(keyed.text)).toBe(plain.text)
    expect(plain.headers.get('ETag') === null).toBe(keyed.headers.get('ETag') === null)
    const told = Object.entries(headersOf(keyed)).map(([name, value]) => [name, like(String(value))])
    expect(Object.fromEntries(told)).toEqual(headersOf(plain))
  })

  test('of custom actions: documents, meta, nothing', async () => {
    const names = [fresh('keyed-tag'), fresh('keyed-tag')]
    for (const [action, body] of [
      ['import', { meta: { names } }],
      ['ping', undefined],
      ['nothing', undefined],
    ] as const) {
      const sent = { key: fresh(), body, url: `/api/v1/tags/-actions/${action}` }
      const first = await postKeyed(v1.as(users.admin), sent)
      const second = await postKeyed(v1.as(users.admin), sent)
      expect(shownOf(second)).toEqual(shownOf(first))
      expect(replayed(second)).toBe('true')
    }
    expect(done).toEqual([`import ${names}`, `imported ${names}`, 'ping', 'nothing'])
  })

  test('of members that are added to a relationship', async () => {
    const post = await addPost(v1.db)
    const tag = await addTag(v1.db)
    const sent = {
      key: fresh(),
      url: `/api/v1/posts/${post.id}/relationships/tags`,
      body: { data: [{ type: 'tags', id: String(tag.id) }] },
    }
    const first = await postKeyed(v1.as(users.admin), sent)
    await v1.db.post.update({ where: { id: post.id }, data: { tags: { set: [] } } })
    const second = await postKeyed(v1.as(users.admin), sent)
    expect(first.status).toBe(204)
    expect(shownOf(second)).toEqual(shownOf(first))
    expect(await v1.db.tag.count({ where: { posts: { some: { id: post.id } } } })).toBe(0)
  })

  test('of atomic operations, extension and all', async () => {
    const [one, other] = [fresh('keyed-tag'), fresh('keyed-tag')]
    const operation = (name: string) => ({ op: 'add', data: tagNamed(name).data })
    const sent = {
      key: fresh(),
      url: '/api/v2/operations',
      headers: { 'Content-Type': atomic },
      body: { 'atomic:operations': [operation(one), operation(other)] },
    }
    const first = await postKeyed(v1.as(users.admin), sent)
    const second = await postKeyed(v1.as(users.admin), sent)
    expect(first.body['atomic:results'].map(({ data }: { data: { attributes: object } }) => data.attributes)).toEqual([
      { name: one },
      { name: other },
    ])
    expect(shownOf(second)).toEqual(shownOf(first))
    // As without a key.
    expect([first.headers.get('ETag'), second.headers.get('ETag')]).toEqual([null, null])
    expect(replayed(second)).toBe('true')
    expect(done).toEqual([`created ${one}`, `created ${other}`, `committed ${one}`, `committed ${other}`])
  })

  test('of an unforeseen error: 500 with the same id, and nothing is written', async () => {
    const sent = { key: fresh(), body: { meta: { names: ['broken'] } }, url: '/api/v1/tags/-actions/import' }
    const first = await postKeyed(v1.as(users.admin), sent)
    const second = await postKeyed(v1.as(users.admin), sent)
    expect(first.status).toBe(500)
    expect(shownOf(second)).toEqual(shownOf(first))
    expect(done).toEqual(['import broken'])
    expect(await v1.db.tag.count({ where: { name: 'broken' } })).toBe(0)
    expect(v1.logs.filter(({ message }) => message === 'Unforeseen error')).toHaveLength(1)
  })

  test('also where the document is laid out in another way, or the key is quoted', async () => {
    const [key, name] = [fresh(), fresh('keyed-tag')]
    const first = await postKeyed(v1.as(users.admin), { key, body: tagNamed(name) })
    const second = await postKeyed(v1.as(users.admin), { key: `"${key}"`, body: tagNamed(name) })
    expect(shownOf(second)).toEqual(shownOf(first))
  })
})

describe('no answer is kept', () => {
  test('of what was refused: the same key may bring something better', async () => {
    const [key, name] = [fresh(), fresh('keyed-tag')]
    const wrong = await postKeyed(v1.as(users.admin), { key, body: tagNamed('') })
    const right = await postKeyed(v1.as(users.admin), { key, body: tagNamed(name) })
    expect([wrong.status, right.status, replayed(right)]).toEqual([422, 201, null])
  })

  test('of what its user might not do, until they may', async () => {
    const [key, name] = [fresh(), fresh('keyed-tag')]
    const ask = v1.as(users.member6)
    const denied = await postKeyed(ask, { key, body: tagNamed(name) })
    await v1.db.user.update({ where: { id: users.member6 }, data: { role: 'ADMIN' } })
    const allowed = await postKeyed(ask, { key, body: tagNamed(name) })
    await v1.db.user.update({ where: { id: users.member6 }, data: { role: 'MEMBER' } })
    expect([denied.status, allowed.status]).toEqual([403, 201])
  })

  test('of requests without a key, and nothing is asked of the database for it', async () => {
    const body = tagNamed(fresh('keyed-tag'))
    const queries = await v1.queriesOf(() => v1.as(users.admin)('POST', '/api/v1/tags', { body }))
    expect(queries.filter((sql) => sql.includes('IdempotencyKey'))).toEqual([])
  })

  test('of other methods: they may be repeated as they are', async () => {
    const tag = await addTag(v1.db)
    const headers = { 'Idempotency-Key': fresh() }
    const url = `/api/v1/tags/${tag.id}`
    const patch = (name: string) =>
      v1.as(users.admin)('PATCH', url, {
        headers,
        body: { data: { type: 'tags', id: String(tag.id), attributes: { name } } },
      })
    const names = [fresh('keyed-tag'), fresh('keyed-tag')] as const
    expect([(await patch(names[0])).status, (await patch(names[1])).status]).toEqual([200, 200])
    expect((await v1.as(users.admin)('GET', url, { headers })).body.data.attributes.name).toBe(names[1])
  })
})
