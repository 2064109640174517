import { protectedResource, tokenScopes } from '@prismapi/auth'
import { Server, unauthorized } from 'prismapi'
import { describe, expect, test } from 'vitest'
import { origin } from '../../support/api.ts'
import { plain, useServers } from '../../support/servers.ts'

class V1 extends Server {
  override readonly name: string = 'v1'
  override readonly challenge = 'Bearer'
}
class Site extends Server {
  override readonly name: string = 'site'
}

const scopes = tokenScopes({ read: { '*': ['reads'] }, write: { '*': ['reads', 'writes'] } })
const authorizationServers = ['https://login.example.org/realms/newsroom']
const api = useServers(() => ({
  servers: [plain(V1), plain(Site)],
  policies: new Map(),
  features: [scopes, protectedResource({ authorizationServers, scopes, servers: ['v1'] })],
  authenticate: (ctx) => {
    const header = ctx.get('Authorization')
    if (header === '') return null
    if (header === 'Bearer wrong') throw unauthorized('Bearer error="invalid_token"')
    return scopes.limit({ id: 3, name: 'Member', email: '', role: 'MEMBER' } as const, header.slice(7).split(' '))
  },
}))
const partsOf = (...servers: readonly (typeof V1)[]) => ({
  servers: servers.map((server) => plain(server)),
  policies: new Map(),
  features: [protectedResource({ authorizationServers })],
})
const alone = useServers(() => partsOf(V1))
const both = useServers(() => partsOf(V1, Site as never))
class Tenant extends V1 {
  override readonly basePath = '/api/:tenant/v1'
}
const tenants = useServers(() => ({
  ...partsOf(Tenant),
  authenticate: () => {
    throw unauthorized('Bearer')
  },
}))
const place = `${origin}/.well-known/oauth-protected-resource/api/v1`
const challengeOf = async (method: string, url: string, headers = {}) => {
  const { status, headers: got } = await api.as(null)(method, url, { headers })
  return [status, got.get('WWW-Authenticate')]
}

describe('a protected resource', () => {
  test('says where tokens for it come from, at its well-known place', async () => {
    const response = await fetch(`${api.at}/.well-known/oauth-protected-resource/api/v1`)
    expect([
      response.status,
      response.headers.get('Content-Type'),
      response.headers.get('Access-Control-Allow-Origin'),
    ]).toEqual([200, 'application/json; charset=utf-8', '*'])
    expect(await response.json()).toEqual({
      resource: `${origin}/api/v1`,
      authorization_servers: authorizationServers,
      scopes_supported: ['read', 'write'],
      bearer_methods_supported: ['header'],
    })
  })

  test.each(['/.well-known/oauth-protected-resource/api/site', '/.well-known/oauth-protected-resource/api/v1/posts'])(
    'of which there is none is not found: %s',
    async (path) => {
      expect((await fetch(api.at + path)).status).toBe(404)
    },
  )

  test('of one server is at the place without a path as well', async () => {
    const documentAt = async (at: string) => {
      const response = await fetch(`${at}/.well-known/oauth-protected-resource`)
      return response.ok ? ((await response.json()) as { resource: string }).resource : response.status
    }
    expect([await documentAt(alone.at), await documentAt(both.at)]).toEqual([`${origin}/api/v1`, 404])
  })

  test('is one for each value of a parameter in its base path', async () => {
    const headers = { Authorization: 'Bearer wrong' }
    const answer = await tenants.as(null)('GET', '/api/acme/v1/posts', { headers })
    const metadata = `${origin}/.well-known/oauth-protected-resource/api/acme/v1`
    expect(answer.headers.get('WWW-Authenticate')).toBe(`Bearer resource_metadata="${metadata}"`)
    const response = await fetch(metadata.replace(origin, tenants.at))
    expect(await response.json()).toMatchObject({ resource: `${origin}/api/acme/v1` })
    for (const path of ['/api/acme/v1/posts', '/api/acme', ''])
      expect((await fetch(`${tenants.at}/.well-known/oauth-protected-resource${path}`)).status).toBe(404)
  })

  test('leads guests and wrong tokens there', async () => {
    expect(await challengeOf('GET', '/api/v1/posts')).toEqual([
      401,
      `Bearer scope="read write", resource_metadata="${place}"`,
    ])
    expect(await challengeOf('GET', '/api/v1/posts', { Authorization: 'Bearer wrong' })).toEqual([
      401,
      `Bearer error="invalid_token", scope="read write", resource_metadata="${place}"`,
    ])
    expect(await challengeOf('GET', '/api/site/posts', { Authorization: 'Bearer wrong' })).toEqual([
      401,
      'Bearer error="invalid_token"',
    ])
  })

  test('says which scope is missing', async () => {
    expect(await challengeOf('DELETE', '/api/v1/posts/1', { Authorization: 'Bearer read' })).toEqual([
      403,
      `Bearer error="insufficient_scope", scope="write", resource_metadata="${place}"`,
    ])
  })
})

test.each([
  [[], 'protectedResource({ authorizationServers }): name at least one issuer.'],
  [['login.example.org'], 'protectedResource({ authorizationServers }): "login.example.org" is no URL.'],
])('the issuers %j stop the start', (authorizationServers, message) => {
  expect(() => protectedResource({ authorizationServers })).toThrow(message)
})

describe('a scope that means nothing', () => {
  const start = (scopes: object) => () => {
    const feature = tokenScopes(scopes as never)
    feature.serve?.({ servers: api.api.servers } as never)
  }
  test.each([
    [{ read: { Pots: ['reads'] } }, 'tokenScopes: scope read: no server has the model Pots. Did you mean Post?'],
    [{ read: { Post: ['vew'] } }, 'tokenScopes: scope read: Post has no action vew. Did you mean view?'],
    [{ 'read all': {} }, 'tokenScopes: "read all" is no scope. Write a name without blanks and quotes.'],
  ])('stops the start: %j', (scopes, message) => {
    expect(start(scopes)).toThrow(message)
  })
})
