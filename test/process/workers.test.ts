import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signToken } from '../../src/app/auth.ts'
import { startApp } from '../support/app-process.ts'
import { migrate } from '../support/databases/sqlite.ts'
import { killWorkers } from '../support/kill-workers.ts'
import { isAlive, workersOf } from '../support/worker-processes.ts'

const secret = 'a secret of the tests that is long enough'
let folder: string
let databases = 0

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'prismapi-workers-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const configOf = (more: Readonly<Record<string, string>>) => {
  const file = path.join(folder, `${databases++}.db`)
  migrate(file)
  return { HOST: '127.0.0.1', PORT: '0', NODE_ENV: 'development', DATABASE_URL: `file:${file}`, ...more }
}

async function start(workers: number, { PORT = '0', AUTH_SECRET = secret, LOG_LEVEL = 'info' } = {}) {
  const app = startApp(configOf({ PORT, LOG_LEVEL, WORKERS: String(workers), ...(AUTH_SECRET && { AUTH_SECRET }) }))
  const line = await app.firstLine
  const [origin = ''] = /http:\/\/[^/]+/.exec(line) ?? []
  return { ...app, line, origin, workers: () => workersOf(app.pid) }
}

const messagesOf = (stderr: string): readonly string[] =>
  stderr
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).msg)
// Guests meet authors by an include, whom the policy of users denies to them.
const included = ['v1', 'v2'].map((server) => expect.stringContaining(`Server ${server}: an include shows rows`))

test('several processes serve one port; one line says so, and SIGTERM ends all of them with code 0', async () => {
  const app = await start(3)
  expect(app.workers()).toHaveLength(3)
  const answers = await Promise.all(Array.from({ length: 20 }, () => fetch(`${app.origin}/api/v1/posts?page[size]=1`)))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect(await answers[0]?.json()).toMatchObject({
    links: { first: `${app.origin}/api/v1/posts?page%5Bnumber%5D=1&page%5Bsize%5D=1&sort=-createdAt` },
    meta: { page: { total: 48 } },
  })
  expect((await fetch(`${app.origin}/ready`)).status).toBe(200)
  const workers = app.workers()
  app.stop()
  const { stderr, ...rest } = await app.exit
  expect({ ...rest, said: messagesOf(stderr) }).toEqual({ code: 0, stdout: `${app.line}\n`, said: included })
  expect(workers.filter(isAlive)).toEqual([])
})

test('a warning is said once, too', async () => {
  const app = await start(2, { AUTH_SECRET: '' })
  app.stop()
  const { stderr } = await app.exit
  expect(new Set(messagesOf(stderr))).toEqual(
    new Set([...included, 'AUTH_SECRET is not set: tokens are signed with a secret that everybody knows.']),
  )
  expect(messagesOf(stderr)).toHaveLength(3)
})

test('a worker that is killed is replaced; the others go on, and no write that was acknowledged is lost', async () => {
  const app = await start(2, { LOG_LEVEL: 'debug' })
  await killWorkers({ ...app, secret })
  app.stop()
  const { code, stderr } = await app.exit
  expect(code).toBe(0)
  const lines = stderr.trimEnd().split('\n')
  const errors = lines.map((line) => JSON.parse(line)).filter(({ level }) => level >= 50)
  const ended = 'A worker ended; another one takes its place.'
  expect(errors.map(({ msg }) => msg)).toEqual([ended, ended])
})

interface Created {
  readonly data: { readonly id: string }
}

test('a post is deleted or commented on, however three processes meet', async () => {
  const app = await start(3)
  const token = await signToken(1, secret)
  const ask = (method: string, at: string, data?: object) =>
    fetch(`${app.origin}/api/v1${at}`, {
      method,
      headers: {
        Authorization: `Bearer ${token}`,
        Accept: 'application/vnd.api+json',
        ...(data && { 'Content-Type': 'application/vnd.api+json' }),
      },
      ...(data && { body: JSON.stringify({ data }) }),
    })
  const both: number[][] = []
  for (let i = 0; i < 30; i++) {
    const attributes = { title: 'Race', slug: `race-${i}`, content: 'C', publishedAt: '2024-01-01T00:00:00.000Z' }
    const { data: post } = (await (await ask('POST', '/posts', { type: 'posts', attributes })).json()) as Created
    const relationships = { commentable: { data: { type: 'posts', id: post.id } } }
    const comment = { type: 'comments', attributes: { content: 'New' }, relationships }
    const answers = await Promise.all([ask('DELETE', `/posts/${post.id}`), ask('POST', '/comments', comment)])
    both.push(answers.map(({ status }) => status))
  }
  app.stop()
  await app.exit
  expect(both.filter(([deleted, created]) => deleted === 204 && created === 201)).toEqual([])
  expect(new Set(both.flat()).size).toBeGreaterThan(1)
})

test('Ctrl+C reaches all processes of a terminal, and drains each of them once', async () => {
  const app = await start(2)
  for (const pid of app.workers()) process.kill(pid, 'SIGINT')
  app.stop('SIGINT')
  const { stderr, ...rest } = await app.exit
  expect({ ...rest, said: messagesOf(stderr) }).toEqual({ code: 0, stdout: `${app.line}\n`, said: included })
})

test.each([
  ['the first of them starts', 1],
  ['the others start', 2],
])('a signal while %s ends them all, without a fault', async (_, count) => {
  const app = startApp(configOf({ WORKERS: '3', LOG_LEVEL: 'info', AUTH_SECRET: secret }))
  app.firstLine.catch(() => {})
  await expect.poll(() => workersOf(app.pid).length, { interval: 5 }).toBeGreaterThanOrEqual(count)
  const workers = workersOf(app.pid)
  app.stop()
  const { code, stderr } = await app.exit
  expect({ code, faults: messagesOf(stderr || '{"msg":""}').filter((line) => line.includes('killed')) }).toEqual({
    ...{ code: 0, faults: [] },
  })
  expect(workers.filter(isAlive)).toEqual([])
})

test('at a second signal they are killed with what they have at hand', async () => {
  const app = await start(2)
  const socket = connect(Number(new URL(app.origin).port), '127.0.0.1')
  socket.on('error', () => {})
  socket.write('POST /api/v2/operations HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n{')
  await new Promise((resolve) => setTimeout(resolve, 500))
  const workers = app.workers()
  app.stop()
  await expect.poll(() => workers.filter(isAlive).length).toBe(1)
  app.stop()
  const { code, stderr } = await app.exit
  expect({ code, said: messagesOf(stderr).at(-1) }).toEqual({
    code: 1,
    said: 'SIGTERM once more: the workers are killed.',
  })
  await expect.poll(() => workers.filter(isAlive)).toEqual([])
})

test('workers end with the process that supervises them, even when that is killed', async () => {
  const app = await start(2)
  const workers = app.workers()
  app.stop('SIGKILL')
  await expect.poll(() => workers.filter(isAlive)).toEqual([])
})

test('a port in use: one line that names it', async () => {
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const PORT = String((other.address() as { port: number }).port)
  await expect(start(2, { PORT })).rejects.toThrow(
    `The process ended: Port ${PORT} of 127.0.0.1 is in use. Set PORT to a free one.\n`,
  )
  other.close()
})
