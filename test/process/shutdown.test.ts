import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AppProcess, startApp } from '../support/app-process.ts'
import { migrate } from '../support/databases/sqlite.ts'
import { type RawAnswer, raw } from '../support/raw.ts'

const program = fileURLToPath(new URL('../support/processes/faulty-server.ts', import.meta.url))
const type = 'application/vnd.api+json'
let folder: string
let databases = 0

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'prismapi-shutdown-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

interface Running extends AppProcess {
  readonly port: number
  get(path: string): Promise<RawAnswer>
  /** Creates a tag; what goes wrong with it is said behind. */
  create(name: string, fault?: string): Promise<RawAnswer>
}

async function start(env: Readonly<Record<string, string>> = {}): Promise<Running> {
  const file = path.join(folder, `${databases++}.db`)
  migrate(file)
  const app = startApp({ DATABASE_URL: `file:${file}`, ...env }, program)
  const port = Number(await app.firstLine)
  const url = (target: string) => `http://127.0.0.1:${port}/api/v1${target}`
  const headers = { Accept: type, 'Content-Type': type, Connection: 'keep-alive' }
  return {
    ...app,
    port,
    get: (target) => raw(url(target)),
    create: (name, fault = 'none') =>
      raw(url(`/tags?fault=${fault}`), { method: 'POST', headers, body: document(name) }),
  }
}

const document = (name: string) => JSON.stringify({ data: { type: 'tags', attributes: { name } } })
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** A connection that has had one answer, and is kept. */
async function idleConnection(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.write('GET /api/v1/tags HTTP/1.1\r\nHost: a\r\n\r\n')
  await once(socket, 'data')
  return socket
}

const refused = (port: number) =>
  new Promise((resolve) =>
    connect(port, '127.0.0.1')
      .once('error', resolve)
      .once('connect', function (this: Socket) {
        resolve(this.destroy())
      }),
  )

describe('at SIGTERM', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)(
    'requests on their way are answered, new connections refused, idle ones closed: %s',
    async (signal) => {
      const app = await start()
      const idle = await idleConnection(app.port)
      const silent = connect(app.port, '127.0.0.1')
      await once(silent, 'connect')
      const slow = app.create('a tag', 'slow')
      await pause(300)
      const closed = once(idle, 'close')
      app.stop(signal)
      await closed
      await expect.poll(() => refused(app.port)).toMatchObject({ code: 'ECONNREFUSED' })
      const answer = await slow
      expect(answer.status).toBe(201)
      expect(answer.headers.connection).toBe('close')
      expect(await app.exit).toEqual({ code: 0, stdout: `${app.port}\nclosed\n`, stderr: '' })
    },
  )

  test('a request whose body is still coming is answered', async () => {
    const app = await start()
    const body = document('in two parts')
    const headers = { Accept: type, 'Content-Type': type, 'Content-Length': Buffer.byteLength(body) }
    const sent = request({ host: '127.0.0.1', port: app.port, path: '/api/v1/tags', method: 'POST', headers })
    sent.write(body.slice(0, 10))
    await pause(600)
    app.stop()
    await pause(300)
    sent.end(body.slice(10))
    const [response] = await once(sent, 'response')
    expect(response.statusCode).toBe(201)
    expect(response.headers.connection).toBe('close')
    response.resume()
    expect((await app.exit).code).toBe(0)
  })

  test('twice: it ends at once', async () => {
    const app = await start()
    const slow = app.create('a tag', 'slow').catch((error: Error) => error)
    await pause(600)
    app.stop()
    await pause(100)
    app.stop()
    const { code, stderr } = await app.exit
    expect({ code, stderr: JSON.parse(stderr) }).toEqual({
      code: 1,
      stderr: { level: 'error', message: 'SIGTERM once more: the process ends with requests unanswered.' },
    })
    expect(await slow).toBeInstanceOf(Error)
  })

  test('requests that take longer than the grace time are cut off, with exit code 1', async () => {
    const app = await start({ GRACE_MILLISECONDS: '300' })
    const slow = app.create('a tag', 'slow').catch((error: Error) => error)
    await pause(600)
    app.stop()
    const { code, stderr } = await app.exit
    expect({ code, stderr: JSON.parse(stderr) }).toEqual({
      code: 1,
      stderr: {
        level: 'error',
        message: 'The grace time of 300 ms is over: the process ends with requests unanswered.',
      },
    })
    expect(await slow).toBeInstanceOf(Error)
  })

  test('a database that cannot be closed does not keep the process', async () => {
    const app = await start({ GRACE_MILLISECONDS: '300', CLOSES: 'never' })
    app.stop()
    expect((await app.exit).code).toBe(1)
  })
})

describe('a mistake of the application', () => {
  const logged = ({ stderr }: { stderr: string }) =>
    stderr
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))

  test('costs the request that it happens in, and no other', async () => {
    const app = await start()
    const slow = app.get('/tags?fault=slow&fields[tags]=name')
    for (const fault of ['throws', 'rejects']) {
      expect((await app.get(`/tags?fault=${fault}`)).status).toBe(500)
      expect((await app.create('undone', fault)).status).toBe(500)
    }
    expect((await app.get('/tags')).body.data).toEqual([])
    expect((await app.create('well')).status).toBe(201)
    // What cannot be shown to who creates it is not created, and else it costs who lists it.
    expect((await app.create('unspeakable')).status).toBe(500)
    expect((await app.get('/tags')).status).toBe(200)
    expect((await app.create('unspeakable', 'none&fields[tags]=name')).status).toBe(201)
    await app.create('unspeakable')
    expect((await app.get('/tags')).status).toBe(500)
    expect((await app.get('/tags?fields[tags]=name')).status).toBe(200)
    expect((await slow).status).toBe(200)
    app.stop()
    expect((await app.exit).code).toBe(0)
  })

  test('in a promise that nobody waits for is logged, and costs nobody anything', async () => {
    const app = await start()
    expect((await app.create('a tag', 'forgotten')).status).toBe(201)
    expect((await app.get('/tags')).status).toBe(200)
    app.stop()
    const exit = await app.exit
    expect(exit.code).toBe(0)
    expect(logged(exit)).toEqual([{ level: 'error', message: 'Unhandled rejection', err: 'Nobody waits for it' }])
  })

  test('that nobody can catch ends the process, after the answers on their way, with exit code 1', async () => {
    const app = await start()
    const slow = app.create('a tag', 'slow')
    await pause(600)
    await app.get('/tags?fault=later').catch(() => {})
    expect((await slow).status).toBe(201)
    const exit = await app.exit
    expect({ ...exit, stderr: logged(exit) }).toEqual({
      code: 1,
      stdout: `${app.port}\nclosed\n`,
      stderr: [{ level: 'fatal', message: 'Uncaught exception: the process ends.', err: 'Nobody can catch it' }],
    })
  })
})
