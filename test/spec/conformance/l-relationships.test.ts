import { beforeEach, describe, expect, test } from 'vitest'
import { users } from '../../support/api.ts'
import { identifier, pointersOf, useConformance, versions } from '../../support/conformance.ts'
import { addPost, tagsOf } from '../../support/rows.ts'
import { snapshot } from '../../support/snapshot.ts'

const server = useConformance()
const tags = (...ids: readonly number[]) => ids.map((id) => identifier('tags', id))

/** Arranged anew for each test: a post of member 3 with two tags. */
let id: number
let url: string
beforeEach(async () => {
  id = (await addPost(server.db, { tags: { connect: [{ id: 2 }, { id: 3 }] } })).id
  url = `/posts/${id}/relationships/tags`
})
const stored = () => tagsOf(server.db, id)

describe.each(versions)('relationship URLs of the server $name', (version) => {
  const change = (method: string, data: unknown, path = url) => server.ask(version, method, path, { body: { data } })
  const refuse = async (method: string, body: unknown, path = url) =>
    pointersOf(await server.refuse(version, method, path, { body }))
  const linkage = async (path: string) => (await server.get(version, path)).body.data

  test('L1 (70): PATCH of a to-one relationship replaces it', async () => {
    const path = `/posts/${id}/relationships/author`
    const author = identifier('users', users.member4)
    const { status, body } = await change('PATCH', author, path)
    expect({ status, data: body.data, found: await linkage(path) }).toEqual({
      status: 200,
      data: author,
      found: author,
    })
  })

  test('L2 (70): with null it clears it', async () => {
    const video = await server.db.video.create({ data: { title: 'V', url: 'https://v.example', ownerId: 3 } })
    const path = `/videos/${video.id}/relationships/owner`
    const { status, body } = await change('PATCH', null, path)
    expect({ status, data: body.data, found: await linkage(path) }).toEqual({ status: 200, data: null, found: null })
  })

  test('L3 L4 (70): PATCH of a to-many relationship replaces it as a whole, or clears it', async () => {
    const replaced = await change('PATCH', tags(3, 4))
    expect({ status: replaced.status, data: replaced.body.data, stored: await stored() }).toEqual({
      status: 200,
      data: tags(3, 4),
      stored: [3, 4],
    })
    const cleared = await change('PATCH', [])
    expect({ status: cleared.status, data: cleared.body.data, stored: await stored() }).toEqual({
      status: 200,
      data: [],
      stored: [],
    })
  })

  test('L5 L6 L15 (71): POST adds what is missing, each once, however often it is sent', async () => {
    expect((await change('POST', tags(3, 4, 4))).status).toBe(204)
    expect(await stored()).toEqual([2, 3, 4])
    expect((await change('POST', tags(4))).status).toBe(204)
    expect(await linkage(url)).toEqual(tags(2, 3, 4))
  })

  test('L7 L8 (71): DELETE removes what its body names; what is absent is no failure', async () => {
    expect((await change('DELETE', tags(3, 9))).status).toBe(204)
    expect(await stored()).toEqual([2])
    expect((await change('DELETE', tags(3))).status).toBe(204)
    expect(await linkage(url)).toEqual(tags(2))
  })

  test.each(['PATCH', 'POST', 'DELETE'])('L9 (72): one unknown identifier, and %s changes nothing', async (method) => {
    expect(await refuse(method, { data: tags(2, 4, 9999) })).toEqual({ status: 404, pointers: ['/data/2'] })
  })

  test('L9 (72): an unknown to-one identifier is 404', async () => {
    const body = { data: identifier('users', 9999) }
    const path = `/posts/${id}/relationships/author`
    expect(await refuse('PATCH', body, path)).toEqual({ status: 404, pointers: ['/data'] })
  })

  test.each(['PATCH', 'POST', 'DELETE'])('L10 (72): a wrong type is 422, an unknown one 400, by %s', async (method) => {
    expect([
      await refuse(method, { data: [identifier('users', 2)] }),
      await refuse(method, { data: [identifier('dragons', 2)] }),
    ]).toEqual([
      { status: 422, pointers: ['/data/0'] },
      { status: 400, pointers: ['/data/0/type'] },
    ])
  })

  test.each(['PATCH', 'POST', 'DELETE'])('L11 (72): %s below a parent that does not exist is 404', async (method) => {
    expect(await refuse(method, { data: tags(2) }, '/posts/9999/relationships/tags')).toEqual({
      status: 404,
      pointers: [undefined],
    })
  })

  test.each(['PATCH', 'POST', 'DELETE'])(
    'L12 (72): %s without data, or with data of a wrong shape, is 400',
    async (method) => {
      expect([
        await refuse(method, {}),
        await refuse(method, { data: identifier('tags', 2) }),
        await refuse(method, { data: ['2'] }),
        await refuse(method, { data: [{ type: 'tags' }] }),
        await refuse(method, '{'),
      ]).toEqual(
        ['', '/data', '/data/0', '/data/0', undefined].map((pointer) => ({ status: 400, pointers: [pointer] })),
      )
    },
  )

  test.each(['POST', 'DELETE'])('L13 (72): %s of a to-one relationship is 405', async (method) => {
    const path = `/posts/${id}/relationships/author`
    const body = { data: identifier('users', users.member4) }
    const { status, headers } = await server.refuse(version, method, path, { body })
    expect({ status, allow: headers.allow }).toEqual({ status: 405, allow: 'GET, HEAD, PATCH, QUERY' })
  })

  test('L14 (72): nothing but the relationship changes', async () => {
    const { posts, ...before } = await snapshot(server.db)
    await change('PATCH', tags(3, 4))
    await change('POST', tags(5))
    await change('DELETE', tags(4))
    const { posts: changed, ...after } = await snapshot(server.db)
    expect(after).toEqual(before)
    const untimed = ({ updatedAt: _, tags: __, ...post }: (typeof posts)[number]) => post
    expect(changed.map(untimed)).toEqual(posts.map(untimed))
    expect(changed.filter((post) => post.id !== id)).toEqual(posts.filter((post) => post.id !== id))
  })

  test('(73): a PATCH whose linkage the server completes is answered with what it is then', async () => {
    const { status, body } = await change('PATCH', tags(4, 2, 4))
    expect({ status, data: body.data, found: await linkage(url) }).toEqual({
      status: 200,
      data: tags(2, 4),
      found: tags(2, 4),
    })
  })

  test.each(['PATCH', 'POST', 'DELETE'])('(73): a change that is not supported is 403: %s', async (method) => {
    const path = '/users/3/relationships/posts'
    expect((await server.refuse(version, method, path, { body: { data: [identifier('posts', 1)] } })).status).toBe(403)
  })
})
