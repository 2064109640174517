import { beforeAll, describe, expect, test } from 'vitest'
import { useApi, users } from '../../support/api.ts'
import { provider } from '../../support/database.ts'
import { atomic } from '../../support/operations.ts'
import { identifier } from '../../support/row-documents.ts'

// Ids of videos are texts. By the collation that Prisma gives to MariaDB, letters in another case are the same id there, and another one elsewhere.

const api = useApi()
const admin = api.as(users.admin)
const isOne = provider === 'mysql'

const id = '5a2f1c9e-8a3b-4d52-9a43-0d1f6a7c8b9d'
const spelt = id.toUpperCase()
const path = `/videos/${spelt}`
const attributes = { title: 'A film', url: 'https://videos.example.com/film' }
const tags = { data: [identifier('tags', 2), identifier('tags', 3)] }
const idsIn = ({ body }: { readonly body: { readonly data: readonly { readonly id: string }[] } }) =>
  body.data.map((each) => each.id)
const comment = (video: string) =>
  admin.post('/comments?include=commentable', {
    body: {
      data: {
        type: 'comments',
        attributes: { content: 'Seen' },
        relationships: { commentable: { data: identifier('videos', video) } },
      },
    },
  })

beforeAll(async () => {
  const document = { data: { type: 'videos', id, attributes, relationships: { tags } } }
  expect((await admin.post('/videos', { body: document })).status).toBe(201)
  expect((await comment(id)).status).toBe(201)
})

test('an id in other letters is another one, unless the database takes it for the same', async () => {
  const statuses = [
    await admin.get(path),
    await admin.get(`${path}/owner`),
    await admin.get(`${path}/comments`),
    await admin.get(`${path}/relationships/tags`),
    await admin.patch(path, { body: { data: { type: 'videos', id: spelt, attributes: { title: 'Spelt' } } } }),
    await comment(spelt),
  ].map(({ status }) => status)
  expect(statuses).toEqual(isOne ? [200, 200, 200, 200, 200, 201] : statuses.map(() => 404))
  expect(idsIn(await admin.get(`/videos?filter[id]=${spelt}`))).toEqual(isOne ? [id] : [])
})

describe.runIf(isOne)('where it is the same', () => {
  test('the resource is shown as it is spelt', async () => {
    const { body } = await admin.get(`${path}?include=tags,comments,owner`)
    const own = (await admin.get(`/videos/${id}?include=tags,comments,owner`)).body
    expect([body.data, body.included]).toEqual([own.data, own.included])
    expect(body.data.id).toBe(id)
  })

  test('what others link by it is included and linked', async () => {
    const shown = async () => (await admin.get(`/videos/${id}?include=comments,tags`)).body.data.relationships
    const before = await shown()
    expect([before.comments.data.length > 0, before.tags.data]).toEqual([true, tags.data])
    await api.db.comment.updateMany({ where: { videoId: id }, data: { videoId: spelt } })
    expect((await api.db.comment.findFirstOrThrow({ where: { videoId: id } })).videoId).toBe(spelt)
    expect(await shown()).toEqual(before)
    const { body } = await admin.get(`/comments/${before.comments.data[0].id}?include=commentable`)
    expect([body.data.relationships.commentable.data, body.included.map((each: { id: string }) => each.id)]).toEqual([
      identifier('videos', id),
      [id],
    ])
  })

  test('it is linked as it is spelt', async () => {
    const { body } = await comment(spelt)
    expect(body.data.relationships.commentable.data).toEqual(identifier('videos', id))
    expect((await api.db.comment.findUniqueOrThrow({ where: { id: Number(body.data.id) } })).videoId).toBe(id)
    expect((await admin.patch(`${path}/relationships/tags`, { body: { data: [identifier('tags', 4)] } })).status).toBe(
      200,
    )
    expect((await admin.get(`/videos/${id}/relationships/tags`)).body.data).toEqual([identifier('tags', 4)])
  })

  test('operations find it, and it is taken', async () => {
    const { status, body } = await admin.request('POST', '/api/v2/operations', {
      headers: { 'Content-Type': atomic, Accept: atomic },
      body: {
        'atomic:operations': [{ op: 'update', data: { type: 'videos', id: spelt, attributes: { title: 'Again' } } }],
      },
    })
    expect([status, body['atomic:results']?.[0].data?.id]).toEqual([200, id])
    const taken = await admin.post('/videos', { body: { data: { type: 'videos', id: spelt, attributes } } })
    expect(taken.status).toBe(409)
  })
})
