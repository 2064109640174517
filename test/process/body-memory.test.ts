import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApp } from '../support/app-process.ts'
import { migrate } from '../support/databases/sqlite.ts'

// What a guest sends raises the memory of the process by 8 times its bytes on the wire at the most, and by 32 MiB at the most.

const mib = 2 ** 20
const atOnce = 8
const chunked = 'Transfer-Encoding: chunked\r\n'
const document = 'Content-Type: application/vnd.api+json\r\n'
const form = 'Content-Type: application/x-www-form-urlencoded\r\nAccept: text/html\r\n'
let folder: string

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'prismapi-bodies-'))
  migrate(path.join(folder, 'own.db'))
})
afterAll(() => rmSync(folder, { recursive: true }))

async function start() {
  const env = { HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'error', AUTH_SECRET: 'x'.repeat(40) }
  const app = startApp({ DATABASE_URL: `file:${path.join(folder, 'own.db')}`, ...env })
  const port = Number(/:(\d+)/.exec(await app.firstLine)?.[1])
  // What the first requests load stays.
  for (let i = 0; i < 20; i++) (await send(port, { headers: document, body: Buffer.from('{}') })).destroy()
  await sleep(500)
  return { ...app, port }
}

interface Sent {
  readonly line?: string
  readonly headers: string
  readonly body: Buffer
}

/** Sends what there is; no answer to it is waited for. */
async function send(port: number, { line = 'POST /api/v1/posts', headers, body }: Sent): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {}).resume()
  await once(socket, 'connect')
  const length = headers.includes(chunked) ? '' : `Content-Length: ${body.length}\r\n`
  socket.write(`${line} HTTP/1.1\r\nHost: a\r\n${headers}${length}\r\n`)
  const isTaken = new Promise((resolve) => socket.write(body, resolve))
  // A body that the server does not want is never taken.
  await Promise.race([isTaken, once(socket, 'close'), sleep(5000)])
  return socket
}

/** Each byte is a chunk of its own: six on the wire. The last chunk, which ends the body, is not sent. */
function inChunks(body: Buffer): Buffer {
  const wire = Buffer.alloc(6 * body.length, '1\r\nx\r\n')
  body.forEach((byte, i) => {
    wire[6 * i + 3] = byte
  })
  return wire
}

const text = (length: number) => Buffer.from(`{"data":{"type":"posts","attributes":{"title":"${'x'.repeat(length)}"}}}`)

const bodies: readonly (readonly [string, Sent])[] = [
  ['a document in chunks of one byte', { headers: document + chunked, body: inChunks(text(1_000_000)) }],
  ['one that is too large', { headers: document + chunked, body: inChunks(text(2_000_000)) }],
  [
    'one that is compressed',
    {
      headers: `${document}${chunked}Content-Encoding: gzip\r\n`,
      body: inChunks(gzipSync(randomBytes(400_000).toString('hex'))),
    },
  ],
  ['a form', { line: 'POST /api/v1/posts?-new=', headers: form + chunked, body: inChunks(text(1_000_000)) }],
  [
    'a form of two million controls',
    { line: 'POST /api/v1/posts?-new=', headers: form, body: Buffer.from('a&'.repeat(2_000_000)) },
  ],
  ['a body that nothing reads', { line: 'GET /api/v1/posts', headers: chunked, body: inChunks(text(1_000_000)) }],
  [
    'a body beside a stream',
    {
      line: 'GET /api/v1/posts',
      headers: `${chunked}Accept: text/event-stream\r\n`,
      body: inChunks(text(1_000_000)),
    },
  ],
]

test.skipIf(!existsSync('/proc/self/status')).each(bodies)('%s', async (_name, sent) => {
  const { port, pid, stop, exit } = await start()
  const memory = (name: string) =>
    (Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024) / mib
  const before = memory('VmRSS')
  const sockets = await Promise.all(Array.from({ length: atOnce }, () => send(port, sent)))
  await sleep(500)
  const raised = (memory('VmHWM') - before) / atOnce
  for (const socket of sockets) socket.destroy()
  stop()
  await exit
  expect(raised).toBeLessThan(Math.min(32, (8 * sent.body.length) / mib))
})

test('what is parsed takes 8 times its bytes at the most', () => {
  const script = path.resolve(import.meta.dirname, '../support/processes/parsed-memory.ts')
  const args = ['--expose-gc', '--conditions=prismapi/source', '--import', 'tsx', script]
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  const told = JSON.parse(stdout || '{}') as Readonly<Record<string, { times: number; isRefused: boolean }>>
  expect(Object.keys(told).length, stderr).toBeGreaterThan(10)
  const parsed = Object.entries(told).filter(([, { isRefused }]) => !isRefused)
  expect(parsed.filter(([, { times }]) => times > 8)).toEqual([])
  const refused = ['empty objects', 'empty arrays', 'arrays in each other', 'names that have one hash in Java']
  for (const name of refused) expect(told[name], name).toMatchObject({ isRefused: true })
  const read = ['identifiers', 'places', 'texts of one character', 'a dictionary', 'a dictionary of identifiers']
  for (const name of read) expect(told[name], name).toMatchObject({ isRefused: false })
})
