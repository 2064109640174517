import { corsOptions } from 'prismapi'
import { describe, expect, test } from 'vitest'
import { type Caller, useApi, users } from '../../support/api.ts'

const page = 'https://app.example.org'
const stranger = 'https://evil.example'
const exposed =
  'Accept-Query,Allow,Deprecation,ETag,Idempotency-Replayed,Idempotency-Token,Link,Location,Prismapi-Position,RateLimit,RateLimit-Policy,Retry-After,Server-Timing,Sunset,WWW-Authenticate,X-Request-Id'

/** The headers of an answer that tell browsers what other sites may do. */
function corsHeaders(headers: Headers) {
  return Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')))
}

const preflight = (caller: Caller, origin: string, method = 'PATCH') =>
  caller.request('OPTIONS', '/posts/1', {
    headers: {
      Origin: origin,
      'Access-Control-Request-Method': method,
      'Access-Control-Request-Headers': 'authorization,content-type,x-anything',
    },
  })

describe('by default', () => {
  const api = useApi()

  test('no other site may do anything', async () => {
    const answer = await api.guest.get('/posts/1', { headers: { Origin: page } })
    expect(answer.status).toBe(200)
    expect(corsHeaders(answer.headers)).toEqual({})
  })

  test('a preflight is a question for the methods of the resource, as any OPTIONS', async () => {
    const answer = await preflight(api.guest, page)
    expect(answer.status).toBe(204)
    expect(answer.headers.get('Allow')).toBe('GET, HEAD, PATCH, DELETE, QUERY')
    expect(corsHeaders(answer.headers)).toEqual({})
  })
})

describe('with origins', () => {
  const api = useApi({ corsOrigins: [page, 'http://localhost:5173'] })

  test.each([page, 'http://localhost:5173'])('%s may read answers and their headers', async (origin) => {
    const answer = await api.guest.get('/posts/1', { headers: { Origin: origin } })
    expect(corsHeaders(answer.headers)).toEqual({
      'access-control-allow-origin': origin,
      'access-control-expose-headers': exposed,
    })
    expect(answer.headers.get('Vary')).toBe('Origin, Accept')
  })

  test('errors, too', async () => {
    const headers = { Origin: page }
    for (const answer of [
      await api.guest.get('/posts/nobody', { headers }),
      await api.guest.get('/nowhere', { headers }),
      await api.withHeader('Bearer wrong').get('/posts', { headers }),
      await api.as(users.admin).post('/tags', { headers, body: '{' }),
    ]) {
      expect(answer.status).toBeGreaterThanOrEqual(400)
      expect(answer.headers.get('Access-Control-Allow-Origin')).toBe(page)
    }
  })

  test('a preflight names the methods and headers that are configured, and no others', async () => {
    const answer = await preflight(api.guest, page)
    expect(answer.status).toBe(204)
    expect(corsHeaders(answer.headers)).toEqual({
      'access-control-allow-origin': page,
      'access-control-allow-methods': 'GET,HEAD,QUERY,POST,PUT,PATCH,DELETE',
      'access-control-allow-headers':
        'Accept,Authorization,Content-Type,Idempotency-Key,Idempotency-Token,If-Match,If-None-Match,Last-Event-ID,Prefer,Prismapi-Position,X-Request-Id,traceparent,tracestate',
      'access-control-max-age': '3600',
    })
    expect(answer.headers.get('Vary')).toContain('Origin')
  })

  test.each([stranger, 'null', 'https://app.example.org.evil.example', 'http://app.example.org', `${page}:8443`])(
    '%s is told nothing',
    async (origin) => {
      expect(corsHeaders((await preflight(api.guest, origin)).headers)).toEqual({})
      const answer = await api.guest.get('/posts/1', { headers: { Origin: origin } })
      expect(corsHeaders(answer.headers)).toEqual({})
      // Caches must not give it what another origin may read.
      expect(answer.headers.get('Vary')).toBe('Origin, Accept')
    },
  )

  test('a request that comes from no page is answered as ever', async () => {
    const answer = await api.guest.get('/posts/1')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('Vary')).toBe('Origin, Accept')
  })
})

test('any origin is `*`, never the name of who asks', async () => {
  const { origin } = corsOptions(['*'])
  expect(origin({ get: () => stranger } as never)).toBe('*')
})

test.each(['https://app.example.org/', 'app.example.org', 'https://App.example.org', 'https://a.example/path', ''])(
  'what is no origin is found at boot: %j',
  (text) => {
    expect(() => corsOptions([text])).toThrow(
      `corsOptions: "${text}" is no origin. Write it as browsers do: https://app.example.org`,
    )
  },
)
