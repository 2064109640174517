import JsonApi from 'devour-client'
import { beforeEach, describe, expect, test } from 'vitest'
import { useApi, users } from '../support/api.ts'
import { versions } from '../support/conformance.ts'
import { tagsOf } from '../support/rows.ts'

/** A client of one server, with the token of a user and the types that it is to know. */
function connect(apiUrl: string, bearer: string): JsonApi {
  // Models are called as types are: what is singular here, and plural there, is not found below `relationships`.
  const api = new JsonApi({ apiUrl, bearer, logger: false, pluralize: false })
  const readOnly = ['createdAt', 'updatedAt', 'excerpt']
  const attributes = { title: '', slug: '', content: '', body: '', synopsis: '', publishedAt: '' }
  const author = { jsonApi: 'hasOne', type: 'users' }
  const tags = { jsonApi: 'hasMany', type: 'tags' }
  api.define('posts', { ...attributes, createdAt: '', updatedAt: '', excerpt: '', author, tags }, { readOnly })
  api.define('tags', { name: '' })
  api.define('users', { name: '', email: '', role: '' })
  return api
}

const server = useApi()

describe.each(versions)('devour on $name', ({ name, text }) => {
  let api: JsonApi
  beforeEach(async () => {
    const token = await server.authorization(users.admin)
    api = connect(server.url(`/api/${name}`), token.replace('Bearer ', ''))
  })
  const post = (slug: string, more: object = {}) => ({
    title: 'By devour',
    slug: `${slug}-${name}`,
    [text]: 'Text',
    ...more,
  })
  const create = async (slug: string, more?: object) => (await api.create('posts', post(slug, more))).data
  const tag = (id: number) => ({ type: 'tags', id: String(id) })

  test('lists, with filter, sort, page, fields and include', async () => {
    const { data, links } = await api.findAll('posts', {
      filter: { author: 4, publishedAt: { isNull: false } },
      sort: '-title,id',
      page: { size: 2 },
      fields: { posts: 'title,author', users: 'name' },
      include: 'author',
    })
    expect({ next: links.next, count: data.length }).toEqual({ next: expect.any(String), count: 2 })
    expect(data[0]).toMatchObject({ type: 'posts', title: expect.any(String), author: { id: '4', name: 'Member 4' } })
  })

  test('lists by several values of a field', async () => {
    const { data } = await api.findAll('posts', { filter: { id: [1, 2] }, sort: 'id' })
    expect(data.map(({ id }: { id: string }) => id)).toEqual(['1', '2'])
  })

  test('finds one, and what is related to it', async () => {
    const { data } = await api.find('posts', 1, { include: 'tags' })
    const related = await api.one('posts', 1).all('tags').get()
    const ids = (list: { id: string }[]) => list.map(({ id }) => Number(id))
    expect([ids(data.tags), ids(related.data)]).toEqual(Array(2).fill(await tagsOf(server.db, 1)))
  })

  test('creates with relationships', async () => {
    const { id } = await create('created', { author: { id: '4' }, tags: [{ id: '2' }, { id: '3' }] })
    const row = await server.db.post.findUnique({ where: { id: Number(id) } })
    expect({ row, tags: await tagsOf(server.db, Number(id)) }).toMatchObject({
      row: { title: 'By devour', authorId: 4 },
      tags: [2, 3],
    })
  })

  test('updates attributes and relationships', async () => {
    const { id } = await create('updated')
    const { data } = await api.update('posts', { id, title: 'New', tags: [{ id: '5' }] })
    expect({ title: data.title, tags: await tagsOf(server.db, Number(id)) }).toEqual({ title: 'New', tags: [5] })
  })

  test('changes relationships by their own URLs', async () => {
    const { id } = await create('related')
    const tags = () => api.one('posts', id).relationships('tags')
    await tags().patch([tag(2), tag(3)])
    await tags().post([tag(4)])
    await tags().destroy([tag(2)])
    expect(await tagsOf(server.db, Number(id))).toEqual([3, 4])
    await api.one('posts', id).relationships('author').patch({ id: '5' })
    expect(await server.db.post.findUnique({ where: { id: Number(id) } })).toMatchObject({ authorId: 5 })
  })

  test('deletes', async () => {
    const { id } = await create('deleted')
    await api.destroy('posts', id)
    expect((await server.guest.get(`/api/${name}/posts/${id}`)).status).toBe(404)
  })

  test('rejects with the errors by field', async () => {
    const refused = await api.create('posts', post('Not A Slug')).catch((errors: unknown) => errors)
    expect(refused).toEqual({ slug: { title: 'Unprocessable Entity', detail: expect.any(String) } })
    expect(await api.find('posts', 9999).catch((errors: unknown) => errors)).toEqual({ 0: { title: 'Not Found' } })
  })
})
