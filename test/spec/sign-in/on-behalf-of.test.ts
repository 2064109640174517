import { firstOf, onBehalfOf, signedInAs, tokenScopes } from '@prismapi/auth'
import type { User } from 'prismapi'
import { describe, expect, test } from 'vitest'
import { authenticator } from '../../../src/app/auth.ts'
import { expectErrors } from '../../support/answers.ts'
import { users } from '../../support/api.ts'
import { theExample, useServers } from '../../support/servers.ts'

const secret = 'the secret of the tests, which is long enough'
const scopes = tokenScopes({ read: { '*': ['reads'] } })
const seen: (readonly [User, User])[] = []

const api = useServers(async () => ({
  ...(await theExample()),
  features: [scopes],
  authenticate: onBehalfOf(
    firstOf<User>(async (ctx) => {
      const user = await authenticator(api.clients.reader, secret)(ctx)
      return user && ctx.get('Limited') ? scopes.limit(user, ['read']) : user
    }),
    {
      async user(signedIn, wanted) {
        const id = signedIn.role === 'ADMIN' && /^\d+$/.test(wanted) ? Number(wanted) : 0
        const select = { id: true, name: true, email: true, role: true }
        const found = await api.clients.reader.user.findUnique({ where: { id }, select })
        if (found) seen.push([found as User, signedIn])
        return found as User | null
      },
    },
  ),
}))

const named = (id: number, name: string) => ({ data: { type: 'users', id: `${id}`, attributes: { name } } })
const writersOf = async (id: number) =>
  (await api.db.change.findMany({ where: { model: 'User', key: `${id}` }, orderBy: { id: 'asc' } })).map(
    ({ action, user }) => [action, user],
  )
const as =
  (id: number | null, wanted?: number | string) =>
  (method: string, url: string, body?: unknown, more = {}) =>
    api.as(id)(method, url, {
      headers: { ...(wanted !== undefined && { 'On-Behalf-Of': `${wanted}` }), ...more },
      body,
    })

describe('a request in the name of somebody else', () => {
  test('is one of that user, and the trail names both', async () => {
    const change = named(users.member3, 'By support')
    const { status } = await as(users.admin, users.member3)('PATCH', '/api/v2/users/3', change)
    expect(status).toBe(200)
    expect((await writersOf(users.member3)).at(-1)).toEqual(['update', '1 for 3'])
  })

  test('without the header is one of who is signed in', async () => {
    await as(users.member4)('PATCH', '/api/v2/users/4', named(users.member4, 'By herself'))
    expect((await writersOf(users.member4)).at(-1)).toEqual(['update', '4'])
  })

  test('has no rights but those of that user', async () => {
    const { status } = await as(users.admin, users.member3)('PATCH', '/api/v2/users/4', named(users.member4, 'No'))
    expect(status).toBe(403)
  })

  test.each([
    ['by a guest', null, users.member3, 401],
    ['by somebody who may not', users.member3, users.member4, 403],
    ['for nobody', users.admin, 999_999, 403],
    ['for what is no user', users.admin, 'ann; drop', 403],
  ])('%s is refused', async (_, id, wanted, status) => {
    const answer = await as(id, wanted)('GET', '/api/v1/posts')
    expect(answer.status).toBe(status)
    if (status === 403)
      expectErrors(answer, { status: '403', title: 'Forbidden', detail: 'You may not act for this user.' })
  })

  test('has the scopes of the token that it came with', async () => {
    const limited = { Limited: 'yes' }
    expect((await as(users.admin, users.member3)('GET', '/api/v2/posts', undefined, limited)).status).toBe(200)
    const { status, body } = await as(users.admin, users.member3)(
      'PATCH',
      '/api/v2/users/3',
      named(users.member3, 'No'),
      limited,
    )
    expect([status, body.errors[0].code]).toEqual([403, 'insufficient_scope'])
  })

  test('is known to code of the application', () => {
    const [subject] = seen.at(0) as readonly [User, User]
    expect(signedInAs(subject)).toBe(subject)
  })
})
