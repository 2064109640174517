import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { useRecipe } from '../../support/cookbook/recipe.ts'

const keys = await generateKeyPair('RS256')
let provider: Server
let issuer: string

beforeAll(async () => {
  const jwks = { keys: [{ ...(await exportJWK(keys.publicKey)), kid: 'one', alg: 'RS256' }] }
  provider = createServer((request, response) => {
    const found = {
      '/.well-known/openid-configuration': { issuer, jwks_uri: `${issuer}/keys` },
      '/keys': jwks,
    }[request.url ?? '']
    response.writeHead(found ? 200 : 404, { 'Content-Type': 'application/json' })
    response.end(JSON.stringify(found))
  })
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve))
  issuer = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`
})
afterAll(() => {
  provider.closeAllConnections()
  provider.close()
})

const recipe = useRecipe('own-auth', {
  parts: async () => ({ provider: { issuer, audience: 'newsroom' } }),
})

test('the files of the page compile', () => {
  expect(recipe.compile()).toEqual([])
})

test('everything is answered as the page shows it', async () => {
  const { shown, seen } = await recipe.follow()
  expect(seen).toEqual(shown)
})

const signInAs = async (email: string, password: string) =>
  recipe.ask('POST /sign-in', { body: { meta: { email, password } } })

test('the token of a sign-in is the user', async () => {
  const { body } = await signInAs('member4@example.com', 'password-of-the-example')
  const headers = { Authorization: `Bearer ${body.meta.token}` }
  expect((await recipe.ask('GET /api/v1/users/4', { headers })).body.data.attributes.name).toBe('Member 4')
})

test('the sixth wrong password is 429, for that address alone; an unknown address is as wrong as a password', async () => {
  const statuses = []
  for (let i = 0; i < 6; i++) statuses.push((await signInAs('nobody@example.com', 'a guess')).status)
  expect(statuses).toEqual([401, 401, 401, 401, 401, 429])
  expect((await signInAs('member5@example.com', 'password-of-the-example')).status).toBe(200)
})

test('a sign-in without an address, or without JSON, is 400', async () => {
  expect((await recipe.ask('POST /sign-in', { body: { meta: { email: 'a@example.com' } } })).status).toBe(400)
  const text = { 'Content-Type': 'text/plain' }
  expect((await recipe.ask('POST /sign-in', { body: 'x', headers: text })).status).toBe(400)
})

describe('a token of the provider', () => {
  const claims = { email: 'member3@example.com', email_verified: true }
  const ask = async (payload: JWTPayload, { audience = 'newsroom', expires = '1m', key = keys.privateKey } = {}) => {
    const token = await new SignJWT(payload)
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .setIssuer(issuer)
      .setSubject('of the provider')
      .setIssuedAt(Math.floor(Date.now() / 1000) - 120)
      .setAudience(audience)
      .setExpirationTime(expires)
      .sign(key)
    return (await recipe.ask('GET /api/v1/users/3', { headers: { Authorization: `Bearer ${token}` } })).status
  }

  test('is the user of its address', async () => {
    expect(await ask(claims)).toBe(200)
  })

  test('is refused where it is for others, too old, signed by others, not verified, or of nobody', async () => {
    const { privateKey } = await generateKeyPair('RS256')
    expect([
      await ask(claims, { audience: 'another' }),
      await ask(claims, { expires: '1 minute ago' }),
      await ask(claims, { key: privateKey }),
      await ask({ ...claims, email_verified: false }),
      await ask({ ...claims, email: 'nobody@example.com' }),
    ]).toEqual([401, 401, 401, 401, 401])
  })
})
