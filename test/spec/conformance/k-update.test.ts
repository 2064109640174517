import { beforeEach, describe, expect, test } from 'vitest'
import { users } from '../../support/api.ts'
import { identifier, pointersOf, useConformance, versions } from '../../support/conformance.ts'
import { addPost, tagsOf } from '../../support/rows.ts'

const server = useConformance()

/** Arranged anew for each test: a post of member 3 with two tags. */
let id: string
beforeEach(async () => {
  const post = await addPost(server.db, { synopsis: 'Short.', tags: { connect: [{ id: 2 }, { id: 3 }] } })
  id = String(post.id)
})

describe.each(versions)('updating on the server $name', (version) => {
  const update = (data: object, path = `/posts/${id}`) =>
    server.ask(version, 'PATCH', path, { body: { data: { type: 'posts', id, ...data } } })
  const shown = async (path = `/posts/${id}`) => (await server.get(version, path)).body.data
  const refuse = async (body: unknown, path = `/posts/${id}`) =>
    pointersOf(await server.refuse(version, 'PATCH', path, { body }))
  const related = (relationships: object) => ({
    data: { type: 'posts', id, attributes: { title: 'Never' }, relationships },
  })

  test('K1 (65): an update is answered with the resource as it is now, and as it is found afterwards', async () => {
    const { updatedAt } = (await shown()).attributes
    const { status, body } = await update({ attributes: { title: 'New' } })
    expect({ status, title: body.data.attributes.title }).toEqual({ status: 200, title: 'New' })
    expect(body.data.attributes.updatedAt).not.toBe(updatedAt)
    expect(body.data).toEqual(await shown())
  })

  test('K2 K3 (66): attributes and relationships that are not sent keep their values', async () => {
    const before = await shown()
    const { body } = await update({ attributes: { title: 'New' } })
    const { title: _, updatedAt: __, ...kept } = before.attributes
    expect(body.data.attributes).toEqual(expect.objectContaining(kept))
    expect(await tagsOf(server.db, Number(id))).toEqual([2, 3])
    expect(await shown(`/posts/${id}/relationships/author`)).toEqual(identifier('users', users.member3))
  })

  test('K4 (66): a to-one relationship is replaced, and cleared by null', async () => {
    const { status } = await update({ relationships: { author: { data: identifier('users', users.member4) } } })
    expect(status).toBe(200)
    expect(await shown(`/posts/${id}/relationships/author`)).toEqual(identifier('users', users.member4))

    const video = await server.db.video.create({ data: { title: 'V', url: 'https://v.example', ownerId: 3 } })
    const owner = { type: 'videos', id: video.id, relationships: { owner: { data: null } } }
    expect((await update(owner, `/videos/${video.id}`)).status).toBe(200)
    expect(await shown(`/videos/${video.id}/owner`)).toBe(null)
  })

  test('K5 (66): a to-many relationship is replaced as a whole', async () => {
    const { status } = await update({ relationships: { tags: { data: [3, 4].map((tag) => identifier('tags', tag)) } } })
    expect({ status, tags: await tagsOf(server.db, Number(id)) }).toEqual({ status: 200, tags: [3, 4] })
    expect((await update({ relationships: { tags: { data: [] } } })).status).toBe(200)
    expect(await tagsOf(server.db, Number(id))).toEqual([])
  })

  test('K6 (67): a resource that does not exist is 404', async () => {
    const body = { data: { type: 'posts', id: '9999', attributes: { title: 'T' } } }
    expect(await refuse(body, '/posts/9999')).toEqual({ status: 404, pointers: [undefined] })
  })

  test.each([
    ['K7', 'type', { type: 'tags' }],
    ['K8', 'id', { id: '1' }],
  ])('%s (67): another %s than that of the URL is 409', async (_, member, other) => {
    const body = { data: { type: 'posts', id, attributes: { title: 'T' }, ...other } }
    expect(await refuse(body)).toEqual({ status: 409, pointers: [`/data/${member}`] })
  })

  test('K9 (67): without id, type or data it is 400', async () => {
    expect([
      await refuse({ data: { type: 'posts', attributes: { title: 'T' } } }),
      await refuse({ data: { id, attributes: { title: 'T' } } }),
      await refuse({ meta: {} }),
      await refuse({ data: null }),
    ]).toEqual(['/data', '/data', '', '/data'].map((pointer) => ({ status: 400, pointers: [pointer] })))
  })

  test('K10 (68): a to-one related resource that does not exist is 404, and nothing of the request is applied', async () => {
    expect(await refuse(related({ author: { data: identifier('users', 9999) } }))).toEqual({
      status: 404,
      pointers: ['/data/relationships/author'],
    })
  })

  test('K11 (68): one of a to-many, too', async () => {
    const data = [identifier('tags', 4), identifier('tags', 9999)]
    expect(await refuse(related({ tags: { data } }))).toEqual({
      status: 404,
      pointers: ['/data/relationships/tags/data/1'],
    })
  })

  test('K12 (68): a relationship without data is 400', async () => {
    const pointers = ['/data/relationships/tags']
    expect(await refuse(related({ tags: { links: {} } }))).toEqual({ status: 400, pointers })
  })

  test('K13 (68): JSON that is malformed is 400', async () => {
    expect(await refuse('{"data":')).toEqual({ status: 400, pointers: [undefined] })
  })

  test('K14 (68): an update of nothing succeeds', async () => {
    const { updatedAt: _, ...before } = (await shown()).attributes
    const { status, body } = await update({})
    expect({ status, attributes: body.data.attributes }).toEqual({
      status: 200,
      attributes: expect.objectContaining(before),
    })
  })

  test('(69): an update that is not supported is 403', async () => {
    const body = {
      data: { type: 'comments', id: '1', relationships: { commentable: { data: identifier('posts', 2) } } },
    }
    const { status } = await server.refuse(version, 'PATCH', '/comments/1', { body })
    expect(status).toBe(403)
  })

  test('(69): a value that has to be unique, and is taken, is refused where it stands', async () => {
    const body = { data: { type: 'posts', id, attributes: { slug: 'post-1' } } }
    expect(await refuse(body)).toEqual({ status: 422, pointers: ['/data/attributes/slug'] })
  })
})
