import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { expectErrorsOf11, expectNothing, relatedNotFound } from '../../support/answers.ts'
import { type Fence, fencesOf } from '../../support/documentation/fences.ts'
import {
  link,
  linkRefused,
  linkServers,
  makePost,
  makeUser,
  makeVideo,
  toOneLink,
} from '../../support/links/servers.ts'
import { atomic } from '../../support/operations.ts'
import { useServers } from '../../support/servers.ts'

// A link that is kept in a row of another type changes that row: whoever makes or ends it has to be allowed to update it.

const api = useServers(() => linkServers())

let ann: number
let ben: number
beforeAll(async () => {
  ann = await makeUser(api, 'ann')
  ben = await makeUser(api, 'ben')
})

let count = 0
let posts: Awaited<ReturnType<typeof makePost>>[]
let videos: Awaited<ReturnType<typeof makeVideo>>[]
beforeEach(async () => {
  count++
  posts = [await makePost(api, ann, `ann-${count}`), await makePost(api, ben, `ben-${count}`)]
  videos = [
    await makeVideo(api, ann, `ann-${count}`),
    await makeVideo(api, ben, `ben-${count}`),
    await makeVideo(api, null, `free-${count}`),
  ]
})

const idOf = (of: 'post' | 'video', i: number): string => String((of === 'post' ? posts : videos)[i]?.id)
const asBen = () => api.as(ben)
const state = async () => ({
  posts: await api.db.post.findMany({ orderBy: { id: 'asc' } }),
  videos: await api.db.video.findMany({ orderBy: { id: 'asc' } }),
  users: await api.db.user.findMany({ orderBy: { id: 'asc' } }),
})

/** The answer of a request that writes nothing. */
async function unwritten<T>(work: () => Promise<T>): Promise<T> {
  const before = await state()
  const answer = await work()
  expect(await state()).toEqual(before)
  return answer
}

const author = (id: string) => `You may not change the author of posts ${id}.`
const owner = (id: string) => `You may not change the owner of videos ${id}.`
const document = (type: string, id: number | null, relationships: object, attributes: object = {}) => ({
  data: { type, ...(id !== null && { id: String(id) }), attributes, relationships },
})

describe('a post of another', () => {
  test('is what docs/authorization.md shows', async () => {
    const mine = ({ says }: Fence) => says.test === 'test/spec/links/doors.test.ts'
    const [request, answer] = fencesOf('docs/authorization.md').filter(mine)
    // The page has other ids than this database.
    const here = (text = '') =>
      text
        .replace('"id": "2"', `"id": "${ben}"`)
        .replace('"id": "1"', `"id": "${idOf('post', 0)}"`)
        .replace('posts 1.', `posts ${idOf('post', 0)}.`)
    const body = JSON.parse(here(request?.code.slice(request.code.indexOf('{'))))
    const { status, body: told } = await unwritten(() => asBen()('PATCH', `/api/v1/users/${ben}`, { body }))
    expect([status, told.errors]).toEqual([403, JSON.parse(here(answer?.code)).errors])
  })

  test('is not taken by PATCH of oneself', async () => {
    const body = document('users', ben, { posts: link('posts', idOf('post', 1), idOf('post', 0)) }, { name: 'Taker' })
    const answer = await unwritten(() => asBen()('PATCH', `/api/v1/users/${ben}`, { body }))
    expectErrorsOf11(answer, linkRefused(author(idOf('post', 0)), '/data/relationships/posts/data/1'))
  })

  test('is not taken by POST', async () => {
    const relationships = { posts: link('posts', idOf('post', 0)), videos: link('videos', idOf('video', 0)) }
    const attributes = { name: 'New', email: `new-${count}@example.com` }
    const body = document('users', null, relationships, attributes)
    const answer = await unwritten(() => asBen()('POST', '/api/v1/users', { body }))
    expectErrorsOf11(
      answer,
      linkRefused(author(idOf('post', 0)), '/data/relationships/posts/data/0'),
      linkRefused(owner(idOf('video', 0)), '/data/relationships/videos/data/0'),
    )
  })

  test.each(['PATCH', 'POST'])('is not taken by %s of the relationship', async (method) => {
    const body = link('posts', idOf('post', 1), idOf('post', 0))
    const answer = await unwritten(() => asBen()(method, `/api/v1/users/${ben}/relationships/posts`, { body }))
    expectErrorsOf11(answer, linkRefused(author(idOf('post', 0)), '/data/1'))
  })

  test('is not taken by an operation, of any kind', async () => {
    const [mine, other] = [idOf('post', 1), idOf('post', 0)]
    const ref = { type: 'users', id: String(ben), relationship: 'posts' }
    const created = document(
      'users',
      null,
      { posts: link('posts', other) },
      { name: 'N', email: `o-${count}@example.com` },
    )
    const updated = document('users', ben, { posts: link('posts', mine, other) })
    const cases = [
      [{ op: 'add', ...created }, '/data/relationships/posts/data/0'],
      [{ op: 'update', ...updated }, '/data/relationships/posts/data/1'],
      [{ op: 'update', ref, ...link('posts', mine, other) }, '/data/1'],
      [{ op: 'add', ref, ...link('posts', other) }, '/data/0'],
    ] as const
    for (const [operation, at] of cases) {
      const answer = await unwritten(() =>
        operate({ op: 'update', ...document('users', ben, {}, { name: 'B' }) }, operation),
      )
      expect([answer.status, answer.body.errors]).toEqual([
        403,
        [linkRefused(author(other), `/atomic:operations/1${at}`)],
      ])
    }
  })

  test('is not taken by an upsert, whether it finds its user or not', async () => {
    const { email } = await api.db.user.findUniqueOrThrow({ where: { id: ben } })
    for (const named of [email, `upsert-${count}@example.com`]) {
      const data = {
        type: 'users',
        attributes: { name: 'U', email: named },
        relationships: { posts: link('posts', idOf('post', 0)) },
      }
      const answer = await unwritten(() => operate({ op: 'update', data, meta: { upsert: { by: ['email'] } } }))
      expect([answer.status, answer.body.errors]).toEqual([
        403,
        [
          // Ben's own post would lose its author.
          linkRefused(author(idOf('post', 0)), '/atomic:operations/0/data/relationships/posts/data/0'),
        ],
      ])
    }
  })

  test('is not taken by who creates it for another in the same request', async () => {
    const made = document(
      'posts',
      null,
      { author: toOneLink('users', ann) },
      { title: 'T', slug: `lid-${count}`, content: 'C' },
    )
    const answer = await unwritten(() =>
      operate(
        { op: 'add', data: { ...made.data, lid: 'made' } },
        {
          op: 'add',
          ref: { type: 'users', id: String(ben), relationship: 'posts' },
          data: [{ type: 'posts', lid: 'made' }],
        },
      ),
    )
    expect([answer.status, answer.body.errors]).toEqual([
      403,
      [
        linkRefused(
          expect.stringMatching(/^You may not change the author of posts \d+\.$/) as never,
          '/atomic:operations/1/data/0',
        ),
      ],
    ])
  })

  test('is denied in the words of its policy', async () => {
    const final = await makePost(api, ben, `final-${count}`)
    const body = link('posts', final.id)
    const answer = await unwritten(() => api.as(ann)('POST', `/api/v1/users/${ann}/relationships/posts`, { body }))
    expectErrorsOf11(answer, linkRefused('A final post stays as it is.', '/data/0'))
  })

  test('is refused after what is not there, and before rules are asked', async () => {
    const both = document('users', ben, { posts: link('posts', idOf('post', 0), 999_999) }, { name: 7 })
    expectErrorsOf11(
      await unwritten(() => asBen()('PATCH', `/api/v1/users/${ben}`, { body: both })),
      relatedNotFound('/data/relationships/posts/data/1'),
    )
    const invalid = document('users', ben, { posts: link('posts', idOf('post', 0)) }, { name: 7 })
    expectErrorsOf11(
      await unwritten(() => asBen()('PATCH', `/api/v1/users/${ben}`, { body: invalid })),
      linkRefused(author(idOf('post', 0)), '/data/relationships/posts/data/0'),
    )
  })
})

describe('a video', () => {
  test('of nobody is taken', async () => {
    const body = link('videos', idOf('video', 2))
    expectNothing(await asBen()('POST', `/api/v1/users/${ben}/relationships/videos`, { body }))
    expect((await api.db.video.findUniqueOrThrow({ where: { id: idOf('video', 2) } })).ownerId).toBe(ben)
  })
})

const operate = (...operations: readonly object[]) =>
  asBen()('POST', '/api/v1/operations', {
    headers: { 'Content-Type': `${atomic};profile="urn:prismapi:profile:upsert"` },
    body: { 'atomic:operations': operations },
  })
