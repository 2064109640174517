import Kitsu from 'kitsu'
import { beforeEach, describe, expect, test } from 'vitest'
import { useApi, users } from '../support/api.ts'
import { versions } from '../support/conformance.ts'
import { tagsOf } from '../support/rows.ts'

/** A client of one server, with the token of a user. */
const connect = (baseURL: string, token: string) =>
  new Kitsu({
    baseURL,
    // Types and paths are dashed: `camelCaseTypes` would rename them in what is sent.
    camelCaseTypes: false,
    headers: { Authorization: `Bearer ${token}` },
  })

const server = useApi()

describe.each(versions)('kitsu on $name', ({ name, text }) => {
  let api: Kitsu
  beforeEach(async () => {
    const token = await server.authorization(users.admin)
    api = connect(server.url(`/api/${name}`), token.replace('Bearer ', ''))
  })
  const post = (slug: string, more: object = {}) => ({
    title: 'By kitsu',
    slug: `${slug}-${name}`,
    [text]: 'Text',
    ...more,
  })
  const create = async (slug: string, more?: object) => (await api.post('post', post(slug, more))).data

  test('lists, with filter, sort, page, fields and include', async () => {
    const { data, links, status } = await api.get('posts', {
      params: {
        filter: { author: '4', publishedAt: { isNull: false } },
        sort: '-title,id',
        page: { size: 2 },
        fields: { posts: 'title,author', users: 'name' },
        include: 'author',
      },
    })
    expect({ status, next: links.next, count: data.length }).toEqual({
      status: 200,
      next: expect.any(String),
      count: 2,
    })
    expect(data[0]).toMatchObject({
      id: expect.any(String),
      type: 'posts',
      title: expect.any(String),
      links: { self: expect.any(String) },
      author: {
        links: expect.any(Object),
        data: expect.objectContaining({ type: 'users', id: '4', name: 'Member 4' }),
      },
    })
  })

  test('lists by several values of a field, which it repeats', async () => {
    const { data } = await api.get('posts', { params: { filter: { id: [1, 2] }, sort: 'id' } })
    expect(data.map(({ id }: { id: string }) => id)).toEqual(['1', '2'])
  })

  test('finds one, what is related to it, and linkage', async () => {
    const one = await api.get('posts/1', { params: { include: 'tags' } })
    const related = await api.get('posts/1/tags')
    const linkage = await api.get('posts/1/relationships/tags')
    const ids = (list: { id: string }[]) => list.map(({ id }) => id)
    expect(ids(one.data.tags.data)).toEqual(ids(related.data))
    expect(ids(linkage.data)).toEqual(ids(related.data))
  })

  test('creates with relationships', async () => {
    const { status, data } = await api.post(
      'post',
      post('created', {
        author: { data: { type: 'users', id: '4' } },
        tags: {
          data: [
            { type: 'tags', id: '2' },
            { type: 'tags', id: '3' },
          ],
        },
      }),
      { params: { include: 'author,tags' } },
    )
    expect({ status, title: data.title, author: data.author.data.id, tags: data.tags.data.length }).toEqual({
      status: 201,
      title: 'By kitsu',
      author: '4',
      tags: 2,
    })
  })

  test('updates attributes and relationships', async () => {
    const { id } = await create('updated')
    const { status, data } = await api.patch('post', { id, title: 'New', tags: { data: [{ type: 'tags', id: '5' }] } })
    expect({ status, title: data.title, tags: await tagsOf(server.db, Number(id)) }).toEqual({
      status: 200,
      title: 'New',
      tags: [5],
    })
  })

  test('changes relationships by their own URLs', async () => {
    const { id } = await create('related')
    const path = `posts/${id}/relationships/tags`
    await api.patch(path, [{ id: '2' }, { id: '3' }])
    await api.post(path, [{ id: '4' }])
    await api.delete(path, [2])
    expect(await tagsOf(server.db, Number(id))).toEqual([3, 4])
    const url = `posts/${id}/relationships/author`
    const { data } = await api.request({ method: 'PATCH', url, type: 'users', body: { id: '5' } })
    expect(data).toEqual({ type: 'users', id: '5' })
  })

  test('deletes', async () => {
    const { id } = await create('deleted')
    expect((await api.delete('posts', id)).status).toBe(204)
    expect((await server.guest.get(`/api/${name}/posts/${id}`)).status).toBe(404)
  })

  test('throws with the errors of the document', async () => {
    const refused = await api.post('post', post('Not A Slug')).catch((error) => error.errors)
    expect(refused).toEqual([expect.objectContaining({ status: '422', source: { pointer: '/data/attributes/slug' } })])
    const missing = await api.get('posts/9999').catch((error) => error.errors)
    expect(missing).toEqual([{ status: '404', title: 'Not Found' }])
  })
})
