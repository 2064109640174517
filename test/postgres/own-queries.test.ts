import { once } from 'node:events'
import { createServer } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { postgresUrl } from '../support/postgres.ts'
import { startProxy } from '../support/postgres-things/proxy.ts'
import { type AskingClient, openThings, type Things } from '../support/postgres-things/things.ts'

// What an application asks the database by itself, here who a client is, fails as what the framework asks does.

const { hostname, port } = new URL(postgresUrl)
let proxy: Awaited<ReturnType<typeof startProxy>>
let things: Things
let served: Awaited<ReturnType<Things['serve']>>
let lookUp: (prisma: AskingClient) => Promise<unknown>
beforeAll(async () => {
  proxy = await startProxy({ host: hostname, port: Number(port || 5432) })
  things = await openThings()
  const through = new URL(things.url)
  through.host = `127.0.0.1:${proxy.port}`
  served = await things.serve(through.href, {
    async authenticate(prisma) {
      await lookUp(prisma)
      return null
    },
  })
})
beforeEach(() => {
  lookUp = (prisma) => prisma.$queryRawUnsafe('SELECT 1')
})
afterAll(async () => {
  await things.close()
  await proxy.stop()
})

const ask = async () => {
  const { status, headers, body } = await served.ask('GET', '/things')
  return { status, after: headers.get('Retry-After'), errors: body?.errors }
}
const unavailable = { status: 503, after: '1', errors: [{ status: '503', title: 'Service Unavailable' }] }

test('while nobody listens where the database was: 503, and all is well when it is back', async () => {
  expect((await ask()).status).toBe(200)
  await proxy.stop()
  expect(await ask()).toEqual(unavailable)
  await proxy.start()
  expect((await ask()).status).toBe(200)
})

test('while a balancer hangs up, because it has no database to lead to: the same', async () => {
  expect((await ask()).status).toBe(200)
  await proxy.stop()
  const balancer = createServer((socket) => socket.destroy()).listen(proxy.port, '127.0.0.1')
  await once(balancer, 'listening')
  for (let n = 0; n < 3; n++) expect(await ask()).toEqual(unavailable)
  balancer.close()
  await once(balancer, 'close')
  await proxy.start()
  expect((await ask()).status).toBe(200)
})

test('whose connection is ended by an administrator: the same', async () => {
  lookUp = (prisma) => prisma.$queryRawUnsafe('SELECT pg_terminate_backend(pg_backend_pid())')
  expect(await ask()).toEqual(unavailable)
})

test('what is wrong with the query, and what another service refuses, is a fault as before', async () => {
  lookUp = (prisma) => prisma.$queryRawUnsafe('SELECT nothing')
  expect((await ask()).status).toBe(500)
  lookUp = () => Promise.reject(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }))
  expect((await ask()).status).toBe(500)
})

test('a transaction that is over is a fault as well', async () => {
  lookUp = async (prisma) => {
    const over = await prisma.$transaction(async (tx) => [tx] as const)
    return over[0].$queryRawUnsafe('SELECT 1')
  }
  expect((await ask()).status).toBe(500)
})
