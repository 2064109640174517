import { expect, test } from 'vitest'
import { expectErrors } from '../../support/answers.ts'
import { fieldServers } from '../../support/field-policies.ts'
import { useServers } from '../../support/servers.ts'

const api = useServers(() => fieldServers())

const patch = (as: number, path: string, attributes: object, relationships?: object) => {
  const [, type, id] = path.split('/')
  return api.as(as)('PATCH', `/api/v1${path}`, {
    body: { data: { type, id, attributes, ...(relationships && { relationships }) } },
  })
}
const refused = (field: string, pointer: string) => ({
  status: '403',
  title: 'Forbidden',
  detail: `You may not change the field ${field}.`,
  source: { pointer },
})

test('a field that may not be changed is 403, an error for each, before any rule runs', async () => {
  const answer = await patch(3, '/users/3', { email: 'no address', createdAt: '2020-01-01T00:00:00Z', name: '' })
  expectErrors(answer, refused('email', '/data/attributes/email'))
  const post = await api.db.post.findFirstOrThrow({ where: { authorId: 3, deletedAt: null } })
  const both = await patch(3, `/posts/${post.id}`, { slug: 'other' }, { tags: { data: [] } })
  expectErrors(both, refused('slug', '/data/attributes/slug'), refused('tags', '/data/relationships/tags'))
})

test('the value that the caller sees there is no change', async () => {
  const { email } = await api.db.user.findUniqueOrThrow({ where: { id: 3 } })
  expect((await patch(3, '/users/3', { email, name: 'Three' })).status).toBe(200)
  expect(await api.db.user.findUniqueOrThrow({ where: { id: 3 } })).toMatchObject({ email, name: 'Three' })
  const post = await api.db.post.findFirstOrThrow({ where: { authorId: 3, deletedAt: null }, include: { tags: true } })
  const tags = { data: post.tags.map(({ id }) => ({ type: 'tags', id: `${id}` })) }
  expect((await patch(3, `/posts/${post.id}`, { slug: post.slug }, { tags })).status).toBe(200)
})

test('who may, does', async () => {
  expect((await patch(1, '/users/6', { email: 'six@example.org' })).status).toBe(200)
  expect((await api.db.user.findUniqueOrThrow({ where: { id: 6 } })).email).toBe('six@example.org')
})

test('a new resource has fields that not everybody sends', async () => {
  const attributes = { title: 'New', slug: 'new-by-three', content: 'Text', synopsis: 'Short' }
  const send = (as: number, given: object) =>
    api.as(as)('POST', '/api/v1/posts', { body: { data: { type: 'posts', attributes: given } } })
  expectErrors(await send(3, attributes), refused('synopsis', '/data/attributes/synopsis'))
  expect(await api.db.post.count({ where: { slug: 'new-by-three' } })).toBe(0)
  const { synopsis: _, ...allowed } = attributes
  expect((await send(3, allowed)).status).toBe(201)
})

test('at a relationship, too', async () => {
  const post = await api.db.post.findFirstOrThrow({ where: { authorId: 3, deletedAt: null } })
  for (const method of ['PATCH', 'POST', 'DELETE']) {
    const answer = await api.as(3)(method, `/api/v1/posts/${post.id}/relationships/tags`, {
      body: { data: [{ type: 'tags', id: '1' }] },
    })
    expectErrors(answer, refused('tags', '/data'))
  }
})

test('in operations the pointer leads into the operation', async () => {
  const ext = 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"'
  const answer = await api.as(3)('POST', '/api/v2/operations', {
    headers: { 'Content-Type': ext, Accept: ext },
    body: {
      'atomic:operations': [{ op: 'update', data: { type: 'users', id: '3', attributes: { email: 'x@example.org' } } }],
    },
  })
  expect(answer.status).toBe(403)
  expect(answer.body.errors).toEqual([refused('email', '/atomic:operations/0/data/attributes/email')])
})
