import { get } from 'node:http'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { type Answer, useApi, users } from '../../support/api.ts'

const api = useApi()

/** An answer of each kind, to callers that are signed in and to guests. */
const kinds: Readonly<Record<string, () => Promise<Answer>>> = {
  'a resource': () => api.as(users.admin).get('/posts/1'),
  'a collection': () => api.as(users.admin).get('/users'),
  'a collection for guests': () => api.guest.get('/posts'),
  'related resources': () => api.as(users.admin).get('/posts/1/comments'),
  'a relationship': () => api.as(users.admin).get('/posts/1/relationships/tags'),
  'what was created': () =>
    api.as(users.admin).post('/tags', { body: { data: { type: 'tags', attributes: { name: 'a new tag' } } } }),
  'what was changed': () =>
    api
      .as(users.admin)
      .patch('/tags/5', { body: { data: { type: 'tags', id: '5', attributes: { name: 'changed' } } } }),
  'the root': () => api.guest.get('/api/v1'),
  'the OpenAPI document': () => api.guest.get('/api/v1/openapi.json'),
  methods: () => api.guest.request('OPTIONS', '/posts'),
}

const errors: Readonly<Record<string, () => Promise<Answer>>> = {
  '400': () => api.guest.get('/posts?nonsense=1'),
  '401': () => api.withHeader('Bearer wrong').get('/posts'),
  '403': () => api.guest.get('/users'),
  '404': () => api.guest.get('/posts/999999'),
  '404 of no server': () => api.guest.get('/apiary'),
  '405': () => api.guest.request('PUT', '/posts'),
  '406': () => api.guest.get('/posts', { headers: { Accept: 'text/plain' } }),
  '409': () => api.as(users.admin).patch('/tags/5', { body: { data: { type: 'tags', id: '6' } } }),
  '415': () => api.as(users.admin).post('/tags', { body: '{}', headers: { 'Content-Type': 'text/plain' } }),
  '422': () => api.as(users.admin).post('/tags', { body: { data: { type: 'tags', attributes: { name: '' } } } }),
}

/** What says too much of the server, or too little to browsers. */
function expectNoMore({ headers }: Answer) {
  expect(headers.get('X-Content-Type-Options')).toBe('nosniff')
  expect(headers.get('Cross-Origin-Resource-Policy')).toBe('same-origin')
  expect(headers.get('Strict-Transport-Security')).toMatch(/^max-age=31536000/)
  for (const name of ['X-Powered-By', 'Server', 'Access-Control-Allow-Origin', 'Set-Cookie'])
    expect(headers.get(name)).toBe(null)
}

describe('answers that depend on who asks are kept by no shared cache, and by none without asking again', () => {
  test.each(Object.entries(kinds))('%s', async (_name, ask) => {
    const answer = await ask()
    expect(answer.status).toBeLessThan(300)
    expect(answer.headers.get('Cache-Control')).toMatch(/^(private, no-cache|no-store)$/)
    expectNoMore(answer)
  })
})

describe('errors are kept by nobody', () => {
  test.each(Object.entries(errors))('%s', async (name, ask) => {
    const answer = await ask()
    expect(String(answer.status)).toBe(name.slice(0, 3))
    expect(answer.headers.get('Cache-Control')).toBe('no-store')
    expectNoMore(answer)
  })
})

test.each(['/posts', '/posts/1'])('whatever headers say of the host, links do not: %s', async (path) => {
  const headers = {
    Host: 'evil.example',
    'X-Forwarded-Host': 'evil.example',
    'X-Forwarded-Proto': 'ftp',
    Forwarded: 'host=evil.example;proto=ftp',
  }
  const steered = await new Promise<string>((resolve, reject) => {
    get(api.url(path), { headers }, (answer) => void text(answer).then(resolve, reject)).on('error', reject)
  })
  expect(steered).toContain('"links":{"')
  expect(JSON.parse(steered)).toEqual((await api.guest.get(path)).body)
})

describe('over http', () => {
  const plain = useApi({ baseUrl: 'http://127.0.0.1:3000' })

  test('browsers are not told to use https', async () => {
    expect((await plain.guest.get('/posts')).headers.get('Strict-Transport-Security')).toBe(null)
  })
})
