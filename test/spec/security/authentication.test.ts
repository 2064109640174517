import { request } from 'node:http'
import { CompactSign, SignJWT, UnsecuredJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { expectErrors, forbidden } from '../../support/answers.ts'
import { type Answer, mediaType, useApi } from '../../support/api.ts'
import { snapshot } from '../../support/snapshot.ts'

const api = useApi()
const secret = 'the secret of the tests, which is long enough'
const key = (text = secret) => new TextEncoder().encode(text)

interface Claims {
  readonly alg?: string
  readonly sub?: string
  readonly exp?: string | number
  readonly secret?: string
}

function token({ alg = 'HS256', sub = '3', exp = '1h', secret: text = secret }: Claims = {}): Promise<string> {
  return new SignJWT().setProtectedHeader({ alg }).setSubject(sub).setExpirationTime(exp).sign(key(text))
}

function expectUnauthorized(answer: Answer): void {
  expectErrors(answer, { status: '401', title: 'Unauthorized', detail: 'Unauthenticated.' })
  expect(answer.headers.get('WWW-Authenticate')).toBe('Bearer')
}

describe('S9: a header that is no token of an existing user is 401, never a guest', () => {
  const [header, payload] = ['{"alg":"HS256"}', '{"sub":"3","exp":99999999999}'].map((part) =>
    Buffer.from(part).toString('base64url'),
  )
  test.each<[string, () => string | Promise<string>]>([
    ['is empty', () => ''],
    ['has a scheme and nothing else', () => 'Bearer'],
    ['has another scheme', () => `Basic ${Buffer.from('admin@example.com:x').toString('base64')}`],
    ['has no scheme', () => token()],
    ['is not a token', () => 'Bearer hello'],
    ['has three parts of nothing', () => 'Bearer a.b.c'],
    ['has two tokens', async () => `Bearer ${await token()} ${await token()}`],
    ['has no signature', () => `Bearer ${header}.${payload}.`],
    ['has alg none', () => `Bearer ${new UnsecuredJWT({ sub: '3' }).setExpirationTime('1h').encode()}`],
    [
      'has alg none and some signature',
      async () => `Bearer ${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.AAAA`,
    ],
    ['is signed with another secret', async () => `Bearer ${await token({ secret: `${secret}!` })}`],
    ['is signed by another algorithm', async () => `Bearer ${await token({ alg: 'HS512', secret: secret.repeat(2) })}`],
    ['is signed by another algorithm with the same secret', async () => `Bearer ${await token({ alg: 'HS384' })}`],
    ['has expired', async () => `Bearer ${await token({ exp: Math.floor(Date.now() / 1000) - 60 })}`],
    [
      'never expires',
      async () => `Bearer ${await new SignJWT().setProtectedHeader({ alg: 'HS256' }).setSubject('3').sign(key())}`,
    ],
    [
      'has no subject',
      async () =>
        `Bearer ${await new SignJWT().setProtectedHeader({ alg: 'HS256' }).setExpirationTime('1h').sign(key())}`,
    ],
    ['was changed by one character', async () => `Bearer ${swapped(await token())}`],
    ['names a user who does not exist', async () => `Bearer ${await token({ sub: '999' })}`],
    ['names no number', async () => `Bearer ${await token({ sub: '3 OR 1=1' })}`],
    ['names a number with a sign', async () => `Bearer ${await token({ sub: '+3' })}`],
    ['names a user by a number', () => signed('{"sub":1,"exp":99999999999}')],
    ['names a user by a list', () => signed('{"sub":["1"],"exp":99999999999}')],
    ['names a user by an object', () => signed('{"sub":{"id":"1"},"exp":99999999999}')],
    ['expires at no instant', () => signed('{"sub":"1","exp":1e400}')],
    ['expires at a text', () => signed('{"sub":"1","exp":"99999999999"}')],
    ['has padding', async () => `Bearer ${await token()}=`],
    ['ends in another character of the same bytes', async () => `Bearer ${respelt(await token())}`],
    ['names a number beyond the column', async () => `Bearer ${await token({ sub: '99999999999999999999' })}`],
  ])('it %s', async (_, header) => {
    const caller = api.withHeader(await header())
    expectUnauthorized(await caller.get('/posts'))
    expectUnauthorized(await caller.delete('/posts/1'))
  })

  // Another subject under the same signature.
  const swapped = (jwt: string): string => {
    const [head, , signature] = jwt.split('.')
    return `${head}.${Buffer.from('{"sub":"1","exp":99999999999}').toString('base64url')}.${signature}`
  }

  // The last of 43 characters has two bits that belong to no byte.
  const respelt = (jwt: string): string => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    return `${jwt.slice(0, -1)}${alphabet.charAt(alphabet.indexOf(jwt.slice(-1)) + 1)}`
  }

  /** The claims as they stand there, in a token that is signed as it should be. */
  async function signed(claims: string): Promise<string> {
    const jws = new CompactSign(new TextEncoder().encode(claims)).setProtectedHeader({ alg: 'HS256' })
    return `Bearer ${await jws.sign(key())}`
  }

  test.each<[string, () => Promise<readonly string[]>]>([
    ['of one user', async () => [`Bearer ${await token()}`, `Bearer ${await token()}`]],
    ['of two users', async () => [`Bearer ${await token()}`, `Bearer ${await token({ sub: '1' })}`]],
    ['one of which is none', async () => [`Bearer ${await token()}`, 'Bearer hello']],
  ])('two headers %s are 401', async (_, headers) => {
    expect(await statusWith(await headers())).toEqual({ status: 401, challenge: 'Bearer' })
  })

  test('one header, sent like these two, is a user', async () => {
    expect(await statusWith([`Bearer ${await token()}`])).toEqual({ status: 200, challenge: undefined })
  })

  // fetch would put them into one.
  const statusWith = (authorization: readonly string[]) =>
    new Promise((resolve, reject) => {
      const headers = { Authorization: [...authorization], Accept: mediaType }
      request(api.url('/users/3'), { headers }, (response) => {
        response.resume()
        resolve({ status: response.statusCode, challenge: response.headers['www-authenticate'] })
      })
        .on('error', reject)
        .end()
    })

  test('a user who was removed meanwhile is nobody', async () => {
    const { id } = await api.db.user.create({ data: { name: 'N', email: 'gone@example.com', passwordHash: '' } })
    expect((await api.as(id).get('/users/3')).status).toBe(200)
    await api.db.user.delete({ where: { id } })
    expectUnauthorized(await api.as(id).get('/users/3'))
  })

  test.each(['Bearer', 'bearer', 'BEARER', 'bEaReR'])('the scheme may be spelled %s', async (scheme) => {
    expect((await api.withHeader(`${scheme} ${await token()}`).get('/users/3')).status).toBe(200)
  })

  test('the role is that of the database, whatever the token claims', async () => {
    const claims = new SignJWT({ role: 'ADMIN' }).setProtectedHeader({ alg: 'HS256' }).setSubject('3')
    const caller = api.withHeader(`Bearer ${await claims.setExpirationTime('1h').sign(key())}`)
    expectErrors(await caller.get('/users'), forbidden())
  })
})

describe('S10: a guest reaches only what policies give to guests', () => {
  test.each([
    '/posts',
    '/posts/1',
    '/posts/1/author',
    '/posts/1/relationships/tags',
    '/comments/1',
    '/tags',
    '/videos',
    '/profiles/3',
  ])('GET %s is given', async (path) => {
    expect((await api.guest.get(path)).status).toBe(200)
  })

  const resource = (type: string, id?: string) => ({ data: { type, ...(id && { id }), attributes: {} } })
  test.each<[string, string, object?]>([
    ['GET', '/users'],
    ['GET', '/users/3'],
    ['GET', '/users/3/posts'],
    ['GET', '/users/3/relationships/profile'],
    ['POST', '/posts', resource('posts')],
    ['POST', '/comments', resource('comments')],
    ['POST', '/tags', resource('tags')],
    ['POST', '/videos', resource('videos')],
    ['POST', '/users', resource('users')],
    ['POST', '/profiles', resource('profiles')],
    ['PATCH', '/posts/1', resource('posts', '1')],
    ['PATCH', '/profiles/3', resource('profiles', '3')],
    ['PATCH', '/users/3', resource('users', '3')],
    ['DELETE', '/posts/1'],
    ['DELETE', '/tags/2'],
    ['DELETE', '/users/3'],
    ['PATCH', '/posts/1/relationships/tags', { data: [] }],
    ['POST', '/posts/1/relationships/tags', { data: [] }],
    ['DELETE', '/posts/1/relationships/tags', { data: [] }],
    ['PATCH', '/comments/1/relationships/author', { data: null }],
  ])('%s %s is 403, and nothing is written', async (method, path, body) => {
    const before = await snapshot(api.db)
    const answer = await api.guest.request(method, path, body ? { body } : {})
    expect({ status: answer.status, errors: answer.body.errors.length }).toEqual({ status: 403, errors: 1 })
    expect(await snapshot(api.db)).toEqual(before)
  })
})

describe('S11: 401 is decided before the body is read', () => {
  const wrong = api.withHeader('Bearer hello')

  test('a body that is not JSON does not matter', async () => {
    expectUnauthorized(await wrong.post('/posts', { body: '{' }))
    expectUnauthorized(await wrong.patch('/posts/1', { body: 'x'.repeat(2 * 1024 * 1024) }))
  })

  test('no body at all does not matter', async () => {
    expectUnauthorized(await wrong.post('/posts'))
  })

  test('a body that never comes is not waited for', async () => {
    expect(await statusWithoutBody('Bearer hello')).toBe(401)
  })

  // The headers announce a body, and none of it is sent.
  function statusWithoutBody(authorization: string): Promise<number | undefined> {
    const headers = {
      Authorization: authorization,
      Accept: mediaType,
      'Content-Type': mediaType,
      'Content-Length': 1000,
    }
    return new Promise((resolve, reject) => {
      const pending = request(api.url('/posts'), { method: 'POST', headers }, (response) => {
        response.resume()
        resolve(response.statusCode)
        pending.destroy()
      })
      pending.on('error', reject)
      pending.flushHeaders()
    })
  }
})
