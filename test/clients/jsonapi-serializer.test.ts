import jsonapiSerializer from 'jsonapi-serializer'
import { describe, expect, test } from 'vitest'
import { type Answer, type Send, useApi, users } from '../support/api.ts'
import { versions } from '../support/conformance.ts'
import { tagsOf } from '../support/rows.ts'

const { Deserializer, Serializer } = jsonapiSerializer

/** Names stay as they are, here and there. */
const camelCase = { keyForAttribute: 'camelCase' }
const linked = { ref: 'id', included: false }
const posts = new Serializer('posts', {
  ...camelCase,
  attributes: ['title', 'slug', 'content', 'body', 'publishedAt', 'author', 'tags'],
  author: linked,
  tags: linked,
  typeForAttribute: (name: string) => (name === 'author' ? 'users' : undefined),
})
const tags = new Serializer('tags', { attributes: [] })
const documents = new Deserializer(camelCase)

const server = useApi()

describe.each(versions)('jsonapi-serializer on $name', ({ name, text }) => {
  const ask = (method: string, path: string, body?: Send['body']): Promise<Answer> =>
    server.as(users.admin).request(method, `/api/${name}${path}`, { body })
  const read = async (...request: Parameters<typeof ask>) => documents.deserialize((await ask(...request)).body)
  const post = (slug: string, more: object = {}) => ({ title: 'T', slug: `${slug}-${name}`, [text]: 'Text', ...more })
  const create = async (slug: string, more: object = {}) =>
    read('POST', '/posts?include=author,tags', posts.serialize(post(slug, more)))

  test('reads lists with what they include', async () => {
    const posts = await read('GET', '/posts?include=author,tags&page[size]=1&sort=id')
    const names = (await tagsOf(server.db, 1)).map((tag) => ({ id: String(tag), name: `tag-${tag}` }))
    expect(posts).toMatchObject([{ id: '1', author: { name: 'Member 4' }, tags: names }])
  })

  test('writes documents that create, with relationships', async () => {
    expect(await create('created', { author: { id: 4 }, tags: [{ id: 2 }, { id: 3 }] })).toMatchObject({
      title: 'T',
      author: { name: 'Member 4' },
      tags: [{ id: '2' }, { id: '3' }],
    })
  })

  test('writes documents that update what it has read', async () => {
    const created = await create('updated', { tags: [{ id: 2 }] })
    const changed = { ...created, title: 'New', tags: [...created.tags, { id: 4 }] }
    const updated = await read('PATCH', `/posts/${created.id}?include=tags`, posts.serialize(changed))
    expect(updated).toMatchObject({ title: 'New', [text]: 'Text', tags: [{ id: '2' }, { id: '4' }] })
  })

  test('writes linkage, and reads it', async () => {
    const { id } = await create('linkage')
    const path = `/posts/${id}/relationships/tags`
    expect(await read('PATCH', path, tags.serialize([{ id: 2 }, { id: 3 }]))).toMatchObject([{ id: '2' }, { id: '3' }])
    expect((await ask('DELETE', path, tags.serialize([{ id: 2 }]))).status).toBe(204)
    expect(await tagsOf(server.db, Number(id))).toEqual([3])
  })
})
