import { describe, expect, test } from 'vitest'
import {
  allowOf,
  badParameter,
  expectAnswer,
  expectErrors,
  expectNotAllowed,
  forbidden,
  invalid,
  nonCompliant,
  notFound,
} from '../../support/answers.ts'
import { useApi, users } from '../../support/api.ts'
import {
  at,
  documentOf,
  identifier,
  profileResource,
  relationshipDocument,
  sparse,
  userToGuests,
} from '../../support/row-documents.ts'

const api = useApi()
const profile = (id: number) => api.db.profile.findUniqueOrThrow({ where: { id } })
const change = (id: number, attributes: object, relationships?: object) => ({
  body: { data: { type: 'profiles', id: String(id), attributes, ...(relationships && { relationships }) } },
})
const everybodyElse = [
  ['a guest', null],
  ['another member', users.member4],
  ['an editor', users.editor],
  ['an administrator', users.admin],
] as const
const callerOf = (userId: number | null) => (userId === null ? api.guest : api.as(userId))

describe('GET /profiles', () => {
  test('all ten, without pages', async () => {
    const rows = await api.db.profile.findMany({ orderBy: { id: 'asc' } })
    expect(rows).toHaveLength(10)
    const document = documentOf(
      at('/profiles'),
      rows.map((row) => profileResource(row)),
    )
    expectAnswer(await api.guest.get('/profiles'), 200, document)
  })

  test('none is an empty list', async () => {
    const document = documentOf(at('/profiles', { 'filter[bio]': 'none' }), [])
    expectAnswer(await api.guest.get('/profiles?filter[bio]=none'), 200, document)
  })

  test('include, fields and sort', async () => {
    const query = {
      include: 'user',
      sort: '-id',
      'filter[id]': '3,4',
      'fields[profiles]': 'website',
      'fields[users]': '',
    }
    const { body } = await api.guest.get(
      '/profiles?include=user&sort=-id&filter[id]=3,4&fields[profiles]=website&fields[users]=',
    )
    const [third, fourth] = [await profile(3), await profile(4)]
    const data = [sparse('profiles', 4, { website: fourth.website }), sparse('profiles', 3, { website: third.website })]
    const included = [sparse('users', 4), sparse('users', 3)]
    expect(body).toEqual(documentOf(at('/profiles', query), data, { included }))
  })

  test('page is refused', async () => {
    expectErrors(await api.guest.get('/profiles?page[number]=1'), badParameter('page'))
  })

  test('other verbs are 405', async () => {
    expectNotAllowed(await api.as(users.admin).delete('/profiles'), ['GET', 'HEAD', 'POST'])
    expect(allowOf(await api.guest.request('OPTIONS', '/profiles'))).toEqual(['GET', 'HEAD', 'POST'])
    expect((await api.guest.request('HEAD', '/profiles')).status).toBe(200)
  })
})

describe('GET /profiles/:id', () => {
  test('everybody may read one', async () => {
    const document = documentOf(at('/profiles/3'), profileResource(await profile(3)))
    expectAnswer(await api.guest.get('/profiles/3'), 200, document)
  })

  test('an unknown one is 404', async () => {
    expectErrors(await api.guest.get('/profiles/4711'), notFound)
  })
})

describe('PATCH /profiles/:id', () => {
  test('its user changes it', async () => {
    const attributes = { bio: 'Writes.', website: null }
    const answer = await api.as(users.member3).patch('/profiles/3', change(3, attributes))
    const row = await profile(3)
    expect(row).toEqual({ id: 3, userId: 3, ...attributes })
    expectAnswer(answer, 200, documentOf(at('/profiles/3'), profileResource(row)))
  })

  test.each(everybodyElse)('%s may not', async (_, userId) => {
    const before = await profile(3)
    expectErrors(await callerOf(userId).patch('/profiles/3', change(3, { bio: 'Theirs.' })), forbidden())
    expect(await profile(3)).toEqual(before)
  })

  test.each(['bio', 'website'])('%s is a text or null', async (name) => {
    const before = await profile(5)
    const error = invalid('string', `The ${name} field must be a string.`, `/data/attributes/${name}`)
    expectErrors(await api.as(users.member5).patch('/profiles/5', change(5, { [name]: 5 })), error)
    expect(await profile(5)).toEqual(before)
  })

  test('whose it is does not change: the user has no rule', async () => {
    const relationships = { user: { data: identifier('users', 4) } }
    expect((await api.as(users.member5).patch('/profiles/5', change(5, { bio: 'Mine.' }, relationships))).status).toBe(
      200,
    )
    expect(await profile(5)).toMatchObject({ bio: 'Mine.', userId: 5 })
  })

  test('the foreign key is no attribute', async () => {
    const error = nonCompliant('The field userId is not a supported attribute.', '/data/attributes/userId')
    expectErrors(await api.as(users.member5).patch('/profiles/5', change(5, { userId: 4 })), error)
  })

  test('an unknown one is 404, before anybody is asked for permission', async () => {
    expectErrors(await api.guest.patch('/profiles/4711', change(4711, {})), notFound)
  })
})

describe('what nobody may do with profiles', () => {
  const callers = () => [...everybodyElse.map(([, userId]) => callerOf(userId)), api.as(users.member3)]

  test('create one', async () => {
    const body = {
      data: { type: 'profiles', attributes: {}, relationships: { user: { data: identifier('users', 3) } } },
    }
    for (const caller of callers()) expectErrors(await caller.post('/profiles', { body }), forbidden())
    expect(await api.db.profile.count()).toBe(10)
  })

  test('delete one', async () => {
    for (const caller of callers()) expectErrors(await caller.delete('/profiles/3'), forbidden())
    expect(await api.db.profile.count()).toBe(10)
  })

  test('give one to another user', async () => {
    for (const caller of callers()) {
      const body = { data: identifier('users', 4) }
      expectErrors(await caller.patch('/profiles/3/relationships/user', { body }), forbidden())
    }
    expect((await profile(3)).userId).toBe(3)
  })
})

describe('the user of a profile', () => {
  test('is there for everybody', async () => {
    const user = await api.db.user.findUniqueOrThrow({ where: { id: 3 } })
    expectAnswer(await api.guest.get('/profiles/3/user'), 200, documentOf(at('/profiles/3/user'), userToGuests(user)))
    const linkage = relationshipDocument('/profiles/3', 'user', identifier('users', 3))
    expectAnswer(await api.guest.get('/profiles/3/relationships/user'), 200, linkage)
  })

  test('of an unknown profile is 404', async () => {
    for (const path of ['/profiles/4711/user', '/profiles/4711/relationships/user']) {
      expectErrors(await api.guest.get(path), notFound)
    }
  })

  test('other verbs are 405', async () => {
    expectNotAllowed(await api.as(users.admin).patch('/profiles/3/user'), ['GET', 'HEAD'])
    expectNotAllowed(await api.as(users.admin).post('/profiles/3/relationships/user'), ['GET', 'HEAD', 'PATCH'])
  })
})
