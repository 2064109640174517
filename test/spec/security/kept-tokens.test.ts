import { bearerToken, keepTokens, unauthorized, type VerifiedToken } from 'prismapi'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { theExample, useServers } from '../../support/servers.ts'

const users = { admin: 1, member: 3 }
const verified: string[] = []
const inSeconds = (seconds: number) => Date.now() / 1000 + seconds

/** `3.60` is a token of the third user, good for sixty seconds from when it is first verified. */
async function verify(token: string): Promise<VerifiedToken<number> | null> {
  verified.push(token)
  const [, id, seconds] = /^(\d+)\.(\d+)$/.exec(token) ?? []
  return id === undefined ? null : { said: Number(id), exp: inSeconds(Number(seconds)) }
}

let userId = keepTokens(verify)

const api = useServers(async () => ({
  ...(await theExample()),
  async authenticate(ctx) {
    const token = bearerToken(ctx)
    if (token === null) return null
    const id = await userId(token)
    if (id === null) throw unauthorized('Bearer')
    return { id, name: '', email: '', role: id === users.admin ? 'ADMIN' : 'MEMBER' }
  },
}))

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
  verified.length = 0
  userId = keepTokens(verify)
})
afterEach(() => void vi.useRealTimers())

const ask = async (token: string) => {
  const headers = { Authorization: `Bearer ${token}` }
  return (await api.as(null)('GET', '/api/v1/users', { headers })).status
}

test('a token is verified once, and each one says what is its own', async () => {
  const [admin, member] = [`${users.admin}.60`, `${users.member}.60`]
  expect([await ask(admin), await ask(member), await ask(admin), await ask(member)]).toEqual([200, 403, 200, 403])
  expect(verified).toEqual([admin, member])
})

test('a token is verified again once it has run out', async () => {
  const token = `${users.admin}.60`
  expect(await ask(token)).toBe(200)
  vi.advanceTimersByTime(59_999)
  expect(await ask(token)).toBe(200)
  expect(verified).toEqual([token])
  vi.advanceTimersByTime(1)
  await ask(token)
  expect(verified).toEqual([token, token])
})

test('a token without a time is kept for none', async () => {
  userId = keepTokens(async (token) => {
    verified.push(token)
    return { said: users.admin, exp: Number.NaN }
  })
  expect([await ask('timeless'), await ask('timeless')]).toEqual([200, 200])
  expect(verified).toEqual(['timeless', 'timeless'])
})

test('what is no token is refused each time', async () => {
  expect([await ask('forged'), await ask('forged')]).toEqual([401, 401])
  expect(verified).toEqual(['forged', 'forged'])
})

test('the last tokens are kept, as many as was said, and not all of them', async () => {
  userId = keepTokens(verify, { most: 2 })
  for (const token of ['1.60', '2.60', '3.60', '4.60', '5.60']) await userId(token)
  verified.length = 0
  for (const token of ['5.60', '4.60', '1.60']) await userId(token)
  expect(verified).toEqual(['1.60'])
})
