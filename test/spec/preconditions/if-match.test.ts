import { beforeEach, describe, expect, test } from 'vitest'
import { expectErrors, expectErrorsOf11, forbidden, notFound } from '../../support/answers.ts'
import { type Answer, type Caller, mediaType, useApi, users } from '../../support/api.ts'
import { addPost, addTag, tagsOf } from '../../support/rows.ts'

const api = useApi()
const author = api.as(users.member3)
const admin = api.as(users.admin)

const stale = {
  status: '412',
  title: 'Precondition Failed',
  detail: 'The resource is not at the version that the request names: read it again before you change it.',
}

let id: number
beforeEach(async () => {
  id = (await addPost(api.db, { tags: { connect: [{ id: 1 }, { id: 2 }] } })).id
})

const path = (rest = '') => `/posts/${id}${rest}`
const tagOf = async (url = path()) => (await author.get(url)).headers.get('ETag') as string
const changed = { data: { type: 'posts', attributes: { title: 'Changed' } } }
const linkage = (...ids: readonly number[]) => ({ data: ids.map((each) => ({ type: 'tags', id: String(each) })) })

/** Every write of a resource that there is, and what it leads to. */
const writes: readonly [string, (match: string, caller?: Caller) => Promise<Answer>][] = [
  [
    'PATCH',
    (match, caller = author) =>
      caller.patch(path(), {
        headers: { 'If-Match': match },
        body: { data: { ...changed.data, id: String(id) } },
      }),
  ],
  ['DELETE', (match, caller = author) => caller.delete(path(), { headers: { 'If-Match': match } })],
  [
    'PATCH of a relationship',
    (match, caller = author) =>
      caller.patch(path('/relationships/tags'), { headers: { 'If-Match': match }, body: linkage(3) }),
  ],
  [
    'POST to a relationship',
    (match, caller = author) =>
      caller.post(path('/relationships/tags'), { headers: { 'If-Match': match }, body: linkage(3) }),
  ],
  [
    'DELETE from a relationship',
    (match, caller = author) =>
      caller.delete(path('/relationships/tags'), { headers: { 'If-Match': match }, body: linkage(1) }),
  ],
]
const state = async () => {
  const post = await api.db.post.findUniqueOrThrow({ where: { id } })
  return { ...post, tags: await tagsOf(api.db, id) }
}

describe.each(writes)('%s', (_, write) => {
  test('is done where the resource is at the version', async () => {
    const before = await state()
    expect((await write(await tagOf())).status).toBeLessThan(300)
    const after = await state()
    expect(after).not.toEqual(before)
    expect(after.updatedAt > before.updatedAt).toBe(true)
  })

  test('also by the tag of a relationship, of an answer that shows other things, and among others', async () => {
    for (const rest of ['/relationships/tags', '?include=author&fields[posts]=author']) {
      expect((await write(`"other", ${await tagOf(path(rest))}`)).status).toBeLessThan(300)
      id = (await addPost(api.db)).id
    }
  })

  test('is 412 where it is not any more, and changes nothing', async () => {
    const tag = await tagOf()
    await api.db.post.update({ where: { id }, data: { content: 'Theirs' } })
    const before = await state()
    expectErrors(await write(tag), stale)
    expectErrors(await write('"0"'), stale)
    expect(await state()).toEqual(before)
  })

  test('is 412 after each of the others, which make the resource another one', async () => {
    for (const [name, other] of writes) {
      if (name === 'DELETE') continue
      id = (await addPost(api.db, { tags: { connect: [{ id: 1 }, { id: 2 }] } })).id
      const tag = await tagOf()
      expect((await other('*')).status).toBeLessThan(300)
      const before = await state()
      expectErrors(await write(tag), stale)
      expect(await state()).toEqual(before)
    }
  })

  test('is done with *, whatever the version', async () => {
    expect((await write('*')).status).toBeLessThan(300)
  })

  test('a weak tag is no match, and what is no tag is refused', async () => {
    const before = await state()
    expectErrors(await write(`W/${await tagOf()}`), stale)
    for (const wrong of ['abc', '"open', '*, "a"', ',', '"a" "b"'])
      expectErrors(await write(wrong), {
        status: '400',
        title: 'Invalid Header',
        detail: 'The If-Match header must be * or a list of entity tags in double quotes.',
      })
    expect(await state()).toEqual(before)
  })

  test('who may not change the resource, or not see it, does not learn its version', async () => {
    const tag = await tagOf()
    for (const match of [tag, '"other"', '*']) {
      expectErrors(await write(match, api.as(users.member4)), forbidden())
      expect((await write(match, api.guest)).status).toBe(403)
    }
    await api.db.post.update({ where: { id }, data: { publishedAt: null } })
    for (const match of [await tagOf(), '"other"', '*']) {
      expectErrors(await write(match, api.as(users.member4)), notFound)
      expectErrors(await write(match, api.guest), notFound)
    }
    expect((await write(await tagOf())).status).toBeLessThan(300)
  })
})

test('the second server does the same', async () => {
  const tag = await tagOf()
  const patch = (match: string) =>
    author.patch(`/api/v2/posts/${id}`, {
      headers: { 'If-Match': match },
      body: { data: { ...changed.data, id: String(id) } },
    })
  const { status, headers } = await patch(tag)
  expect(status).toBe(200)
  expectErrorsOf11(await patch(tag), stale)
  expect((await patch(headers.get('ETag') as string)).status).toBe(200)
})

test('of two writers that read the same, the second is told, however soon it comes', async () => {
  for (let round = 0; round < 20; round++) {
    id = (await addPost(api.db, { tags: { connect: [{ id: 1 }, { id: 2 }] } })).id
    const tag = await tagOf()
    const answers = await Promise.all(writes.flatMap(([name, write]) => (name === 'DELETE' ? [] : [write(tag)])))
    expect(answers.filter(({ status }) => status < 300)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 412)).toHaveLength(3)
  }
})

test('a document that says nothing makes nothing new', async () => {
  const tag = await tagOf()
  const { status } = await author.patch(path(), { body: { data: { type: 'posts', id: String(id) } } })
  expect({ status, tag: await tagOf() }).toEqual({ status: 200, tag })
})

test('If-None-Match of a write rules versions out, and * everything that is there', async () => {
  const tag = await tagOf()
  const patch = (noneMatch: string) =>
    author.patch(path(), {
      headers: { 'If-None-Match': noneMatch },
      body: { data: { ...changed.data, id: String(id) } },
    })
  for (const header of [tag, `W/${tag}`, '*'])
    expectErrors(await patch(header), { ...stale, detail: 'The resource is what If-None-Match rules out.' })
  expect((await patch('"other"')).status).toBe(200)
})

test('without a version a resource is changed by * alone', async () => {
  const tag = await addTag(api.db)
  const url = `/tags/${tag.id}`
  const weak = (await admin.get(url)).headers.get('ETag') as string
  const patch = (match: string) =>
    admin.patch(url, {
      headers: { 'If-Match': match },
      body: { data: { type: 'tags', id: String(tag.id), attributes: { name: `${tag.name}-changed` } } },
    })
  for (const match of [weak, weak.replace('W/', ''), '"null"'])
    expectErrors(await patch(match), {
      ...stale,
      detail: 'Resources of type tags have no version that a request could name.',
    })
  expect((await patch('*')).status).toBe(200)
})

test('a member action is a change of its resource', async () => {
  id = (await addPost(api.db, { publishedAt: null })).id
  const tag = await tagOf()
  const publish = (match: string) => author.post(path('/-actions/publish'), { headers: { 'If-Match': match } })
  expectErrors(await publish('"other"'), stale)
  expect((await publish(tag)).status).toBe(200)
  expectErrors(await publish(tag), stale)
})

test('a deleted post has a version as well: it is restored, or removed for good, by who names it', async () => {
  const url = `/api/v2/posts/${id}`
  const alive = await tagOf(url)
  const send = (method: string, match: string, body?: object) =>
    admin.request(method, url, { headers: { 'If-Match': match }, ...(body && { body }) })
  expect((await send('DELETE', alive)).status).toBe(204)
  const deleted = (await admin.get(url)).headers.get('ETag') as string
  const restored = { data: { type: 'posts', id: String(id), attributes: { deletedAt: null } } }
  expect((await send('PATCH', alive, restored)).status).toBe(412)
  expect((await send('DELETE', alive)).status).toBe(412)
  const { status, headers } = await send('PATCH', deleted, restored)
  expect(status).toBe(200)
  expect((await send('DELETE', deleted)).status).toBe(412)
  expect((await send('DELETE', headers.get('ETag') as string)).status).toBe(204)
  expect((await send('DELETE', (await admin.get(url)).headers.get('ETag') as string)).status).toBe(204)
  expect(await api.db.post.count({ where: { id } })).toBe(0)
})

test('a clock that was put back makes no version again', async () => {
  const updatedAt = new Date('2999-01-01T00:00:00Z')
  await api.db.post.update({ where: { id }, data: { updatedAt } })
  const headers = { 'If-Match': '"2999-01-01T00:00:00.000Z"', Accept: mediaType }
  expect((await author.patch(path(), { headers, body: { data: { ...changed.data, id: String(id) } } })).status).toBe(
    200,
  )
  expect((await api.db.post.findUniqueOrThrow({ where: { id } })).updatedAt).toEqual(new Date(updatedAt.getTime() + 1))
})

test('a repeated DELETE removes for good what the first deleted softly, unless it names the version', async () => {
  const url = `/api/v2/posts/${id}`
  const tag = await tagOf(url)
  const remove = (headers: Readonly<Record<string, string>>) => admin.delete(url, { headers })
  expect((await remove({ 'If-Match': tag })).status).toBe(204)
  const repeated = await remove({ 'If-Match': tag })
  expect([repeated.status, repeated.body.errors]).toEqual([412, [stale]])
  expect((await state()).deletedAt).toEqual(expect.any(Date))
  expect((await remove({})).status).toBe(204)
  expect(await api.db.post.count({ where: { id } })).toBe(0)
})
