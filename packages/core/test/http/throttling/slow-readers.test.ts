import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { makeSlowReaders, type PatienceWithReaders } from '../../../src/http/throttling.ts'
import { type TinyServer, tinyServer } from '../tiny-server.ts'

const bytes = 16_000_000
const open: { close(): Promise<void> }[] = []
const sockets: Socket[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  for (const server of open.splice(0)) await server.close()
})

/** Each answer is of 16 MB; `closed` says how long the server kept it, `asked` by which connection it was asked for. */
async function serve(patience: Partial<PatienceWithReaders>) {
  const usual = { silenceMilliseconds: 400, bytesPerSecond: 1e12, mostBytes: 4 * bytes }
  const readers = makeSlowReaders({ ...usual, ...patience })
  const closed: number[] = []
  const asked: Socket[] = []
  const server = await tinyServer(async (ctx) => {
    const began = performance.now()
    asked.push(ctx.req.socket)
    ctx.res.once('close', () => closed.push(performance.now() - began))
    ctx.body = Buffer.alloc(bytes)
    const isDone = ctx.method === 'POST'
    if (isDone && readers.isFull(ctx)) ctx.throw(409)
    if (!readers.watch(ctx, isDone)) ctx.throw(429)
  })
  open.push(server)
  return { server, closed, asked }
}

/** Asks, and reads nothing. */
async function ask({ port }: TinyServer, method = 'GET'): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').pause()
  socket.on('error', () => {})
  sockets.push(socket)
  await once(socket, 'connect')
  socket.write(`${method} / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n`)
  return socket
}

test('a client that reads nothing is cut off', async () => {
  const { server, closed } = await serve({ bytesPerSecond: bytes / 100 })
  await ask(server)
  await expect.poll(() => closed).toHaveLength(1)
  expect(closed[0]).toBeGreaterThan(350)
})

test('one that reads a little now and then is, as well', async () => {
  const { server, closed } = await serve({ silenceMilliseconds: 2000, bytesPerSecond: bytes })
  const socket = await ask(server)
  const reading = setInterval(() => socket.read(1000), 50)
  await expect.poll(() => closed).toHaveLength(1)
  clearInterval(reading)
  expect(closed[0]).toBeGreaterThan(2900)
})

test('one that reads gets all of it, by a connection that serves the next', async () => {
  // The reader is in this process: where that stands still as long as the patience, it looks silent.
  const { server, asked } = await serve({ silenceMilliseconds: 3000, bytesPerSecond: bytes / 20 })
  expect((await server.send({ method: 'GET' })).text).toHaveLength(bytes)
  // Longer than the patience with a silent reader: nothing is unread.
  await sleep(3500)
  expect((await server.send({ method: 'GET' })).text).toHaveLength(bytes)
  expect(asked[1]).toBe(asked[0])
})

test('one that leaves too much unread gets no other answer until it has read', async () => {
  const { server, asked } = await serve({ silenceMilliseconds: 60_000, mostBytes: 2 * bytes })
  const unread = [await ask(server), await ask(server)]
  await expect.poll(() => asked).toHaveLength(2)
  expect((await server.send({ method: 'GET' })).status).toBe(429)
  for (const socket of unread) socket.destroy()
  await expect.poll(async () => (await server.send({ method: 'GET' })).status).toBe(200)
})

test('what is written is told, whatever else is unread, and then nothing more is written', async () => {
  const { server, asked } = await serve({ silenceMilliseconds: 60_000, mostBytes: 1.5 * bytes })
  await ask(server)
  await expect.poll(() => asked).toHaveLength(1)
  expect((await server.send({ method: 'GET' })).status).toBe(429)
  const told = await server.send({ method: 'POST' })
  expect([told.status, told.text.length]).toEqual([200, bytes])
  await ask(server, 'POST')
  await expect.poll(() => asked).toHaveLength(4)
  expect((await server.send({ method: 'POST' })).status).toBe(409)
})
