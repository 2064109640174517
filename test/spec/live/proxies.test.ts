import { createServer, type Server as HttpServer, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createGzip } from 'node:zlib'
import type { Middleware } from 'koa'
import { afterEach, expect, test } from 'vitest'
import V2 from '../../../src/app/v2/server.ts'
import { type EventStream, openEvents } from '../../support/event-stream.ts'
import { exampleWith, useServers } from '../../support/servers.ts'

// What stands between a stream and its client: docs/live.md.

class Beating extends V2 {
  override readonly live = { heartbeat: 0.2 }
}

/** Compresses as the middleware of Express does: what is written is held until `flush`. */
const compressing: Middleware = (ctx, next) => {
  if (ctx.get('X-Compress') === '') return next()
  const res = ctx.res as ServerResponse & { flush?: () => void }
  const gzip = createGzip()
  const [write, end, writeHead] = [res.write.bind(res), res.end.bind(res), res.writeHead.bind(res)]
  gzip.on('data', (bytes: Buffer) => void write(bytes)).on('end', () => void end())
  Object.assign(res, {
    writeHead: (status: number, headers: object) => writeHead(status, { ...headers, 'Content-Encoding': 'gzip' }),
    write: (text: string) => gzip.write(text),
    end: () => void gzip.end(),
    flush: () => void gzip.flush(),
  })
  return next()
}

const servers = useServers(async () => ({ ...(await exampleWith(Beating)), before: () => compressing }))
const opened: EventStream[] = []
const proxies: HttpServer[] = []
afterEach(async () => {
  for (const stream of opened.splice(0)) await stream.close()
  for (const proxy of proxies.splice(0)) proxy.close().closeAllConnections()
})

async function open(at: string, headers: Record<string, string> = {}) {
  const stream = await openEvents(`${at}/api/v2/tags`, headers)
  opened.push(stream)
  return stream
}

const tickMilliseconds = 200

/**
 * Passes everything on at once, and ends connections on which nothing has come for so many ticks of its clock. A machine that is busy delays its
 * clock as it does the server's.
 */
async function proxyWith(idleTicks: number): Promise<string> {
  const { port } = new URL(servers.at)
  const proxy = createServer((req, res) => {
    let idle = 0
    const clock = setInterval(() => {
      idle++
      if (idle > idleTicks) req.socket.destroy()
    }, tickMilliseconds)
    const upstream = request({ port, path: req.url, method: req.method, headers: req.headers }, (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.on('data', () => {
        idle = 0
      })
      answer.on('error', () => void res.destroy()).pipe(res)
    })
    upstream.on('error', () => void res.destroy()).end()
    res.on('close', () => {
      clearInterval(clock)
      upstream.destroy()
    })
  })
  proxies.push(proxy)
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
}

const rename = (name: string) => servers.db.tag.update({ where: { id: 1 }, data: { name } })
const nameIn = async (stream: EventStream) => (await stream.next()).data.data.attributes.name

test('what compresses sends each event on when it comes', async () => {
  const stream = await open(servers.at, { 'X-Compress': 'yes' })
  expect([stream.headers.get('Content-Encoding'), (await stream.next()).event]).toEqual(['gzip', 'snapshot'])
  await rename('Compressed')
  expect(await nameIn(stream)).toBe('Compressed')
})

test('a proxy that ends idle connections keeps a stream, and the server hears of its end through it', async () => {
  const stream = await open(await proxyWith(10))
  await stream.next()
  await expect
    .poll(
      () =>
        stream
          .text()
          .split('\n\n')
          .filter((block) => block === ':').length,
    )
    .toBeGreaterThan(15)
  await rename('Proxied')
  expect(await nameIn(stream)).toBe('Proxied')
})

test('behind a proxy that ends a stream all the same, its client comes back through another and has lost nothing', async () => {
  const stream = await open(await proxyWith(10))
  const { id } = await stream.next()
  proxies[0]?.closeAllConnections()
  await stream.ended
  await rename('While away')
  const again = await open(await proxyWith(10), { 'Last-Event-ID': id })
  expect(await nameIn(again)).toBe('While away')
  expect((await again.rest(150)).map(({ event }) => event)).toEqual([])
})
