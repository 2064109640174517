import { describe, expect, test } from 'vitest'
import { videoId } from '../../../prisma/seed-rows.ts'
import { badParameter, expectErrors, forbidden, nonCompliant } from '../../support/answers.ts'
import { useApi, users } from '../../support/api.ts'
import { snapshot } from '../../support/snapshot.ts'

// Property level authorization. `passwordHash` is hidden in the Prisma schema, `deletedAt` in the server's, and
// `authorId` is the linkage of a relation: to clients none of them exists, whoever they are.

const api = useApi()
const admin = api.as(users.admin)

describe('S12: a hidden attribute is nowhere', () => {
  test('in no resource, primary or included', async () => {
    const answers = await Promise.all(
      ['/users', '/users/3', '/posts?include=author', '/posts/1/author', '/comments/1?include=author.profile'].map(
        (path) => admin.get(path),
      ),
    )
    const resources = answers.flatMap(({ body }) => [body.data, body.included ?? []].flat())
    const names = new Set(resources.flatMap(({ attributes }) => Object.keys(attributes)))
    expect([...names].filter((name) => /password|hash|deletedAt|authorId|userId/i.test(name))).toEqual([])
    expect(JSON.stringify(answers.map(({ body }) => body))).not.toContain('scrypt')
  })

  test.each([
    ['users', 'passwordHash'],
    ['posts', 'deletedAt'],
    ['posts', 'authorId'],
    ['comments', 'postId'],
  ])('not in fields, sort and filter of %s: %s is as unknown as a name that was made up', async (type, name) => {
    const refused = (field: string) => [
      [
        `fields[${type}]=${field}`,
        badParameter(`fields[${type}]`, `Sparse field set ${type}.${field} is not allowed.`),
      ],
      [`filter[${field}]=x`, badParameter(`filter[${field}]`, `Filter parameter ${field} is not allowed.`)],
      ...['contains', 'startsWith', 'gt', 'not', 'isNull'].map((operator) => [
        `filter[${field}][${operator}]=1`,
        badParameter(`filter[${field}][${operator}]`, `Filter parameter ${field}[${operator}] is not allowed.`),
      ]),
      [
        `filter[not][0][${field}]=x`,
        badParameter(`filter[not][0][${field}]`, `Filter parameter ${field} is not allowed.`),
      ],
      ...(type === 'comments'
        ? []
        : [[`sort=-${field}`, badParameter('sort', `Sort parameter ${field} is not allowed.`)]]),
    ]
    for (const field of [name, 'madeUp']) {
      for (const [query, error] of refused(field) as [string, ReturnType<typeof badParameter>][])
        expectErrors(await admin.get(`/${type}?${query}`), error)
    }
  })

  test.each(['author.passwordHash', 'comments.author.passwordHash', 'comments.every.author.passwordHash'])(
    'not across relations: %s',
    async (path) => {
      expectErrors(
        await admin.get(`/posts?filter[${path}][startsWith]=s`),
        badParameter(`filter[${path}][startsWith]`, `Filter parameter ${path}[startsWith] is not allowed.`),
      )
    },
  )

  test('not as a sort across a relation', async () => {
    expectErrors(
      await admin.get('/posts?sort=author.passwordHash'),
      badParameter('sort', 'Sort parameter author.passwordHash is not allowed.'),
    )
  })

  test('not in what an error says of a document that names it', async () => {
    const document = (name: string) => ({ data: { type: 'users', id: '3', attributes: { [name]: 'x' } } })
    for (const name of ['passwordHash', 'madeUp']) {
      expectErrors(
        await admin.patch('/users/3', { body: document(name) }),
        nonCompliant(`The field ${name} is not a supported attribute.`, `/data/attributes/${name}`),
      )
    }
  })
})

describe('S13: a filter by a hidden attribute is no oracle', () => {
  test.each([
    'filter[passwordHash]',
    'filter[passwordHash][startsWith]',
    'filter[posts.author.passwordHash][contains]',
  ])('%s answers the same for right and for wrong guesses', async (key) => {
    const { passwordHash } = await api.db.user.findUniqueOrThrow({ where: { id: 3 } })
    const [right, wrong] = await Promise.all(
      [passwordHash, 'z'].map((guess) => admin.get(`/users?${key}=${encodeURIComponent(guess)}`)),
    )
    expect(right?.status).toBe(400)
    expect([right?.status, right?.body]).toEqual([wrong?.status, wrong?.body])
  })
})

test('S14: include shows what the scopes leave, although the policy of its type denies to view it', async () => {
  expectErrors(await api.guest.get('/users/4'), forbidden())
  const { status, body } = await api.guest.get('/posts/1?include=author')
  expect({
    status,
    included: body.included.map(({ type, id }: { type: string; id: string }) => `${type}/${id}`),
  }).toEqual({ status: 200, included: ['users/4'] })
})

describe('S15: what a client has no business with is not assigned', () => {
  const member = api.as(users.member3)
  const patch = (attributes: object, relationships?: object) =>
    member.patch('/posts/8', {
      body: { data: { type: 'posts', id: '8', attributes, ...(relationships && { relationships }) } },
    })

  test.each(['authorId', 'deletedAt', 'passwordHash', 'madeUp', 'create', 'author_id', 'constructor', 'toString'])(
    'an attribute that does not exist for clients: %s',
    async (name) => {
      const before = await snapshot(api.db)
      expectErrors(
        await patch({ [name]: 4 }),
        nonCompliant(`The field ${name} is not a supported attribute.`, `/data/attributes/${name}`),
      )
      expect(await snapshot(api.db)).toEqual(before)
    },
  )

  test.each<[unknown]>([
    [{ set: 'Mine' }],
    [{ connect: { id: 1 } }],
    [{ create: { title: 'Mine' } }],
    [{ increment: 1 }],
    [{ $set: 'Mine' }],
    [['Mine']],
    [{ toString: 'Mine' }],
  ])('a shape of the database client as the value of a text: %j', async (value) => {
    const before = await snapshot(api.db)
    const answer = await patch({ title: value })
    expect({
      status: answer.status,
      sources: answer.body.errors.map((each: { source: object }) => each.source),
    }).toEqual({
      status: 422,
      sources: [{ pointer: '/data/attributes/title' }],
    })
    expect(await snapshot(api.db)).toEqual(before)
  })

  test.each<[unknown]>([[{ increment: 1 }], [{ set: 1 }], [[1]]])('or of a number: %j', async (value) => {
    const before = await snapshot(api.db)
    const data = { type: 'videos', id: videoId(8), attributes: { durationSeconds: value } }
    const { status, body } = await member.patch(`/videos/${videoId(8)}`, { body: { data } })
    expect([status, body.errors[0].source]).toEqual([422, { pointer: '/data/attributes/durationSeconds' }])
    expect(await snapshot(api.db)).toEqual(before)
  })

  test('a shape of the database client in the place of linkage', async () => {
    const before = await snapshot(api.db)
    for (const data of [
      { connect: { id: 1 } },
      { type: 'tags', id: { not: '0' } },
      [{ type: 'tags', id: { gt: '0' } }],
    ]) {
      expect((await patch({}, { tags: { data } })).status).toBe(400)
    }
    expect(await snapshot(api.db)).toEqual(before)
  })

  test('read-only attributes are ignored', async () => {
    const before = await api.db.post.findUniqueOrThrow({ where: { id: 8 } })
    const { status, body } = await patch({
      title: 'Another title',
      createdAt: '2001-01-01T00:00:00Z',
      updatedAt: '2001-01-01T00:00:00Z',
    })
    const after = await api.db.post.findUniqueOrThrow({ where: { id: 8 } })
    expect([status, body.data.attributes.title]).toEqual([200, 'Another title'])
    expect([after.createdAt, after.title]).toEqual([before.createdAt, 'Another title'])
    expect(after.updatedAt.getTime()).toBeGreaterThan(before.updatedAt.getTime())
  })

  test('a role is nobody’s to give but an administrator’s', async () => {
    const body = { data: { type: 'users', id: '3', attributes: { name: 'Three', role: 'ADMIN' } } }
    expect((await member.patch('/users/3', { body })).status).toBe(200)
    expect(await api.db.user.findUnique({ where: { id: 3 } })).toMatchObject({ name: 'Three', role: 'MEMBER' })
  })
})
