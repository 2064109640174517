import { describe, expect, test } from 'vitest'
import {
  type ErrorOf,
  expectAnswer,
  expectErrors,
  forbidden,
  invalid,
  notFound,
  relatedNotFound,
} from '../../support/answers.ts'
import { useApi, users } from '../../support/api.ts'
import { at, documentOf, identifier, postResource, sparse, userResource } from '../../support/row-documents.ts'
import { addPost, tagsOf } from '../../support/rows.ts'

const api = useApi()
const post = (id: number) => api.db.post.findUniqueOrThrow({ where: { id } })
const change = (id: number | string, attributes: object, relationships?: object) => ({
  body: { data: { type: 'posts', id: String(id), attributes, ...(relationships && { relationships }) } },
})

/** Refuses the change of a new post of member 3, which stays as it is. */
async function expectRefused(caller: typeof api.guest, { attributes = {}, relationships = {} }, ...errors: ErrorOf[]) {
  const row = await addPost(api.db)
  expectErrors(await caller.patch(`/posts/${row.id}`, change(row.id, attributes, relationships)), ...errors)
  expect(await post(row.id)).toEqual(row)
}

describe('PATCH /posts/:id', () => {
  test.each([
    ['its author', users.member3],
    ['an editor', users.editor],
    ['an administrator', users.admin],
  ])('%s changes what is sent, and nothing else', async (name, caller) => {
    const before = await addPost(api.db, { synopsis: 'As it was.' })
    const answer = await api.as(caller).patch(`/posts/${before.id}`, change(before.id, { title: `By ${name}` }))
    const after = await post(before.id)
    expect(after).toEqual({ ...before, title: `By ${name}`, updatedAt: after.updatedAt })
    expect(after.updatedAt.getTime()).toBeGreaterThan(before.updatedAt.getTime())
    expectAnswer(answer, 200, documentOf(at(`/posts/${before.id}`), postResource(after)))
  })

  test('nothing changes where nothing is sent', async () => {
    const before = await addPost(api.db)
    const body = { data: { type: 'posts', id: String(before.id) } }
    const answer = await api.as(users.member3).patch(`/posts/${before.id}`, { body })
    expect(await post(before.id)).toEqual(before)
    expectAnswer(answer, 200, documentOf(at(`/posts/${before.id}`), postResource(before)))
  })

  test('null empties what may be empty', async () => {
    const { id } = await addPost(api.db, { synopsis: 'In short.' })
    await api.as(users.member3).patch(`/posts/${id}`, change(id, { synopsis: null, publishedAt: null }))
    expect(await post(id)).toMatchObject({ synopsis: null, publishedAt: null })
  })

  test('a post may keep its slug', async () => {
    const { id, slug } = await addPost(api.db)
    expect((await api.as(users.member3).patch(`/posts/${id}`, change(id, { slug }))).status).toBe(200)
  })

  test('include and fields shape the answer', async () => {
    const row = await addPost(api.db)
    const query = { include: 'author', 'fields[posts]': 'title' }
    const path = `/posts/${row.id}?include=author&fields[posts]=title`
    const included = [userResource(await api.db.user.findUniqueOrThrow({ where: { id: users.member3 } }))]
    const document = documentOf(at(`/posts/${row.id}`, query), sparse('posts', row.id, { title: 'New' }), { included })
    expectAnswer(await api.as(users.member3).patch(path, change(row.id, { title: 'New' })), 200, document)
  })

  test('tags are replaced as a whole', async () => {
    const { id } = await addPost(api.db, { tags: { connect: [{ id: 2 }, { id: 3 }] } })
    const tags = { data: [identifier('tags', 3), identifier('tags', 5)] }
    const { status, body } = await api.as(users.member3).patch(`/posts/${id}?include=tags`, change(id, {}, { tags }))
    expect({ status, tags: body.data.relationships.tags.data }).toEqual({ status: 200, tags: tags.data })
    expect(await tagsOf(api.db, id)).toEqual([3, 5])
    await api.as(users.member3).patch(`/posts/${id}`, change(id, {}, { tags: { data: [] } }))
    expect(await tagsOf(api.db, id)).toEqual([])
  })
})

describe('the author of a post', () => {
  const author = { author: { data: identifier('users', users.member5) } }

  test('is changed by an administrator', async () => {
    const { id } = await addPost(api.db)
    const answer = await api.as(users.admin).patch(`/posts/${id}`, change(id, {}, author))
    const row = await post(id)
    expect(row.authorId).toBe(users.member5)
    expectAnswer(answer, 200, documentOf(at(`/posts/${id}`), postResource(row)))
  })

  test.each([
    ['its author', users.member3],
    ['an editor', users.editor],
  ])('stays when %s names another: what else is sent is written', async (_, caller) => {
    const { id } = await addPost(api.db)
    expect((await api.as(caller).patch(`/posts/${id}`, change(id, { title: 'Mine' }, author))).status).toBe(200)
    expect(await post(id)).toMatchObject({ title: 'Mine', authorId: users.member3 })
  })

  test('cannot become nobody', async () => {
    const required = invalid('required', 'The author field is required.', '/data/relationships/author/data')
    await expectRefused(api.as(users.admin), { relationships: { author: { data: null } } }, required)
  })
})

describe('PATCH /posts/:id that is refused', () => {
  test('a guest and a stranger may not', async () => {
    await expectRefused(api.guest, { attributes: { title: 'Theirs' } }, forbidden())
    await expectRefused(api.as(users.member4), { attributes: { title: 'Theirs' } }, forbidden())
  })

  test.each([
    ['title', '', 'required', 'The title field is required.'],
    ['title', null, 'required', 'The title field is required.'],
    ['slug', 'post-1', 'unique', 'The slug has already been taken.'],
    ['slug', 'Not a slug', 'matches', 'The slug format is invalid.'],
    ['content', null, 'required', 'The content field is required.'],
    ['publishedAt', 'x', 'dateTime', 'The published at is not a valid ISO 8601 date and time.'],
  ])('%s: %j', async (name, value, code, detail) => {
    const error = invalid(code, detail, `/data/attributes/${name}`)
    await expectRefused(api.as(users.member3), { attributes: { [name]: value } }, error)
  })

  test('with a tag that does not exist nothing is written', async () => {
    const relationships = { tags: { data: [identifier('tags', 4711)] } }
    const error = relatedNotFound('/data/relationships/tags/data/0')
    await expectRefused(api.as(users.member3), { attributes: { title: 'New' }, relationships }, error)
  })

  test.each([
    ['a hidden one', 5],
    ['an unknown one', 4711],
  ])('%s is 404, before anybody is asked for permission', async (_, id) => {
    for (const caller of [api.guest, api.as(users.member3)]) {
      expectErrors(await caller.patch(`/posts/${id}`, change(id, { title: 'x' })), notFound)
    }
  })

  test('a deleted one is 404, for an administrator too', async () => {
    const { id } = await addPost(api.db, { deletedAt: new Date() })
    expectErrors(await api.as(users.admin).patch(`/posts/${id}`, change(id, { title: 'x' })), notFound)
  })
})
