import type { Serving, WhereOf } from 'prismapi'
import { expect, test } from 'vitest'
import { Counting, counting, fresh, postKeyed, replayed, shownOf, tagNamed } from '../../support/idempotency.ts'
import { useServers } from '../../support/servers.ts'

// One user who signs in to one organization or the other, as a header says. Tags belong to the organization that they are named for.
const signedIn = (organization: string, more: object = {}) => ({
  id: 1,
  role: 'ADMIN' as const,
  name: organization,
  ...more,
})

class Helpdesk extends Counting {
  override serving(phase: Serving): void {
    super.serving(phase)
    const { user } = phase
    if (user) phase.scope('Tag', scopeOf(user.name))
  }
}

/** What is said of an organization, each time in another order and at another moment. */
function scopeOf(organization: string): WhereOf<'Tag'> {
  const parts: WhereOf<'Tag'>[] = [
    { name: { startsWith: organization } },
    { id: { in: [...hundred].sort(() => Math.random() - 0.5) } },
    { posts: { none: { createdAt: { gt: new Date() } } } },
  ]
  return { AND: Math.random() < 0.5 ? parts : parts.reverse() }
}
const hundred = Array.from({ length: 100 }, (_, i) => i + 1)

const helpdesk = useServers(async () => ({
  ...(await counting(Helpdesk)),
  authenticate: (ctx) => ({ ...signedIn(ctx.get('X-Organization')), email: 'ann@example.org' }),
}))

const post = (key: string, organization: string, more: object = {}) =>
  postKeyed(helpdesk.as(null), {
    key,
    body: tagNamed(`${organization}-${key}`),
    headers: { 'X-Organization': organization, ...more },
  })

test('a key is another key to the same user, signed in to another organization', async () => {
  const key = fresh()
  const acme = await post(key, 'acme')
  const globex = await post(key, 'globex')
  expect([acme.status, globex.status, replayed(globex)]).toEqual([201, 201, null])
  expect([acme, globex].map(({ body }) => body.data.attributes.name)).toEqual([`acme-${key}`, `globex-${key}`])
  expect(await helpdesk.db.tag.count({ where: { name: { endsWith: key } } })).toBe(2)

  const [again, there] = [await post(key, 'acme'), await post(key, 'globex')]
  expect([again, there].map(replayed)).toEqual(['true', 'true'])
  expect([again, there].map(shownOf)).toEqual([acme, globex].map(shownOf))
})

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const bearing = (claims: object) => ({ Authorization: `Bearer ${part({ alg: 'none' })}.${part(claims)}.signature` })

test('a key is another key to a token with other claims, and the same to one that was renewed', async () => {
  const key = fresh()
  const sent = (claims: object) =>
    postKeyed(helpdesk.as(null), {
      ...{ key, url: '/api/v1/tags/-actions/ping' },
      headers: { 'X-Organization': 'acme', ...bearing(claims) },
    })
  const first = await sent({ sub: '1', org: 'acme', roles: ['agent'], iat: 1, exp: 100, nbf: 1, jti: 'a' })
  const renewed = await sent({ roles: ['agent'], sub: '1', org: 'acme', iat: 2, exp: 200, nbf: 2, jti: 'b' })
  const other = await sent({ sub: '1', org: 'globex', roles: ['agent'], iat: 1, exp: 100, nbf: 1, jti: 'a' })
  expect([first, renewed, other].map(({ status }) => status)).toEqual([200, 200, 200])
  expect([first, renewed, other].map(replayed)).toEqual([null, 'true', null])
  expect(shownOf(renewed)).toEqual(shownOf(first))
  expect(other.body.meta).not.toEqual(first.body.meta)
})

test.each(['Bearer opaque', 'Bearer a.b.c', `Bearer ${part({})}.${part([1])}.x`, 'Basic YTpi'])(
  'credentials without claims (%s) leave the key to the user and the scopes',
  async (authorization) => {
    const key = fresh()
    const [first, second] = [
      await post(key, 'acme', { Authorization: authorization }),
      await post(key, 'acme', { Authorization: 'Bearer another' }),
    ]
    expect([first.status, replayed(second)]).toEqual([201, 'true'])
  },
)
