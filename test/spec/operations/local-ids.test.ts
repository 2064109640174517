import { expect, test } from 'vitest'
import { nonCompliant, relatedNotFound } from '../../support/answers.ts'
import { useApi, users } from '../../support/api.ts'
import { expectRefused, inOperation, newPost, operate } from '../../support/operations.ts'
import { identifier } from '../../support/row-documents.ts'

const api = useApi()
const member = api.as(users.member4)
const admin = api.as(users.admin)
const post = (lid: string, more: object = {}) => ({
  op: 'add',
  data: { type: 'posts', lid, attributes: newPost({ publishedAt: '2024-01-01T00:00:00Z' }), ...more },
})
const tag = (lid: string, name = lid) => ({ op: 'add', data: { type: 'tags', lid, attributes: { name } } })
const lid = (type: string, lid: string) => ({ type, lid })
const shown = async (path: string) => (await admin.get(`/api/v2${path}`)).body.data
const tagsOf = async (id: string) => {
  const row = await api.db.post.findUniqueOrThrow({ where: { id: Number(id) }, include: { tags: true } })
  return row.tags.map(({ name }) => name).sort()
}

test('a lid stands for the resource in to-one and to-many linkage, and in ref, of the operations after it', async () => {
  const answer = await operate(
    admin,
    tag('one'),
    tag('two'),
    post('p', { relationships: { tags: { data: [lid('tags', 'one'), identifier('tags', 2)] } } }),
    { op: 'add', ref: { ...lid('posts', 'p'), relationship: 'tags' }, data: [lid('tags', 'two')] },
    { op: 'remove', ref: { ...lid('posts', 'p'), relationship: 'tags' }, data: [lid('tags', 'one')] },
    {
      op: 'add',
      data: {
        type: 'comments',
        attributes: { content: 'C' },
        relationships: { commentable: { data: lid('posts', 'p') } },
      },
    },
    { op: 'update', data: { ...lid('posts', 'p'), attributes: { title: 'By its lid' } } },
    { op: 'update', ref: lid('posts', 'p'), data: { ...lid('posts', 'p'), attributes: { synopsis: 'By both' } } },
    { op: 'remove', ref: lid('tags', 'one') },
  )
  const results = answer.body['atomic:results']
  const { id } = results[2].data
  expect(results).toEqual([
    { data: expect.objectContaining({ type: 'tags', attributes: { name: 'one' } }) },
    { data: await shown(`/tags/${results[1].data.id}`) },
    { data: expect.objectContaining({ type: 'posts', id }) },
    {},
    {},
    { data: await shown(`/comments/${results[5].data.id}`) },
    { data: expect.objectContaining({ attributes: expect.objectContaining({ title: 'By its lid', synopsis: null }) }) },
    { data: await shown(`/posts/${id}`) },
    {},
  ])
  expect(await tagsOf(id)).toEqual([(await shown('/tags/2')).attributes.name, 'two'].sort())
  const comment = await api.db.comment.findUniqueOrThrow({ where: { id: Number(results[5].data.id) } })
  expect(comment).toMatchObject({ postId: Number(id) })
})

test('of several resources of one type each has its own lid', async () => {
  const rename = (name: string) => ({ op: 'update', data: { ...lid('posts', name), attributes: { title: name } } })
  const { status, body } = await operate(member, post('a'), post('b'), post('c'), rename('c'), rename('a'))
  const [a, b, c] = body['atomic:results'].map((result: { data: { id: string } }) => result.data.id)
  const titles = await Promise.all([a, b, c].map(async (id) => (await shown(`/posts/${id}`)).attributes.title))
  expect({ status, titles }).toEqual({ status: 200, titles: ['a', 'A post', 'c'] })
})

test('lids of different types have nothing to do with each other', async () => {
  const answer = await operate(admin, tag('x', 'called x'), post('x'), {
    op: 'add',
    ref: { ...lid('posts', 'x'), relationship: 'tags' },
    data: [lid('tags', 'x')],
  })
  expect(answer.status).toBe(200)
  expect(await tagsOf(answer.body['atomic:results'][1].data.id)).toEqual(['called x'])
})

test('a client may give an id, and a lid beside it', async () => {
  const id = '22222222-2222-4222-8222-222222222222'
  const video = {
    op: 'add',
    data: { type: 'videos', id, lid: 'v', attributes: { title: 'V', url: 'https://a.example' } },
  }
  const answer = await operate(member, video, { op: 'remove', ref: lid('videos', 'v') })
  expect(answer.status).toBe(200)
  expect(await api.db.video.count({ where: { id } })).toBe(0)
})

const unknown = (type: string, name: string) =>
  nonCompliant(`No earlier operation adds a resource of type ${type} with the lid ${name}.`, '')

test.each([
  ['is unknown, in ref', { op: 'remove', ref: lid('posts', 'no') }, unknown('posts', 'no'), '/ref/lid'],
  ['is unknown, in data', { op: 'update', data: lid('posts', 'no') }, unknown('posts', 'no'), '/data/lid'],
  [
    'is unknown, in linkage',
    post('q', { relationships: { tags: { data: [identifier('tags', 2), lid('tags', 'no')] } } }),
    unknown('tags', 'no'),
    '/data/relationships/tags/data/1/lid',
  ],
  [
    'is unknown, in to-one linkage',
    { op: 'add', data: { type: 'comments', relationships: { commentable: { data: lid('posts', 'no') } } } },
    unknown('posts', 'no'),
    '/data/relationships/commentable/data/lid',
  ],
  [
    'is unknown, in a relationship',
    { op: 'add', ref: { ...identifier('posts', 1), relationship: 'tags' }, data: [lid('tags', 'no')] },
    unknown('tags', 'no'),
    '/data/0/lid',
  ],
  ['is of another type', { op: 'remove', ref: lid('tags', 'p') }, unknown('tags', 'p'), '/ref/lid'],
  ['comes later', { op: 'remove', ref: lid('posts', 'later') }, unknown('posts', 'later'), '/ref/lid'],
  ['is given twice', post('p'), nonCompliant('An earlier operation has the lid p already.', ''), '/data/lid'],
  [
    'is no string',
    { op: 'remove', ref: { type: 'posts', lid: 5 } },
    nonCompliant('The member lid must be a string.', ''),
    '/ref/lid',
  ],
  [
    'is empty',
    { op: 'add', data: { type: 'posts', lid: '' } },
    nonCompliant('The member lid cannot be empty.', ''),
    '/data/lid',
  ],
  [
    'stands beside an id',
    { op: 'remove', ref: { type: 'posts', id: '1', lid: 'p' } },
    nonCompliant('The members id and lid exclude each other.', ''),
    '/ref',
  ],
])('a lid that %s is refused before anything is done', async (_, operation, error, at) => {
  await expectRefused(api.db, () => operate(member, post('p'), operation, post('later')), {
    status: 400,
    errors: [inOperation(1, error, at)],
  })
})

test('the draft that a lid stands for can be commented by who may see it, and not once it was removed', async () => {
  const draft = () => ({ op: 'add', data: { type: 'posts', lid: 'd', attributes: newPost() } })
  const comment = {
    op: 'add',
    data: {
      type: 'comments',
      attributes: { content: 'C' },
      relationships: { commentable: { data: lid('posts', 'd') } },
    },
  }
  expect((await operate(member, draft(), comment)).status).toBe(200)
  const remove = { op: 'remove', ref: lid('posts', 'd') }
  await expectRefused(api.db, () => operate(member, draft(), remove, comment), {
    status: 404,
    errors: [inOperation(2, relatedNotFound(''), '/data/relationships/commentable')],
  })
})

test('what an update says of another resource than its target is refused at the lid that names it', async () => {
  const update = { op: 'update', ref: lid('posts', 'p'), data: { ...lid('posts', 'q'), attributes: { title: 'T' } } }
  const { body, status } = await operate(member, post('p'), post('q'), update)
  expect({ status, errors: body.errors }).toEqual({
    status: 409,
    errors: [
      {
        status: '409',
        title: 'Not Supported',
        detail: expect.stringMatching(/^Resource id \d+ is not supported by this endpoint\.$/),
        source: { pointer: '/atomic:operations/2/data/lid' },
      },
    ],
  })
})
