import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cp, rename } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeProject, type Project } from '../support/generator-project.ts'

const root = resolve(import.meta.dirname, '../..')
let project: Project
let dev: ChildProcess
let ended: Promise<number | null>
let output = ''
let url: string

beforeAll(async () => {
  project = await makeProject('example')
  for (const name of ['policies', 'requests', 'scripts', 'prisma.config.ts', 'tsconfig.json'])
    await cp(join(root, name), join(project.folder, name), { recursive: true })
  const port = await freePort()
  const { PATH = '', HOME = '' } = process.env
  url = `http://127.0.0.1:${port}/api/v1`
  const cli = join(root, 'packages/cli/src/main.ts')
  dev = spawn(process.execPath, ['--conditions=prismapi/source', '--import', 'tsx', cli, 'dev'], {
    cwd: project.folder,
    env: { PATH, HOME, NO_COLOR: '1', PORT: String(port), DATABASE_URL: 'file:./dev.db', LOG_LEVEL: 'silent' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  for (const stream of [dev.stdout, dev.stderr]) stream?.setEncoding('utf8').on('data', (text) => (output += text))
  ended = new Promise((done) => dev.once('exit', done))
})
afterAll(async () => {
  dev.kill()
  await ended
  await project.remove()
})

function freePort(): Promise<number> {
  const server = createServer()
  return new Promise((done) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => done(port))
    })
  })
}

/** What was said since the last call, as soon as it ends with the line. */
async function said(lastLine: string): Promise<string> {
  const give = Date.now() + 120_000
  for (;;) {
    const end = output.indexOf(lastLine)
    if (end >= 0) {
      const text = output.slice(0, end + lastLine.length)
      output = output.slice(text.length + 1)
      return text
    }
    const isOver = dev.exitCode !== null || output.includes('waiting for a change')
    if (isOver || Date.now() > give) throw new Error(`It never said "${lastLine}", but: ${output}`)
    await new Promise((done) => setTimeout(done, 50))
  }
}

const listening = () => `prismapi listens on ${url}`

/** A line of what docs/generators.md shows: it starts, a policy changes, it starts, the Prisma schema changes, it starts. */
function shown(line: number): string {
  const page = readFileSync(join(root, 'docs/generators.md'), 'utf8')
  const [, log = ''] = /^```text test=test\/process\/dev\.test\.ts\n([^`]*)^```$/m.exec(page) ?? []
  return log.replaceAll('http://127.0.0.1:3000/api/v1', url).split('\n')[line] ?? ''
}

async function edit(path: string, from: string, to: string): Promise<void> {
  const text = await project.read(path)
  expect(text).toContain(from)
  // As many editors save: another file takes its place.
  await project.write(`${path}~`, text.replace(from, to))
  await rename(join(project.folder, `${path}~`), join(project.folder, path))
}

async function get(path: string) {
  const response = await fetch(url + path)
  return { status: response.status, body: (await response.json()) as { data?: { attributes: object } } }
}

test('it starts the server', async () => {
  expect((await said(listening())).split('\n')).toContain(shown(0))
  expect(await get('/tags')).toMatchObject({ status: 200 })
})

test('a changed policy holds after a restart', async () => {
  await edit('policies/tag.policy.ts', 'can(this.reads)', "can('view')")
  expect(await said(listening())).toBe(`${shown(1)}\n${shown(2)}`)
  expect(await get('/tags')).toMatchObject({ status: 403 })
})

test('a new server is served', async () => {
  const v9 = `import { Server } from 'prismapi'

export default class V9 extends Server {
  override name = 'v9'
  override models = ['Tag'] as const
}
`
  await project.write('src/app/v9/server.ts', v9)
  expect(await said(listening())).toBe(`dev src/app/v9/server.ts added: restarting\n${listening()}`)
  expect(await fetch(url.replace('v1', 'v9'))).toMatchObject({ status: 200 })
})

test('after a change of the Prisma schema it generates first, and waits where the server does not start', async () => {
  expect((await get('/profiles/1')).body.data?.attributes).toHaveProperty('website')
  await edit('prisma/schema.prisma', '  website ', '  /// @hidden\n  website ')
  const stopped = 'dev the server stopped (exit code 1): waiting for a change'
  const text = await said(stopped)
  expect(text.split('\n', 1)).toEqual([shown(3)])
  expect(text).toContain('website')
  await edit('requests/profile.request.ts', ', website: string().nullable()', '')
  expect(await said(listening())).toBe(`dev requests/profile.request.ts changed: restarting\n${listening()}`)
  expect((await get('/profiles/1')).body.data?.attributes).toEqual({ bio: expect.any(String) })
})

test('a broken Prisma schema leaves the server as it was', async () => {
  await edit('prisma/schema.prisma', 'model Tag {', 'model Tag')
  await said('dev prisma generate failed, so the server stays as it is')
  expect(await get('/profiles/1')).toMatchObject({ status: 200 })
})

test('it ends with its server, and leaves the port free', async () => {
  dev.kill('SIGTERM')
  expect(await ended).toBe(0)
  await expect(get('/profiles/1')).rejects.toThrow('fetch failed')
})
