import { describe, expect, test } from 'vitest'
import {
  allowOf,
  badParameter,
  expectAnswer,
  expectErrors,
  expectNotAllowed,
  forbidden,
  notFound,
} from '../../support/answers.ts'
import { useApi, users } from '../../support/api.ts'
import {
  at,
  documentOf,
  identifier,
  pageOf,
  profileResource,
  sparse,
  userResource,
  userToOthers,
} from '../../support/row-documents.ts'

const api = useApi()
const user = (id: number) => api.db.user.findUniqueOrThrow({ where: { id } })

describe('GET /users', () => {
  test('an administrator sees everybody, by id, on a page', async () => {
    const rows = await api.db.user.findMany({ orderBy: { id: 'asc' } })
    const { meta } = pageOf('/users', { number: 1, size: 15, total: 10 })
    const { status, body } = await api.as(users.admin).get('/users')
    expect({ status, data: body.data, meta: body.meta }).toEqual({
      status: 200,
      data: rows.map((row) => userResource(row)),
      meta,
    })
    expect(Object.keys(body.links).sort()).toEqual(['first', 'last', 'self'])
  })

  test('pages, orders, filters and narrows', async () => {
    const query = { sort: '-name', 'filter[role]': 'MEMBER', 'fields[users]': 'email', 'page[size]': 1 }
    const kept = { 'filter[role]': 'MEMBER', 'fields[users]': 'email' }
    const { links, meta } = pageOf('/users', { number: 1, size: 1, total: 8, sort: '-name', query: kept })
    const path = '/users?sort=-name&filter[role]=MEMBER&fields[users]=email&page[size]=1'
    expectAnswer(await api.as(users.admin).get(path), 200, {
      ...documentOf(at('/users', query), [sparse('users', 9, { email: 'member9@example.com' })], { meta }),
      links: { self: at('/users', query), ...links },
    })
  })

  test('none is an empty page', async () => {
    const { status, body } = await api.as(users.admin).get('/users?filter[email]=nobody@example.com')
    const page = { currentPage: 1, from: 0, lastPage: 1, perPage: 15, to: 0, total: 0 }
    expect({ status, data: body.data, meta: body.meta }).toEqual({ status: 200, data: [], meta: { page } })
  })

  test.each([
    ['a guest', null],
    ['a member', users.member3],
    ['an editor', users.editor],
  ])('%s may not, whatever the query', async (_, userId) => {
    const caller = userId === null ? api.guest : api.as(userId)
    expectErrors(await caller.get('/users'), forbidden())
    expectErrors(await caller.get('/users?sort=nothing'), forbidden())
  })

  test.each(['passwordHash', 'password', 'passwordConfirmation'])('%s can be asked for in no way', async (name) => {
    const admin = api.as(users.admin)
    expectErrors(await admin.get(`/users?sort=${name}`), badParameter('sort'))
    expectErrors(await admin.get(`/users?filter[${name}]=x`), badParameter(`filter[${name}]`))
    expectErrors(await admin.get(`/users?fields[users]=${name}`), badParameter('fields[users]'))
  })

  test('other verbs are 405', async () => {
    for (const method of ['PATCH', 'DELETE', 'PUT']) {
      expectNotAllowed(await api.as(users.admin).request(method, '/users'), ['GET', 'HEAD', 'POST'])
    }
    expect(allowOf(await api.guest.request('OPTIONS', '/users'))).toEqual(['GET', 'HEAD', 'POST'])
    expect((await api.as(users.admin).request('HEAD', '/users')).status).toBe(200)
    expect((await api.guest.request('HEAD', '/users')).status).toBe(403)
  })
})

describe('GET /users/:id', () => {
  test('whoever is signed in reads anybody, and never a password', async () => {
    const document = documentOf(at('/users/4'), userToOthers(await user(4)))
    expect(Object.keys(document.data.attributes)).toEqual(['name', 'role', 'createdAt', 'updatedAt'])
    for (const caller of [users.member3, users.editor])
      expectAnswer(await api.as(caller).get('/users/4'), 200, document)
  })

  test('the e-mail address is read by the user and by an administrator', async () => {
    const document = documentOf(at('/users/4'), userResource(await user(4)))
    expect(Object.keys(document.data.attributes)).toEqual(['name', 'email', 'role', 'createdAt', 'updatedAt'])
    for (const caller of [users.member4, users.admin]) expectAnswer(await api.as(caller).get('/users/4'), 200, document)
  })

  test('include and fields', async () => {
    const query = { include: 'profile', 'fields[users]': 'name,profile' }
    const { relationships } = userResource(await user(4), { profile: identifier('profiles', 4) })
    const profile = await api.db.profile.findUniqueOrThrow({ where: { id: 4 } })
    const data = { ...sparse('users', 4, { name: 'Member 4' }), relationships: { profile: relationships.profile } }
    const document = documentOf(at('/users/4', query), data, { included: [profileResource(profile)] })
    expectAnswer(await api.as(users.member3).get('/users/4?include=profile&fields[users]=name,profile'), 200, document)
  })

  test('a guest may not, and an unknown one is 404 for a guest too', async () => {
    expectErrors(await api.guest.get('/users/4'), forbidden())
    expectErrors(await api.guest.get('/users/4711'), notFound)
    expectErrors(await api.as(users.member3).get('/users/4711'), notFound)
  })

  test('other verbs are 405', async () => {
    for (const method of ['POST', 'PUT']) {
      const answer = await api.as(users.admin).request(method, '/users/4')
      expectNotAllowed(answer, ['DELETE', 'GET', 'HEAD', 'PATCH'])
    }
  })
})
