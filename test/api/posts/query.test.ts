import { describe, expect, test } from 'vitest'
import { badParameter, expectAnswer, expectErrors, inAnyOrder } from '../../support/answers.ts'
import { useApi, users } from '../../support/api.ts'
import {
  at,
  documentOf,
  identifier,
  jsonapi,
  pageOf,
  postResource,
  sparse,
  tagResource,
  userToGuests,
} from '../../support/row-documents.ts'

const api = useApi()
const post = (id: number) => api.db.post.findUniqueOrThrow({ where: { id } })
const idsOf = (body: { data: { id: string }[] }) => body.data.map(({ id }) => Number(id))

describe('filter[slug] names one post', () => {
  const self = (slug: string) => at('/posts', { 'filter[slug]': slug })

  test('that one is the answer, not a list', async () => {
    const document = documentOf(self('post-1'), postResource(await post(1)))
    expectAnswer(await api.guest.get('/posts?filter[slug]=post-1'), 200, document)
  })

  test('null, where nobody has the slug', async () => {
    expectAnswer(await api.guest.get('/posts?filter[slug]=nothing'), 200, documentOf(self('nothing'), null))
  })

  test('null for a draft of somebody else, the draft for its author', async () => {
    expectAnswer(await api.guest.get('/posts?filter[slug]=post-40'), 200, documentOf(self('post-40'), null))
    const document = documentOf(self('post-40'), postResource(await post(40)))
    expectAnswer(await api.as(users.member3).get('/posts?filter[slug]=post-40'), 200, document)
  })

  test('a list where a page is asked for', async () => {
    const query = { 'filter[slug]': 'post-1', 'page[number]': 1 }
    const asked = { number: 1, size: 15, total: 1, sort: '-createdAt', query: { 'filter[slug]': 'post-1' } }
    const { links, meta } = pageOf('/posts', asked)
    expectAnswer(await api.guest.get('/posts?filter[slug]=post-1&page[number]=1'), 200, {
      ...documentOf(at('/posts', query), [postResource(await post(1))], { meta }),
      links: { self: at('/posts', query), ...links },
    })
  })
})

describe('filter', () => {
  test.each([
    ['one value', 'filter[id]=7', [7]],
    ['a list', 'filter[id]=7,8,11', [11, 8, 7]],
    ['a hidden post is not found', 'filter[id]=5,7', [7]],
    ['by the author', 'filter[author]=3&page[size]=3', [56, 48, 32]],
    ['by a tag', 'filter[tags.name]=tag-2&filter[id]=11,22,33,12', [33, 22, 11]],
  ])('%s', async (_, query, ids) => {
    const { status, body } = await api.guest.get(`/posts?${query}`)
    expect({ status, ids: idsOf(body) }).toEqual({ status: 200, ids })
  })

  test('what nothing matches is an empty first page', async () => {
    const query = { 'filter[title]': 'Nothing' }
    const { links, meta } = pageOf('/posts', { number: 1, size: 15, total: 0, sort: '-createdAt', query })
    expect(meta.page).toEqual({ currentPage: 1, from: 0, lastPage: 1, perPage: 15, to: 0, total: 0 })
    expectAnswer(await api.guest.get('/posts?filter[title]=Nothing'), 200, {
      ...documentOf(at('/posts', query), [], { meta }),
      links: { self: at('/posts', query), ...links },
    })
  })

  test.each(['deletedAt', 'authorId', 'author.passwordHash', 'nothing'])('%s is not allowed', async (name) => {
    const key = `filter[${name}]`
    expectErrors(
      await api.as(users.admin).get(`/posts?${key}=1`),
      badParameter(key, `Filter parameter ${name} is not allowed.`),
    )
  })
})

describe('sort', () => {
  test.each([
    ['ascending', 'id', [{ id: 'asc' }]],
    ['descending', '-slug', [{ slug: 'desc' }]],
    ['by the author, then', 'author.name,-id', [{ author: { name: 'asc' } }, { id: 'desc' }]],
    ['by a date that many share, and then by id', 'publishedAt', [{ publishedAt: 'asc' }, { id: 'asc' }]],
  ] as const)('%s', async (_, sort, orderBy) => {
    const rows = await api.db.post.findMany({ where: { publishedAt: { not: null } }, orderBy: [...orderBy], take: 15 })
    const { status, body } = await api.guest.get(`/posts?sort=${sort}`)
    expect({ status, ids: idsOf(body) }).toEqual({ status: 200, ids: rows.map(({ id }) => id) })
  })

  test('the links keep the order of the client', async () => {
    const { body } = await api.guest.get('/posts?sort=title')
    expect(body.links.next).toBe(at('/posts', { 'page[number]': 2, 'page[size]': 15, sort: 'title' }))
  })

  test.each(['deletedAt', 'authorId', 'tags', 'nothing'])('%s is not allowed', async (name) => {
    expectErrors(
      await api.as(users.admin).get(`/posts?sort=${name}`),
      badParameter('sort', `Sort parameter ${name} is not allowed.`),
    )
  })
})

describe('include and fields', () => {
  test.each(['', ',', '-', 'title,', 'title,,id'])('sort=%s says what it expects', async (sort) => {
    expectErrors(
      await api.guest.get(`/posts?sort=${sort}`),
      badParameter('sort', 'The parameter sort must be a list of fields, with - before those that descend.'),
    )
  })

  test('a + that is sent as it is, which is a space, is told', async () => {
    const key = 'filter[createdAt][gte]'
    expectErrors(
      await api.guest.get(`/posts?${key}=2024-05-01T00:00:00+02:00`),
      badParameter(
        key,
        `The value of ${key} must be an ISO 8601 date-time such as 2025-01-31T09:30:00Z. Write %2B for a +: it is a space otherwise.`,
      ),
    )
    expect((await api.guest.get(`/posts?${key}=2024-05-01T00:00:00%2B02:00`)).status).toBe(200)
    expectErrors(
      await api.guest.get(`/posts?${key}=1 May`),
      badParameter(key, `The value of ${key} must be an ISO 8601 date-time such as 2025-01-31T09:30:00Z.`),
    )
  })

  test('a compound document has each resource once', async () => {
    const rows = await api.db.post.findMany({ where: { id: { in: [3, 11] } }, include: { author: true, tags: true } })
    // Both are by member 6.
    expect(rows.map(({ authorId }) => authorId)).toEqual([users.member6, users.member6])
    const tags = new Map(rows.flatMap((row) => row.tags).map((tag) => [tag.id, tag]))
    const { status, body } = await api.guest.get('/posts?filter[id]=3,11&sort=id&include=author,tags')
    expect(status).toBe(200)
    expect(body.data).toEqual(
      rows.map((row) =>
        postResource(row, {
          author: identifier('users', row.authorId),
          tags: inAnyOrder(row.tags.map(({ id }) => identifier('tags', id))),
        }),
      ),
    )
    expect(body.included).toEqual(
      inAnyOrder([
        ...rows.slice(1).map((row) => userToGuests(row.author)),
        ...[...tags.values()].map((tag) => tagResource(tag)),
      ]),
    )
  })

  test('`include=` asks for nothing, and gets it', async () => {
    const { body } = await api.guest.get('/posts/1?include=')
    expect(body).toEqual(documentOf(at('/posts/1', { include: '' }), postResource(await post(1)), { included: [] }))
  })

  test('fields leave out attributes and relationships alike', async () => {
    const query = { 'filter[slug]': 'post-1', 'fields[posts]': 'title' }
    const document = documentOf(at('/posts', query), sparse('posts', 1, { title: 'Post 1' }))
    expectAnswer(await api.guest.get('/posts?filter[slug]=post-1&fields[posts]=title'), 200, document)
  })

  test('`fields[posts]=` leaves none', async () => {
    const document = documentOf(at('/posts/1', { 'fields[posts]': '' }), sparse('posts', 1))
    expectAnswer(await api.guest.get('/posts/1?fields[posts]='), 200, document)
  })

  test.each([
    ['include', 'nothing', 'Include path nothing is not allowed.'],
    ['include', 'author.password', 'Include path author.password is not allowed.'],
    ['fields[posts]', 'deletedAt', 'Sparse field set posts.deletedAt is not allowed.'],
    ['fields[posts]', 'authorId', 'Sparse field set posts.authorId is not allowed.'],
    ['fields[users]', 'password', 'Sparse field set users.password is not allowed.'],
    ['fields[users]', 'passwordHash', 'Sparse field set users.passwordHash is not allowed.'],
    ['fields[nothing]', 'title', 'Resource type nothing is not recognised.'],
  ])('%s=%s is 400', async (key, value, detail) => {
    expectErrors(await api.as(users.admin).get(`/posts?${key}=${value}`), badParameter(key, detail))
  })

  test('everything that is wrong is said at once', async () => {
    const { status, body } = await api.guest.get('/posts?include=nothing&sort=nothing&page[size]=0')
    const errors = inAnyOrder([
      badParameter('include', 'Include path nothing is not allowed.'),
      badParameter('sort', 'Sort parameter nothing is not allowed.'),
      badParameter('page[size]'),
    ])
    expect({ status, body }).toEqual({ status: 400, body: { jsonapi, errors } })
  })
})
