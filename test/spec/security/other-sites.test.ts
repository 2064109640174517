import cors from '@koa/cors'
import { meta, Schema } from 'prismapi'
import type { Authenticate } from 'prismapi/types'
import { describe, expect, test } from 'vitest'
import { expectErrors } from '../../support/answers.ts'
import { mediaType, users } from '../../support/api.ts'
import { openServer } from '../../support/open-server.ts'
import { useServers } from '../../support/servers.ts'

// An application whose users have a cookie of its own, or a password that their browser keeps. A page of another site can have a
// browser send a form, or a POST without a body, with both of them.

const done: unknown[] = []
class Tags extends Schema<'Tag'> {
  override actions() {
    return [
      this.action('count', {
        on: 'collection',
        handle: ({ user }) => {
          done.push(user)
          return meta({ done: done.length })
        },
      }),
    ]
  }
}
const admin = { id: users.admin, name: 'Admin', email: 'admin@example.com', role: 'ADMIN' as const }
const authenticate: Authenticate = (ctx) =>
  /session=admin|^Basic |^Bearer /.test(`${ctx.get('Cookie')}${ctx.get('Authorization')}`) ? admin : null
const parts = () => ({
  policies: new Map(),
  servers: [openServer('cookies', { Tag: Tags })],
  authenticate,
})
const friend = 'https://friend.example'
const api = useServers(parts)
const shared = useServers(() => ({
  ...parts(),
  before: () => cors({ origin: (ctx) => (ctx.get('Origin') === friend ? friend : ''), credentials: true }),
}))
// It says the same to every site: a browser compares.
const toAll = useServers(() => ({ ...parts(), before: () => cors({ origin: friend, credentials: true }) }))

const action = '/api/cookies/tags/-actions/count'
const elsewhere = { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' }
const inNameOf = [{ Cookie: 'session=admin' }, { Authorization: 'Basic YWRtaW46YWRtaW4=' }]
const send = async (headers: Readonly<Record<string, string>>, at = api) => {
  const before = done.length
  const answer = await at.as(null)('POST', action, { headers })
  return { answer, times: done.length - before }
}
const refused = { status: '403', title: 'Forbidden', detail: 'Only pages of this server ask for that.' }

describe.each(inNameOf)('who is known by %j', (known) => {
  test.each<[string, Readonly<Record<string, string>>]>([
    ['by a form of another site', { ...elsewhere, 'Content-Type': 'application/x-www-form-urlencoded' }],
    ['by a script of another site', elsewhere],
    ['by another host of the site', { 'Sec-Fetch-Site': 'same-site', Origin: 'https://other.example.org' }],
    ['by a browser that says its origin alone', { Origin: 'https://evil.example' }],
    ['by a page without an origin', { Origin: 'null' }],
  ])('runs no action %s', async (_, headers) => {
    const { answer, times } = await send({ ...known, ...headers })
    expectErrors(answer, refused)
    expect(times).toBe(0)
  })

  test.each<[string, Readonly<Record<string, string>>]>([
    ['from a page of its own', { 'Sec-Fetch-Site': 'same-origin' }],
    ['without a browser', {}],
  ])('runs it %s', async (_, headers) => {
    const { answer, times } = await send({ ...known, ...headers })
    expect([answer.status, times]).toEqual([200, 1])
  })

  test('creates nothing by a form of another site', async () => {
    const before = await api.db.tag.count()
    const document = JSON.stringify({ data: { type: 'tags', attributes: { name: 'forged' } } })
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
      const headers = { ...known, ...elsewhere, 'Content-Type': type, Accept: mediaType }
      const { status } = await fetch(`${api.at}/api/cookies/tags`, { method: 'POST', headers, body: document })
      expect([type, status]).toEqual([type, 415])
    }
    expect(await api.db.tag.count()).toBe(before)
  })
})

test('who has a token, which no browser sends by itself, runs it from everywhere', async () => {
  const { answer, times } = await send({ ...elsewhere, Cookie: 'theme=dark', Authorization: 'Bearer x' })
  expect([answer.status, times]).toEqual([200, 1])
})

test.each([
  ['asks about each origin', () => shared],
  ['names one origin, whoever asks', () => toAll],
] as const)('a site that the application lets act for its users does, where CORS %s', async (_, servers) => {
  const from = async (headers: Readonly<Record<string, string>>) => {
    const { answer, times } = await send(
      { Cookie: 'session=admin', 'Sec-Fetch-Site': 'cross-site', ...headers },
      servers(),
    )
    return [answer.status, times]
  }
  expect(await from({ Origin: friend })).toEqual([200, 1])
  for (const headers of [{ Origin: 'https://evil.example' }, { Origin: 'null' }, {}])
    expect(await from(headers)).toEqual([403, 0])
})
