import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signToken } from '../../src/app/auth.ts'
import { type AppProcess, startApp } from '../support/app-process.ts'
import { migrate } from '../support/databases/sqlite.ts'
import { fencesOf } from '../support/documentation/fences.ts'

const fixture = path.resolve(import.meta.dirname, '../fixtures/typed-client')
const secret = 'a secret of the tests that is long enough'

const packages = ['openapi-fetch@0', 'openapi-typescript@7', 'typescript@5']

let folder: string
let app: AppProcess | undefined
let at: string
let token: string

function run(command: string, ...args: string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve) =>
    execFile(command, args, { cwd: folder, maxBuffer: 1e8 }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, output: stdout + (error ? stderr : '') }),
    ),
  )
}

// What docs/clients.md says: two commands that install, and one that makes the types.
const commands =
  fencesOf('docs/clients.md')
    .find(({ language }) => language === 'sh')
    ?.code.trim()
    .split('\n') ?? []
const [client = [], tools = [], make = []] = commands.map((command) => command.split(' '))

const inPackages = (name: string) => path.join(folder, 'node_modules', name)

// A folder of its own, with the packages of a front end: they want another TypeScript than ours.
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'prismapi-typed-'))
  cpSync(fixture, folder, { recursive: true })
  writeFileSync(path.join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  const installed = await run('npm', 'install', '--silent', '--no-audit', '--no-fund', ...packages)
  expect(installed.code).toBe(0)
  const file = path.join(folder, 'client.db')
  migrate(file)
  const env = { HOST: '127.0.0.1', PORT: '0', DATABASE_URL: `file:${file}`, AUTH_SECRET: secret }
  expect(await startApp(env, 'scripts/seed.ts').exit).toMatchObject({ code: 0 })
  app = startApp(env)
  at = /http:\/\/127\.0\.0\.1:\d+/.exec(await app.firstLine)?.[0] as string
  token = await signToken(3, secret)
  const headers = { Authorization: `Bearer ${token}` }
  writeFileSync(path.join(folder, 'openapi.json'), await (await fetch(`${at}/api/v1/openapi.json`, { headers })).text())
  expect(await run('npx', ...make.slice(1))).toMatchObject({ code: 0 })
})
afterAll(async () => {
  app?.stop()
  await app?.exit
  rmSync(folder, { recursive: true, force: true })
})

const compile = (...args: string[]) => run(process.execPath, inPackages('typescript/bin/tsc'), ...args)

test('docs/clients.md installs the same packages', () => {
  const withoutVersion = (name: string) => name.replace(/@\d+$/, '')
  const named = [client, tools].flatMap((command) => command.slice(2)).filter((word) => !word.startsWith('-'))
  expect(named.map(withoutVersion)).toEqual(packages.map(withoutVersion))
})

test('a client compiles against the types that are made of the document', async () => {
  expect(await compile('-p', '.')).toEqual({ code: 0, output: '' })
})

test('what the server does not have, or the caller may not do, does not compile', async () => {
  const config = JSON.parse(readFileSync(path.join(folder, 'tsconfig.json'), 'utf8'))
  writeFileSync(path.join(folder, 'wrong.json'), JSON.stringify({ ...config, files: ['wrong.ts'] }))
  const { output } = await compile('-p', 'wrong.json', '--pretty', 'false')
  const refused = [...output.matchAll(/^wrong\.ts\((\d+),\d+\): error TS/gm)].map(([, line]) => Number(line))
  const lines = readFileSync(path.join(fixture, 'wrong.ts'), 'utf8').split('\n')
  const calls = lines.flatMap((line, index) => (line.startsWith('api.') ? [index + 1] : []))
  expect([...new Set(refused)]).toEqual(calls)
  expect(calls.length).toBeGreaterThan(10)
})

test('it reads, writes, and is told at which field something is wrong', async () => {
  const loader = import.meta.resolve('tsx')
  const said = await run(process.execPath, '--import', loader, 'main.ts', at, token)
  expect(said.code).toBe(0)
  const { found, written, again } = JSON.parse(said.output)
  expect(found).toHaveLength(5)
  for (const { title, author } of found) {
    expect(title).toContain('Post 1')
    expect(author).toMatch(/\w/)
  }
  expect(written).toEqual({ id: expect.stringMatching(/^\d+$/), faults: [] })
  expect(again).toEqual({ id: null, faults: [['/data/attributes/title', 'The title field is required.']] })
})
