import { createHmac, createPublicKey } from 'node:crypto'
import { firstOf, oidc } from '@prismapi/auth'
import { Server } from 'prismapi'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { expectErrors } from '../../support/answers.ts'
import { users } from '../../support/api.ts'
import { openTestDatabase } from '../../support/database.ts'
import { plain, type Running, startServers, type TextAnswer, theExample } from '../../support/servers.ts'
import {
  audience,
  type IdentityProvider,
  identityProvider,
  other,
  type SigningAlgorithm,
  signingKey,
  web,
} from '../../support/sign-in/identity-provider.ts'

let provider: IdentityProvider
let database: Awaited<ReturnType<typeof openTestDatabase>>
let api: Running

/** The example, which takes the tokens of the provider. */
const serve = async (own: Partial<Parameters<typeof oidc>[0]> = {}): Promise<Running> =>
  startServers(database, {
    ...(await theExample()),
    authenticate: oidc({
      ...{ issuer: provider.issuer, audience, clients: [web.client_id], pauseSeconds: 1 },
      ...{ introspection: { clientId: web.client_id, clientSecret: web.client_secret } },
      user: ({ sub }) =>
        sub === web.client_id || sub === 'member3'
          ? database.reader.user.findFirst({ where: { id: users.member3 } })
          : null,
      ...own,
    }),
  })

beforeAll(async () => {
  provider = await identityProvider()
  database = await openTestDatabase()
  api = await serve()
})
afterAll(async () => {
  await api.close()
  await database.close()
  await provider.close()
})

const ask = (token: string, to = api): Promise<TextAnswer> =>
  to.as(null)('GET', '/api/v1/users/3?fields[users]=email', { headers: { Authorization: `Bearer ${token}` } })
const byHand = (claims = {}, header = {}, by = provider.keys[0]) =>
  provider.signed({ azp: web.client_id, ...claims }, header, by)

function expectMember(answer: TextAnswer): void {
  // The example shows the address of a user to that user alone.
  expect([answer.status, answer.body.data?.attributes]).toEqual([200, { email: 'member3@example.com' }])
}
function expectRefused(answer: TextAnswer): void {
  expectErrors(answer, { status: '401', title: 'Unauthorized', detail: 'Unauthenticated.' })
  expect(answer.headers.get('WWW-Authenticate')).toBe('Bearer error="invalid_token"')
}

describe('a token of a real provider', () => {
  test.each<SigningAlgorithm>(['RS256', 'ES256', 'EdDSA'])('that is signed by %s names its user', async (alg) => {
    const token = await provider.token(`${audience}?alg=${alg}`)
    expect(JSON.parse(Buffer.from(token.split('.')[0] as string, 'base64url').toString()).alg).toBe(alg)
    const named = await serve({ audience: `${audience}?alg=${alg}` })
    expectMember(await ask(token, named))
    await named.close()
  })

  test('that says nothing is asked about at the provider', async () => {
    const opaque = await serve({ audience: 'urn:prismapi:opaque' })
    const token = await provider.token('urn:prismapi:opaque')
    expect(token).not.toContain('.')
    expectMember(await ask(token, opaque))
    const asked = provider.asked.filter((path) => path === '/token/introspection').length
    expectMember(await ask(token, opaque))
    expect(provider.asked.filter((path) => path === '/token/introspection').length).toBe(asked)
    expectRefused(await ask('nobody-gave-this-out', opaque))
    expectRefused(await ask(await provider.token('urn:prismapi:opaque', other), opaque))
    expectRefused(await ask(token))
    await opaque.close()
  })

  test('is good after the provider has changed its keys, and one of the old keys is not', async () => {
    const own = await identityProvider()
    const at = await serve({ issuer: own.issuer })
    expectMember(await ask(await own.signed({ azp: 'web' }), at))
    const [old] = own.keys
    await own.rotate()
    const [withNew, withOld] = [await own.signed({ azp: 'web' }), await own.signed({ azp: 'web', jti: '2' }, {}, old)]
    await new Promise((resolve) => setTimeout(resolve, 1100))
    expectMember(await ask(withNew, at))
    expectRefused(await ask(withOld, at))
    await at.close()
    await own.close()
  })

  test('no token is a guest', async () => {
    expect((await api.as(null)('GET', '/api/v1/posts')).status).toBe(200)
  })
})

describe('a token is refused that', () => {
  const seconds = () => Math.floor(Date.now() / 1000)
  test.each<[string, () => Promise<string>]>([
    ['is unsigned', async () => `${part({ alg: 'none' })}.${(await byHand()).split('.')[1]}.`],
    ['is unsigned, with a signature', async () => `${part({ alg: 'none' })}.${(await byHand()).split('.')[1]}.AAAA`],
    ['is signed with the public key as a secret', confused],
    ['is signed with the public key as a secret, by name', () => confused(provider.keys[0]?.kid)],
    ['is signed by a key of its own', async () => byHand({}, {}, await signingKey('RS256'))],
    [
      'brings its key',
      async () => {
        const own = await signingKey('RS256')
        const { d: _, p: _p, q: _q, dp, dq, qi, ...jwk } = own.jwk
        return byHand({}, { jwk, kid: undefined }, own)
      },
    ],
    ['says where its key is', async () => byHand({}, { jku: 'http://127.0.0.1:9/keys' }, await signingKey('RS256'))],
    ['is of another issuer', () => byHand({ iss: 'https://login.example.com' })],
    ['is of the issuer with a slash', () => byHand({ iss: `${provider.issuer}/` })],
    ['has no issuer', () => byHand({ iss: undefined })],
    ['is for another audience', () => byHand({ aud: 'https://other.example.org' })],
    ['is for no audience', () => byHand({ aud: undefined })],
    ['is for a longer audience', () => byHand({ aud: `${audience}.evil.example` })],
    ['is of another client, by azp', () => byHand({ azp: other.client_id })],
    ['is of another client, by client_id', () => byHand({ azp: undefined, client_id: other.client_id })],
    ['is of no client', () => byHand({ azp: undefined })],
    ['has expired', () => byHand({ exp: seconds() - 31 })],
    ['never expires', () => byHand({ exp: undefined })],
    ['expires at no time', () => byHand({ exp: 'soon' })],
    ['is not valid yet', () => byHand({ nbf: seconds() + 60 })],
    ['has no subject', () => byHand({ sub: undefined })],
    ['has a subject that is no text', () => byHand({ sub: 3 })],
    ['names nobody', () => byHand({ sub: 'nobody' })],
    ['is one of a logout', () => byHand({}, { typ: 'logout+jwt' })],
    ['was changed', async () => (await byHand()).replace(/\.(.)/, (_, letter) => `.${letter === 'e' ? 'f' : 'e'}`)],
    ['is no token', async () => 'eyJhbGciOiJSUzI1NiJ9.e30.AAAA'],
  ])('%s', async (_, make) => {
    expectRefused(await ask(await make()))
  })

  test('the same token without the fault is taken', async () => {
    expectMember(await ask(await byHand()))
    expectMember(await ask(await byHand({ exp: seconds() - 5 })))
    expectMember(await ask(await byHand({ nbf: seconds() + 5 })))
    expectMember(await ask(await byHand({ aud: ['account', audience] })))
    expectMember(await ask(await byHand({ azp: undefined, client_id: web.client_id }, { typ: 'JWT' })))
  })

  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  async function confused(kid?: string): Promise<string> {
    const { jwk } = provider.keys[0] as { jwk: object }
    const secret = createPublicKey({ key: jwk as never, format: 'jwk' }).export({ type: 'spki', format: 'pem' })
    const text = `${part({ alg: 'HS256', ...(kid && { kid }) })}.${(await byHand()).split('.')[1]}`
    return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
  }
})

describe('a provider', () => {
  /** So many seconds later, for all that looks at the clock. */
  function later(seconds: number): void {
    const now = Date.now.bind(Date)
    vi.spyOn(Date, 'now').mockImplementation(() => now() + seconds * 1000)
  }
  afterEach(() => void vi.restoreAllMocks())

  test('is asked once about keys that it does not have, and then not again before the pause is over', async () => {
    const own = await identityProvider()
    const at = await serve({ issuer: own.issuer, pauseSeconds: 300 })
    expectMember(await ask(await own.signed({ azp: 'web' }), at))
    later(301)
    const stranger = await signingKey('RS256')
    const keysAsked = () => own.asked.filter((path) => path === '/jwks').length
    expect(keysAsked()).toBe(1)
    for (let turn = 0; turn < 3; turn++)
      await Promise.all(
        Array.from({ length: 40 }, async (_, n) =>
          expectRefused(
            await ask(await own.signed({ azp: 'web', jti: `${turn} ${n}` }, { kid: `kid ${n}` }, stranger), at),
          ),
        ),
      )
    expect(keysAsked()).toBe(2)
    await at.close()
    await own.close()
  })

  test.each<[string, Parameters<IdentityProvider['answerBy']>[0]]>([
    ['hangs', () => {}],
    ['responds with 10 MB', (_, response) => void response.writeHead(200).end('['.padEnd(10_000_000, ' '))],
    [
      'never ends its response',
      (_, response) => {
        response.writeHead(200)
        const more = setInterval(() => response.write(' '), 100)
        response.on('close', () => clearInterval(more))
      },
    ],
    ['redirects', (_, response) => void response.writeHead(302, { Location: 'http://127.0.0.1:9/' }).end()],
    [
      'is another one',
      (_, response) =>
        void response.writeHead(200).end('{"issuer":"https://evil.example","jwks_uri":"https://evil.example/keys"}'),
    ],
    ['responds with HTML', (_, response) => void response.writeHead(200).end('<html>')],
    ['fails', (_, response) => void response.writeHead(500).end()],
  ])('that %s costs one request of it, and its tokens are 503', async (_, listener) => {
    const own = await identityProvider()
    const token = await own.signed({ azp: 'web' })
    own.answerBy(listener)
    const at = await serve({ issuer: own.issuer, pauseSeconds: 300 })
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(token, at)))
    for (const answer of answers) expect([answer.status, answer.headers.get('Retry-After')]).toEqual([503, '10'])
    expect(own.asked.length).toBe(1)
    // Who has no token is no worse off.
    expect((await at.as(null)('GET', '/api/v1/posts')).status).toBe(200)
    own.answerBy(null)
    later(11)
    expectMember(await ask(token, at))
    await at.close()
    await own.close()
  })

  test('that goes away after its keys were read is not missed', async () => {
    const own = await identityProvider()
    const at = await serve({ issuer: own.issuer, pauseSeconds: 1 })
    expectMember(await ask(await own.signed({ azp: 'web' }), at))
    own.answerBy((_, response) => void response.writeHead(500).end())
    await new Promise((resolve) => setTimeout(resolve, 1100))
    expectRefused(await ask(await own.signed({ azp: 'web' }, { kid: 'new' }), at))
    expectMember(await ask(await own.signed({ azp: 'web', jti: '2' }), at))
    await at.close()
    await own.close()
  })
})

describe('an opaque token is refused of which the provider says', () => {
  const now = () => Math.floor(Date.now() / 1000)
  const good = () => ({ active: true, sub: 'member3', client_id: web.client_id, aud: audience, exp: now() + 600 })
  let said: object = {}
  let own: IdentityProvider
  let at: Running
  beforeAll(async () => {
    own = await identityProvider()
    const { issuer } = own
    own.answerBy(({ url }, response) => {
      response.setHeader('Content-Type', 'application/json')
      const found = { issuer, jwks_uri: `${issuer}/jwks`, introspection_endpoint: `${issuer}/ask` }
      response.end(JSON.stringify(url === '/ask' ? said : found))
    })
    at = await serve({ issuer })
  })
  afterAll(async () => {
    await at.close()
    await own.close()
  })
  let asked = 0
  const answerTo = (claims: object) => {
    said = { ...good(), ...claims }
    return ask(`opaque-${++asked}`, at)
  }

  test.each<[string, () => object]>([
    ['that it is not active', () => ({ active: false })],
    ['that it is of another issuer', () => ({ iss: 'https://login.example.com' })],
    ['that it is for another audience', () => ({ aud: ['https://other.example.org'] })],
    ['that it is of another client', () => ({ client_id: other.client_id })],
    ['that it is of another client, for nobody', () => ({ client_id: other.client_id, aud: undefined })],
    ['that it has expired', () => ({ exp: now() - 31 })],
    ['that it is not valid yet', () => ({ nbf: now() + 60 })],
    ['no time at which it ends', () => ({ exp: undefined })],
    ['a subject that is no text', () => ({ sub: 3 })],
  ])('%s', async (_, claims) => {
    expectRefused(await answerTo(claims()))
  })

  test('and taken without the fault, until the provider says that it was revoked', async () => {
    expectMember(await answerTo({}))
    expectMember(await answerTo({ aud: undefined }))
    expectMember(await answerTo({ exp: now() - 5, nbf: now() + 5 }))
    // For so long the provider is not asked again.
    expectMember(await answerTo({ exp: now() + 1 }))
    await new Promise((resolve) => setTimeout(resolve, 2000))
    said = { active: false }
    expectRefused(await ask(`opaque-${asked}`, at))
  })
})

describe('one of two providers', () => {
  class Site extends Server {
    override readonly name: string = 'v1'
    override readonly browsable = true
  }
  const member = () => database.reader.user.findFirst({ where: { id: users.member3 } })
  const sessions = Object.assign(async () => null, { userKey: 'id' }) as never
  const signIn = { clientId: web.client_id, clientSecret: web.client_secret, sessions }
  const page = (at: Running, path: string, headers: Readonly<Record<string, string>> = {}) =>
    fetch(`${at.at}/api/v1/-browse/sign-in${path}`, {
      headers: { Accept: 'text/html', ...headers },
      redirect: 'manual',
    })

  test('is not asked about tokens of the other, and does not stop them while it is down', async () => {
    const down = await identityProvider()
    down.answerBy((_, response) => void response.writeHead(500).end())
    const common = { audience, clients: [web.client_id], user: member }
    const at = await startServers(database, {
      ...(await theExample()),
      authenticate: firstOf(
        oidc({ ...common, issuer: down.issuer }),
        oidc({ ...common, issuer: provider.issuer }),
      ) as never,
    })
    expectMember(await ask(await byHand({ jti: 'of the second' }), at))
    expectRefused(await ask(await byHand({ iss: 'https://login.example.com' }), at))
    expect(down.asked).toEqual([])
    expect((await ask(await down.signed({ azp: 'web' }), at)).status).toBe(503)
    await at.close()
    await down.close()
  })

  test('takes no sign-in that was begun at the other', async () => {
    const other = await identityProvider()
    const of = (issuer: string, name: string) =>
      oidc({ issuer, audience, user: member, signIn: { ...signIn, name, label: `The ${name}` } })
    const at = await startServers(database, {
      ...{ policies: new Map(), servers: [plain(Site)] },
      authenticate: firstOf(of(provider.issuer, 'staff'), of(other.issuer, 'guests')) as never,
    })
    const form = await (await page(at, '')).text()
    for (const name of ['staff', 'guests']) expect(form).toContain(`href="/api/v1/-browse/sign-in/${name}?`)
    const begun = await page(at, '/staff')
    const sent = new URL(begun.headers.get('Location') as string)
    expect(sent.origin).toBe(provider.issuer)
    const Cookie = (begun.headers.getSetCookie()[0] as string).split(';')[0] as string
    const query = new URLSearchParams({ code: 'c', state: sent.searchParams.get('state') as string, iss: other.issuer })
    const asked = other.asked.length
    const back = await page(at, `/guests/callback?${query}`, { Cookie })
    expect([back.status, (await back.text()).includes('The sign-in was begun in another browser')]).toEqual([400, true])
    expect(other.asked.slice(asked)).not.toContain('/token')
    await at.close()
    await other.close()
  })

  test('has a name of its own', () => {
    const of = (path: string, name?: string) =>
      oidc({
        issuer: `https://login.example.org${path}`,
        audience,
        user: member,
        signIn: { ...signIn, ...(name && { name }) },
      })
    expect(() => firstOf(of('/realms/a'), of('/realms/b'))).toThrow(
      'firstOf: two ways to sign in are called "login-example-org". Give one of them another name: oidc({ signIn: { name } }).',
    )
    expect(() => firstOf(of('/realms/a'), of('/realms/b', 'guests'))).not.toThrow()
    expect(() => of('', 'a/b')).toThrow(
      'oidc({ signIn }): the name "a/b" is a part of a path. Write small letters, digits and hyphens.',
    )
  })
})

describe('the shapes of providers', () => {
  test.each([
    [
      'Keycloak',
      '/realms/news',
      '/realms/news/protocol/openid-connect/certs',
      { azp: 'web', aud: ['account', audience], typ: 'Bearer' },
      'RS256',
    ],
    ['Entra', '/tenant/v2.0', '/tenant/discovery/v2.0/keys', { azp: 'web', ver: '2.0', oid: '1' }, 'RS256'],
    [
      'Auth0',
      '/',
      '/.well-known/jwks.json',
      { azp: 'web', aud: [audience, 'https://x.auth0.com/userinfo'], scope: 'openid' },
      'RS256',
    ],
    ['Better Auth', '/api/auth', '/api/auth/jwks', { azp: 'web' }, 'EdDSA'],
  ] as const)('%s: its keys are where discovery says', async (_, path, keysPath, claims, alg) => {
    const own = await identityProvider()
    const issuer = own.issuer + path
    const key = await signingKey(alg)
    const { d: _d, p, q, dp, dq, qi, ...jwk } = key.jwk
    own.answerBy((request, response) => {
      const found = {
        [`${path.replace(/\/$/, '')}/.well-known/openid-configuration`]: { issuer, jwks_uri: own.issuer + keysPath },
        [keysPath]: { keys: [jwk] },
      }[request.url ?? '']
      response.writeHead(found ? 200 : 404).end(JSON.stringify(found ?? {}))
    })
    const at = await serve({ issuer })
    const token = await own.signed({ iss: issuer, ...claims } as never, { typ: 'JWT' }, key)
    expectMember(await ask(token, at))
    await at.close()
    await own.close()
  })
})

test.each([
  [
    { issuer: 'login.example.org' },
    'oidc({ issuer }): "login.example.org" is no URL. Write the issuer as the provider does.',
  ],
  [{ audience: '' }, 'oidc({ audience }): write the name that this API has at the provider.'],
])('%j stops the start', (own, message) => {
  expect(() => oidc({ issuer: 'https://login.example.org', audience, user: () => null, ...own })).toThrow(message)
})
