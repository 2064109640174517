import { describe, expect, test } from 'vitest'
import { badParameter, expectAnswer, invalid, nonCompliant } from '../../support/answers.ts'
import { useApi, users } from '../../support/api.ts'

const api = useApi()
const path = (rest = '') => `/api/v2/posts${rest}`
const jsonapi = { version: '1.1' }
const editor = api.as(users.editor)
const admin = api.as(users.admin)
const author = api.as(users.member4)

const trashed = async (slug: string, authorId: number = users.member4) =>
  api.db.post.create({
    data: {
      title: 'T',
      slug,
      content: 'C',
      authorId,
      publishedAt: new Date('2024-01-01'),
      deletedAt: new Date('2024-02-01'),
    },
  })
const patch = (id: number, attributes: object) => ({ body: { data: { type: 'posts', id: String(id), attributes } } })

test('a post has a body in place of its content, and an excerpt that is computed from it', async () => {
  const content = 'word '.repeat(100).trim()
  const { id } = await api.db.post.create({
    data: { title: 'Long', slug: 'long', content, authorId: 4, publishedAt: new Date('2024-01-01') },
  })
  const { status, body } = await api.guest.get(path(`/${id}?fields[posts]=title,body,excerpt`))
  expect({ status, body }).toEqual({
    status: 200,
    body: {
      jsonapi,
      links: { self: `https://api.example.org/api/v2/posts/${id}?fields%5Bposts%5D=title%2Cbody%2Cexcerpt` },
      data: {
        type: 'posts',
        id: String(id),
        attributes: { title: 'Long', body: content, excerpt: `${content.slice(0, 139).trimEnd()}…` },
        links: { self: `https://api.example.org/api/v2/posts/${id}` },
      },
    },
  })
})

test('the computed attribute loads just the column that it names', async () => {
  const [query] = await api.queriesOf(() => api.guest.get(path('?fields[posts]=excerpt&page[size]=1')))
  expect(query).toMatch(/[`"]content[`"]/)
  expect(query).not.toMatch(/[`"]title[`"]/)
})

test('the body is written under its own name; the one of v1 is unknown here', async () => {
  const attributes = { title: 'New', slug: 'new-in-v2', body: 'Text' }
  const created = await author.post(path(), { body: { data: { type: 'posts', attributes } } })
  expect({ status: created.status, body: created.body.data.attributes.body }).toEqual({ status: 201, body: 'Text' })
  const refused = await author.post(path(), {
    body: { data: { type: 'posts', attributes: { ...attributes, content: 'Text' } } },
  })
  const errors = [nonCompliant('The field content is not a supported attribute.', '/data/attributes/content')]
  expectAnswer(refused, 400, { jsonapi, errors })
  const empty = await author.post(path(), {
    body: { data: { type: 'posts', attributes: { ...attributes, slug: 'x', body: null } } },
  })
  const fault = invalid('required', 'The body field is required.', '/data/attributes/body')
  expectAnswer(empty, 422, { jsonapi, errors: [expect.objectContaining(fault)] })
})

test('the server has a default authorizer of its own', async () => {
  const { status, body } = await api.guest.post(path(), { body: { data: { type: 'posts' } } })
  expect({ status, body }).toEqual({
    status: 403,
    body: { jsonapi, errors: [{ status: '403', title: 'Forbidden', detail: 'Sign in first.' }] },
  })
  expect((await api.guest.post('/posts', { body: { data: { type: 'posts' } } })).body.errors[0].detail).not.toBe(
    'Sign in first.',
  )
})

describe('rows that were deleted', () => {
  test('are seen by id by who may view them, with the mark; for all others they do not exist', async () => {
    const { id } = await trashed('seen')
    const { status, body } = await editor.get(path(`/${id}?fields[posts]=deletedAt`))
    expect({ status, attributes: body.data.attributes }).toEqual({
      status: 200,
      attributes: { deletedAt: '2024-02-01T00:00:00.000Z' },
    })
    for (const caller of [api.guest, author]) expect((await caller.get(path(`/${id}`))).status).toBe(404)
    expect((await editor.get(`/posts/${id}`)).status).toBe(404)
  })

  test('the mark does not exist for who may not view them: neither shown, nor asked for, nor written', async () => {
    const shown = await api.guest.get(path('/1'))
    expect(Object.keys(shown.body.data.attributes)).not.toContain('deletedAt')
    for (const query of ['fields[posts]=deletedAt', 'filter[deletedAt][isNull]=true', 'filter[trashed]=with']) {
      const [key] = query.split('=')
      const { status, body } = await author.get(path(`?${query}`))
      expect({ status, parameter: body.errors[0].source.parameter }).toEqual({
        status: 400,
        parameter: query.startsWith('fields') ? 'fields[posts]' : key,
      })
    }
    const mine = await api.db.post.findFirstOrThrow({ where: { authorId: users.member4 } })
    expect((await author.patch(path(`/${mine.id}`), patch(mine.id, { deletedAt: null }))).status).toBe(400)
  })

  test('filter[trashed] adds them to a collection, or shows nothing else', async () => {
    const { id } = await trashed('filtered')
    const ids = async (query: string) =>
      (await editor.get(path(`?fields[posts]=title&page[size]=100&${query}`))).body.data.map(
        (post: { id: string }) => post.id,
      )
    const total = await api.db.post.count()
    const deleted = await api.db.post.count({ where: { deletedAt: { not: null } } })
    expect(await ids('')).toHaveLength(total - deleted)
    expect(await ids('filter[trashed]=with')).toHaveLength(total)
    expect(await ids('filter[trashed]=only')).toHaveLength(deleted)
    expect(await ids('filter[trashed]=only&filter[slug]=filtered')).toEqual([String(id)])
    const error = badParameter('filter[trashed]', 'The filter[trashed] parameter must be with, only or without.')
    expectAnswer(await editor.get(path('?filter[trashed]=yes')), 400, { jsonapi, errors: [error] })
  })

  test('are restored by setting the mark to null', async () => {
    const { id } = await trashed('restored')
    const { status, body } = await editor.patch(path(`/${id}`), patch(id, { deletedAt: null, title: 'Back' }))
    expect({ status, deletedAt: body.data.attributes.deletedAt, title: body.data.attributes.title }).toEqual({
      status: 200,
      deletedAt: null,
      title: 'Back',
    })
    expect((await api.guest.get(path(`/${id}`))).status).toBe(200)
  })

  test('DELETE alone sets the mark: a document can only take it away', async () => {
    const { id } = await trashed('marked')
    await api.db.post.update({ where: { id }, data: { deletedAt: null } })
    const answer = await editor.patch(path(`/${id}`), patch(id, { deletedAt: '2024-02-01T00:00:00Z' }))
    const detail = 'The deletedAt field can only be set to null, which restores the resource.'
    expectAnswer(answer, 422, { jsonapi, errors: [invalid('restore', detail, '/data/attributes/deletedAt')] })
    expect((await api.db.post.findUniqueOrThrow({ where: { id } })).deletedAt).toBeNull()
  })

  test('of parallel DELETEs one sets the mark, and none removes the row', async () => {
    const { id } = await trashed('at-once')
    await api.db.post.update({ where: { id }, data: { deletedAt: null } })
    const answers = await Promise.all(Array.from({ length: 2 }, () => editor.delete(path(`/${id}`))))
    expect(answers.map(({ status }) => status).sort()).not.toEqual([204, 204])
    expect((await api.db.post.findUniqueOrThrow({ where: { id } })).deletedAt).toBeInstanceOf(Date)
  })

  test('a DELETE sets the mark; a second one removes the row, for who may force it', async () => {
    const { id } = await api.db.post.create({
      data: { title: 'T', slug: 'twice', content: 'C', authorId: 4, publishedAt: new Date('2024-01-01') },
    })
    expect((await editor.delete(path(`/${id}`))).status).toBe(204)
    expect((await api.db.post.findUniqueOrThrow({ where: { id } })).deletedAt).toBeInstanceOf(Date)
    expect((await author.delete(path(`/${id}`))).status).toBe(404)
    expect((await editor.delete(path(`/${id}`))).status).toBe(403)
    expect((await admin.delete(path(`/${id}`))).status).toBe(204)
    expect(await api.db.post.findUnique({ where: { id } })).toBeNull()
  })
})

test('pages are cursors here, of at most 100', async () => {
  const { body } = await api.guest.get(path('?fields[posts]=title'))
  expect(body.data).toHaveLength(15)
  expect(body.links.next).toContain(
    `page%5Bafter%5D=${body.data.at(-1).meta.page.cursor}&page%5Bsize%5D=15&sort=-createdAt`,
  )
  expect((await api.guest.get(path('?page[size]=100'))).status).toBe(200)
  expect((await api.guest.get(path('?page[size]=101'))).body.errors[0].source).toEqual({ parameter: 'page[size]' })
  expect((await api.guest.get('/api/v2/videos?page[size]=201')).body.errors[0].source).toEqual({
    parameter: 'page[size]',
  })
})
