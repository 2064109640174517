import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Koa from 'koa'
import { health } from 'prismapi'
import type { HealthOptions } from 'prismapi/types'
import { afterEach, describe, expect, test } from 'vitest'
import { useApi } from '../../support/api.ts'

const headers = {
  'cache-control': 'no-store',
  'content-type': 'application/json',
  'x-content-type-options': 'nosniff',
}

async function ask(url: string, method = 'GET') {
  const answer = await fetch(url, { method })
  const text = await answer.text()
  return {
    status: answer.status,
    headers: Object.fromEntries(
      [...answer.headers].filter(([name]) => !['connection', 'content-length', 'date', 'keep-alive'].includes(name)),
    ),
    body: text === '' ? undefined : JSON.parse(text),
  }
}

describe('the example', () => {
  const api = useApi()
  const at = (path: string) => new URL(path, api.url('/api')).href

  test.each(['/live', '/ready', '/ready?full=1'])('%s', async (path) => {
    expect(await ask(at(path))).toMatchObject({ status: 200, headers, body: { status: 'ok' } })
    expect(await ask(at(path), 'HEAD')).toMatchObject({ status: 200, headers, body: undefined })
  })

  test.each(['POST', 'DELETE', 'OPTIONS'])('nothing but reading: %s', async (method) => {
    expect(await ask(at('/ready'), method)).toMatchObject({ status: 405, headers: { ...headers, allow: 'GET, HEAD' } })
  })

  test.each(['/live/', '/liver', '/readyz'])('%s is no address of it', async (path) => {
    expect((await ask(at(path))).status).toBe(404)
  })
})

describe('a database', () => {
  let server: Server
  afterEach(() => new Promise((closed) => server.close(closed)))

  async function start(options: HealthOptions) {
    server = createServer(new Koa().use(health(options)).callback()).listen(0, '127.0.0.1')
    await new Promise((listening) => server.once('listening', listening))
    return (path: string) => ask(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`)
  }

  test('that is gone makes the process not ready, and leaves it alive', async () => {
    const get = await start({ checks: { database: () => Promise.reject(new Error('secret host unknown')) } })
    expect(await get('/ready')).toEqual({
      status: 503,
      headers: { ...headers, 'retry-after': '1' },
      body: { status: 'unavailable', failed: ['database'] },
    })
    expect(await get('/live')).toEqual({ status: 200, headers, body: { status: 'ok' } })
  })

  test('that comes back makes it ready again', async () => {
    let isUp = false
    const database = async () => {
      if (!isUp) throw new Error('down')
    }
    const get = await start({ checks: { database }, maxAgeMilliseconds: 10 })
    expect((await get('/ready')).status).toBe(503)
    isUp = true
    await expect.poll(async () => (await get('/ready')).status).toBe(200)
  })

  test('that does not answer makes it not ready in time', async () => {
    const get = await start({ checks: { database: () => new Promise(() => {}) }, timeoutMilliseconds: 50 })
    const began = performance.now()
    expect((await get('/ready')).status).toBe(503)
    expect(performance.now() - began).toBeLessThan(5000)
  })

  test('is asked once for all who ask at the same time, and for those that come soon after', async () => {
    let asked = 0
    const database = async () => {
      asked++
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    const get = await start({ checks: { database }, maxAgeMilliseconds: 600_000 })
    await Promise.all(Array.from({ length: 20 }, () => get('/ready')))
    await get('/ready')
    expect(asked).toBe(1)
  })

  test('is asked again when its answer is old', async () => {
    let asked = 0
    const database = async () => void asked++
    const get = await start({ checks: { database }, maxAgeMilliseconds: 10 })
    await expect.poll(() => get('/ready').then(() => asked)).toBeGreaterThan(1)
  })

  test('several: those that failed are named', async () => {
    const get = await start({
      checks: {
        database: async () => {},
        queue: () => Promise.reject(new Error()),
        cache: () => {
          throw new Error()
        },
      },
    })
    expect((await get('/ready')).body).toEqual({ status: 'unavailable', failed: ['queue', 'cache'] })
  })

  test('is not asked by a process that is about to end', async () => {
    const draining = new AbortController()
    const get = await start({ checks: {}, draining: draining.signal })
    expect((await get('/ready')).status).toBe(200)
    draining.abort()
    expect(await get('/ready')).toMatchObject({ status: 503, body: { status: 'draining' } })
    expect((await get('/live')).status).toBe(200)
  })
})
