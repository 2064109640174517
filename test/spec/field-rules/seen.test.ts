import { describe, expect, test } from 'vitest'
import V2 from '../../../src/app/v2/server.ts'
import { ByPrisma, fieldServers } from '../../support/field-policies.ts'
import { useServers } from '../../support/servers.ts'

describe.each([
  ['by SQL', V2],
  ['by Prisma Client', ByPrisma],
])('what a caller may not see is absent, %s', (_, server) => {
  const api = useServers(() => fieldServers(server))
  const get = async (as: number | null, path: string) => (await api.as(as)('GET', `/api/v2${path}`)).body
  const names = (member: object | undefined) => Object.keys(member ?? {})

  test('from the resource at its own URL', async () => {
    const seen = async (as: number | null) => names((await get(as, '/users/3')).data.attributes)
    const shown = ['name', 'createdAt', 'updatedAt']
    expect(await seen(null)).toEqual(shown)
    expect(await seen(4)).toEqual(['name', 'role', 'createdAt', 'updatedAt'])
    expect(await seen(3)).toEqual(['name', 'email', 'role', 'createdAt', 'updatedAt'])
    expect(await seen(1)).toEqual(['name', 'email', 'role', 'createdAt', 'updatedAt'])
  })

  test('from some rows of a collection, and not from others', async () => {
    const { data } = await get(3, '/users?sort=id')
    const withEmail = data.filter(({ attributes }: { attributes: object }) => 'email' in attributes)
    expect(withEmail.map(({ id }: { id: string }) => id)).toEqual(['3'])
    expect(data.length).toBeGreaterThan(3)
  })

  test('from included resources, whatever fields are asked for', async () => {
    const { included } = await get(3, '/posts?include=author&fields[users]=email,name&page[size]=50')
    const emails = included.filter(({ attributes }: { attributes: object }) => 'email' in attributes)
    expect(emails.map(({ id }: { id: string }) => id)).toEqual(['3'])
  })

  test('a relationship, with its links and its data, and what would be included for its sake', async () => {
    const { data, included } = await get(3, '/users/4?include=posts')
    expect(names(data.relationships)).toEqual(['comments', 'videos', 'profile'])
    expect(included).toEqual([])
    const own = await get(4, '/users/4?include=posts')
    expect(own.included.length).toBeGreaterThan(0)
    for (const path of ['/users/4/posts', '/users/4/relationships/posts']) {
      expect((await api.as(3)('GET', `/api/v2${path}`)).status).toBe(403)
      expect((await api.as(4)('GET', `/api/v2${path}`)).status).toBe(200)
    }
  })

  test('by a condition that only the database judges', async () => {
    const data = { title: 'Secret', slug: 'secret-of-four', content: 'Hidden', authorId: 4, publishedAt: new Date(0) }
    const row = await api.db.post.create({ data })
    const post = async () => (await get(3, `/posts/${row.id}`)).data.attributes
    const shown = ['slug', 'synopsis', 'publishedAt', 'createdAt', 'updatedAt']
    expect(names(await post())).toEqual(shown)
    // A computed field follows the columns that it reads.
    expect(names((await get(3, `/posts/${row.id}?fields[posts]=excerpt,slug`)).data.attributes)).toEqual(['slug'])
    await api.db.comment.create({ data: { content: 'Fine', authorId: 3, postId: row.id } })
    expect(await post()).toMatchObject({ title: 'Secret', body: 'Hidden', excerpt: 'Hidden' })
    await api.db.comment.deleteMany({ where: { postId: row.id } })
    await api.db.post.delete({ where: { id: row.id } })
  })

  test('entity tags differ where documents do', async () => {
    const tag = async (as: number | null) => (await api.as(as)('GET', '/api/v2/users/3')).headers.get('etag')
    expect(new Set([await tag(null), await tag(4), await tag(3)]).size).toBe(3)
  })

  test('from the answers to writes, and from the results of operations', async () => {
    const attributes = { title: 'Secret', slug: 'secret-of-three', body: 'Hidden', publishedAt: '2024-01-01T00:00:00Z' }
    const shown = ['title', 'slug', 'synopsis', 'publishedAt', 'createdAt', 'updatedAt']
    const data = { type: 'posts', attributes }
    const { body: created, status } = await api.as(3)('POST', '/api/v2/posts', { body: { data } })
    expect(status).toBe(201)
    expect(names(created.data.attributes)).toEqual(shown)
    const { id } = created.data
    const patch = { data: { type: 'posts', id, attributes: { synopsis: 'Short' } } }
    const { body: changed } = await api.as(3)('PATCH', `/api/v2/posts/${id}`, { body: patch })
    expect(names(changed.data.attributes)).toEqual(shown)
    const ext = 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"'
    const { body: results } = await api.as(3)('POST', '/api/v2/operations', {
      headers: { 'Content-Type': ext, Accept: ext },
      body: {
        'atomic:operations': [{ op: 'add', data: { ...data, attributes: { ...attributes, slug: 'secret-too' } } }],
      },
    })
    expect(names(results['atomic:results'][0].data.attributes)).toEqual(shown)
    await api.db.post.deleteMany({ where: { slug: { startsWith: 'secret' } } })
  })
})
