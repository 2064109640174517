import { describe, expect, test } from 'vitest'
import {
  type ErrorOf,
  expectAnswer,
  expectErrors,
  forbidden,
  invalid,
  missing,
  nonCompliant,
  relatedNotFound,
} from '../../support/answers.ts'
import { type Answer, useApi, users } from '../../support/api.ts'
import {
  at,
  documentOf,
  identifier,
  postResource,
  sparse,
  tagResource,
  userResource,
} from '../../support/row-documents.ts'
import { tagsOf } from '../../support/rows.ts'

const api = useApi()
const bySlug = (slug: string) => api.db.post.findUniqueOrThrow({ where: { slug } })
const attributesOf = (slug: string) => ({ title: 'Hello', slug, content: 'World' })
const newPost = (attributes: object, relationships?: object) => ({
  body: { data: { type: 'posts', attributes, ...(relationships && { relationships }) } },
})

/** Refuses it, and writes nothing. */
async function expectRefused(work: () => Promise<Answer>, ...errors: readonly ErrorOf[]) {
  const before = await api.db.post.count()
  expectErrors(await work(), ...errors)
  expect(await api.db.post.count()).toBe(before)
}

describe('POST /posts', () => {
  test('a member writes a draft: 201, its place, and the post with its author set', async () => {
    const started = new Date()
    const answer = await api.as(users.member3).post('/posts', newPost(attributesOf('a-draft')))
    const row = await bySlug('a-draft')
    expect(row).toMatchObject({
      ...attributesOf('a-draft'),
      synopsis: null,
      publishedAt: null,
      authorId: users.member3,
      deletedAt: null,
    })
    expect(row.createdAt.getTime()).toBeGreaterThanOrEqual(started.getTime())
    expectAnswer(answer, 201, documentOf(at(`/posts/${row.id}`), postResource(row)))
    expect(answer.headers.get('Location')).toBe(at(`/posts/${row.id}`))
  })

  test('with all that it may have', async () => {
    const attributes = { ...attributesOf('all'), synopsis: 'In short.', publishedAt: '2024-05-01T12:30:00.250+02:00' }
    const tags = { data: [identifier('tags', 2), identifier('tags', 3), identifier('tags', 2)] }
    const answer = await api.as(users.member3).post('/posts', newPost(attributes, { tags }))
    const row = await bySlug('all')
    expect(row).toMatchObject({ synopsis: 'In short.', publishedAt: new Date('2024-05-01T10:30:00.250Z') })
    expect(await tagsOf(api.db, row.id)).toEqual([2, 3])
    expectAnswer(answer, 201, documentOf(at(`/posts/${row.id}`), postResource(row)))
  })

  test('include and fields shape the answer, and Location has no query', async () => {
    const tags = { data: [identifier('tags', 4)] }
    const path = '/posts?include=tags,author&fields[posts]=slug,tags&fields[users]='
    const answer = await api.as(users.member3).post(path, newPost(attributesOf('shaped'), { tags }))
    const row = await bySlug('shaped')
    const query = { include: 'tags,author', 'fields[posts]': 'slug,tags', 'fields[users]': '' }
    const { relationships } = postResource(row, { tags: tags.data })
    const data = { ...sparse('posts', row.id, { slug: 'shaped' }), relationships: { tags: relationships.tags } }
    const included = [tagResource({ id: 4, name: 'tag-4' }), sparse('users', users.member3)]
    expectAnswer(answer, 201, documentOf(at(`/posts/${row.id}`, query), data, { included }))
    expect(answer.headers.get('Location')).toBe(at(`/posts/${row.id}`))
  })

  test('a query that means nothing here is 400, before anything is written', async () => {
    const { status } = await api.as(users.member3).post('/posts?sort=title', newPost(attributesOf('sorted')))
    expect(status).toBe(400)
    expect(await api.db.post.count({ where: { slug: 'sorted' } })).toBe(0)
  })
})

describe('the author of a new post', () => {
  const author = { author: { data: identifier('users', users.member5) } }

  test('an administrator may name somebody else', async () => {
    const answer = await api.as(users.admin).post('/posts?include=author', newPost(attributesOf('by-5'), author))
    const row = await bySlug('by-5')
    expect(row.authorId).toBe(users.member5)
    const included = [userResource(await api.db.user.findUniqueOrThrow({ where: { id: users.member5 } }))]
    const data = postResource(row, { author: author.author.data })
    expectAnswer(answer, 201, documentOf(at(`/posts/${row.id}`, { include: 'author' }), data, { included }))
  })

  test('is the administrator who names nobody', async () => {
    expect((await api.as(users.admin).post('/posts', newPost(attributesOf('by-1')))).status).toBe(201)
    expect((await bySlug('by-1')).authorId).toBe(users.admin)
  })

  test.each([
    ['a member', users.member3],
    ['an editor', users.editor],
  ])('is the caller, when %s names somebody else', async (name, caller) => {
    const slug = `not-by-5-${name.replace(' ', '-')}`
    expect((await api.as(caller).post('/posts', newPost(attributesOf(slug), author))).status).toBe(201)
    expect((await bySlug(slug)).authorId).toBe(caller)
  })

  test('must exist, whoever names it', async () => {
    const nobody = newPost(attributesOf('by-nobody'), { author: { data: identifier('users', 4711) } })
    for (const caller of [users.admin, users.member3]) {
      await expectRefused(() => api.as(caller).post('/posts', nobody), relatedNotFound('/data/relationships/author'))
    }
  })

  test('cannot be nobody', async () => {
    await expectRefused(
      () => api.as(users.admin).post('/posts', newPost(attributesOf('by-null'), { author: { data: null } })),
      invalid('required', 'The author field is required.', '/data/relationships/author/data'),
    )
  })
})

describe('POST /posts that is refused', () => {
  test('a guest may not write', async () => {
    await expectRefused(() => api.guest.post('/posts', newPost(attributesOf('by-guest'))), forbidden())
  })

  test('what is required and not sent points at the document', async () => {
    await expectRefused(
      () => api.as(users.member3).post('/posts', newPost({})),
      missing('title'),
      missing('slug'),
      missing('content'),
    )
  })

  test.each([
    ['title', null, 'required', 'The title field is required.'],
    ['title', '', 'required', 'The title field is required.'],
    ['title', 5, 'string', 'The title field must be a string.'],
    ['title', 'x'.repeat(201), 'max', 'The title field must not be greater than 200 characters.'],
    ['slug', null, 'required', 'The slug field is required.'],
    ['slug', 'Upper', 'matches', 'The slug format is invalid.'],
    ['slug', 'two--dashes', 'matches', 'The slug format is invalid.'],
    ['slug', '-dash', 'matches', 'The slug format is invalid.'],
    ['slug', 'line\n', 'matches', 'The slug format is invalid.'],
    ['slug', 'post-1', 'unique', 'The slug has already been taken.'],
    ['slug', 'post-5', 'unique', 'The slug has already been taken.'],
    ['content', '', 'required', 'The content field is required.'],
    ['synopsis', 5, 'string', 'The synopsis field must be a string.'],
    ['synopsis', { increment: 1 }, 'string', 'The synopsis field must be a string.'],
    ['publishedAt', 'tomorrow', 'dateTime', 'The published at is not a valid ISO 8601 date and time.'],
    ['publishedAt', '2024-02-30T00:00Z', 'dateTime', 'The published at is not a valid ISO 8601 date and time.'],
    ['publishedAt', '2024-02-28', 'dateTime', 'The published at is not a valid ISO 8601 date and time.'],
  ])('%s: %j', async (name, value, code, detail) => {
    const attributes = { ...attributesOf('refused'), [name]: value }
    await expectRefused(
      () => api.as(users.member3).post('/posts', newPost(attributes)),
      invalid(code, detail, `/data/attributes/${name}`),
    )
  })

  test('200 characters of title are not too many', async () => {
    const attributes = { ...attributesOf('long-title'), title: 'ü'.repeat(200) }
    expect((await api.as(users.member3).post('/posts', newPost(attributes))).status).toBe(201)
  })

  test('every failure is reported', async () => {
    await expectRefused(
      () => api.as(users.member3).post('/posts', newPost({ title: '', slug: 'Not a slug', publishedAt: 5 })),
      missing('content'),
      invalid('required', 'The title field is required.', '/data/attributes/title'),
      invalid('matches', 'The slug format is invalid.', '/data/attributes/slug'),
      invalid('dateTime', 'The published at is not a valid ISO 8601 date and time.', '/data/attributes/publishedAt'),
    )
  })

  test.each(['deletedAt', 'authorId', 'id2', 'tags'])('%s is no attribute', async (name) => {
    await expectRefused(
      () => api.as(users.admin).post('/posts', newPost({ ...attributesOf('unknown'), [name]: null })),
      nonCompliant(`The field ${name} is not a supported attribute.`, `/data/attributes/${name}`),
    )
  })

  test('read-only fields and comments are ignored', async () => {
    const attributes = {
      ...attributesOf('ignored'),
      createdAt: '2020-01-01T00:00:00Z',
      updatedAt: '2020-01-01T00:00:00Z',
    }
    const comments = { data: [identifier('comments', 1)] }
    const before = await api.db.comment.findUniqueOrThrow({ where: { id: 1 } })
    expect((await api.as(users.admin).post('/posts', newPost(attributes, { comments }))).status).toBe(201)
    const row = await bySlug('ignored')
    expect(row.createdAt.getFullYear()).toBeGreaterThan(2020)
    expect(row.updatedAt.getFullYear()).toBeGreaterThan(2020)
    expect(await api.db.comment.findUniqueOrThrow({ where: { id: 1 } })).toEqual(before)
  })

  test('tags that do not exist are 404, each by its place', async () => {
    const tags = { data: [identifier('tags', 2), identifier('tags', 4711), identifier('tags', 'x')] }
    await expectRefused(
      () => api.as(users.member3).post('/posts', newPost(attributesOf('no-tags'), { tags })),
      relatedNotFound('/data/relationships/tags/data/1'),
      relatedNotFound('/data/relationships/tags/data/2'),
    )
  })

  test('of ten requests with one slug one wins, and nine are told that it is taken', async () => {
    const all = await Promise.all(
      Array.from({ length: 10 }, () => api.as(users.member3).post('/posts', newPost(attributesOf('raced')))),
    )
    const losers = all.filter(({ status }) => status !== 201)
    expect(losers).toHaveLength(9)
    for (const answer of losers) {
      expectErrors(answer, invalid('unique', 'The slug has already been taken.', '/data/attributes/slug'))
    }
    expect(await api.db.post.count({ where: { slug: 'raced' } })).toBe(1)
  })
})
