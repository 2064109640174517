import { beforeEach, expect, test } from 'vitest'
import { relatedNotFound } from '../../support/answers.ts'
import { useApi, users } from '../../support/api.ts'
import { expectRefused, expectResults, inOperation, newPost, operate } from '../../support/operations.ts'
import { identifier } from '../../support/row-documents.ts'

const api = useApi()
const member = api.as(users.member4)
const admin = api.as(users.admin)
const tags = (...ids: readonly number[]) => ids.map((id) => identifier('tags', id))

let id: number
beforeEach(async () => {
  const { body, ...post } = newPost()
  const data = { ...post, content: body, authorId: users.member4, tags: { connect: [{ id: 2 }] } }
  id = (await api.db.post.create({ data })).id
})
const stored = async () => {
  const post = await api.db.post.findUniqueOrThrow({ where: { id }, include: { tags: { orderBy: { id: 'asc' } } } })
  return post.tags.map((tag) => tag.id)
}
const ref = () => ({ type: 'posts', id: String(id), relationship: 'tags' })

test.each([
  ['ref', () => ({ ref: ref() })],
  ['href', () => ({ href: `/api/v2/posts/${id}/relationships/tags` })],
])('a to-many relationship is added to, taken from, and replaced, by %s', async (_, target) => {
  expect((await operate(member, { op: 'add', ...target(), data: tags(3, 4) })).status).toBe(204)
  expect(await stored()).toEqual([2, 3, 4])
  expect((await operate(member, { op: 'remove', ...target(), data: tags(2, 3) })).status).toBe(204)
  expect(await stored()).toEqual([4])
  expect((await operate(member, { op: 'update', ...target(), data: tags(5, 6) })).status).toBe(204)
  expect(await stored()).toEqual([5, 6])
  expect((await operate(member, { op: 'update', ...target(), data: [] })).status).toBe(204)
  expect(await stored()).toEqual([])
})

test('what is there already, or gone already, is no failure', async () => {
  const answer = await operate(
    member,
    { op: 'add', ref: ref(), data: tags(2, 2) },
    { op: 'remove', ref: ref(), data: tags(9) },
  )
  expect(answer.status).toBe(204)
  expect(await stored()).toEqual([2])
})

test('a to-one relationship is replaced', async () => {
  const author = { type: 'posts', id: String(id), relationship: 'author' }
  const answer = await operate(admin, { op: 'update', ref: author, data: identifier('users', users.member5) })
  expect(answer.status).toBe(204)
  expect(await api.db.post.findUniqueOrThrow({ where: { id } })).toMatchObject({ authorId: users.member5 })
})

test('a to-one relationship is emptied', async () => {
  const video = await api.db.video.create({ data: { title: 'V', url: 'https://a.example', ownerId: users.member4 } })
  const owner = { type: 'videos', id: video.id, relationship: 'owner' }
  expect((await operate(admin, { op: 'update', ref: owner, data: null })).status).toBe(204)
  expect(await api.db.video.findUniqueOrThrow({ where: { id: video.id } })).toMatchObject({ ownerId: null })
})

test('relationships among other operations have an empty result', async () => {
  const answer = await operate(
    member,
    { op: 'add', ref: ref(), data: tags(3) },
    { op: 'update', ref: ref(), data: tags(4) },
    { op: 'update', data: { type: 'posts', id: String(id), attributes: { title: 'Other' } } },
  )
  expectResults(answer, {}, {}, { data: (await member.get(`/api/v2/posts/${id}`)).body.data })
})

test.each(['add', 'remove'])('%s is not supported by a to-one relationship', async (op) => {
  const author = { type: 'posts', id: String(id), relationship: 'author' }
  await expectRefused(api.db, () => operate(admin, { op, ref: author, data: identifier('users', 5) }), {
    status: 403,
    errors: [
      inOperation(
        0,
        { status: '403', title: 'Not Supported', detail: `The operation ${op} is not supported by its target.` },
        '/op',
      ),
    ],
  })
})

test('linkage of the wrong shape, of a wrong type, and of what does not exist, is refused at its place', async () => {
  const refuse = (data: unknown, status: number, error: object, at: string) =>
    expectRefused(
      api.db,
      () => operate(member, { op: 'add', ref: ref(), data: tags(8) }, { op: 'add', ref: ref(), data }),
      {
        status,
        errors: [inOperation(1, error, at)],
      },
    )
  const nonCompliant = { status: '400', title: 'Non-Compliant JSON:API Document' }
  await refuse(
    identifier('tags', 2),
    400,
    { ...nonCompliant, detail: 'The field tags must be a to-many relation.' },
    '/data',
  )
  await refuse([5], 400, { ...nonCompliant, detail: 'The member 0 must be an object.' }, '/data/0')
  const detail = 'The tags field must be a to-many relationship containing tags resources.'
  await refuse([identifier('users', 2)], 422, { status: '422', title: 'Unprocessable Entity', detail }, '/data/0')
  await refuse(tags(2, 9999), 404, relatedNotFound(''), '/data/1')
})
