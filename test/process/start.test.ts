import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signToken } from '../../src/app/auth.ts'
import { startApp } from '../support/app-process.ts'
import { migrate } from '../support/databases/sqlite.ts'
import { expectTold } from '../support/documentation/told.ts'

const secret = 'a secret of the tests that is long enough'
let folder: string
let good: Readonly<Record<string, string>>

const file = (name: string) => path.join(folder, name)

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'prismapi-start-'))
  migrate(file('good.db'))
  const DATABASE_URL = `file:${file('good.db')}`
  good = { HOST: '127.0.0.1', PORT: '0', DATABASE_URL, AUTH_SECRET: secret, NODE_ENV: 'development' }
})
afterAll(() => rmSync(folder, { recursive: true }))

function withoutSecret(): Readonly<Record<string, string>> {
  const { AUTH_SECRET: _, ...rest } = good
  return rest
}

/** It says one line on stderr, nothing on stdout, and ends with code 1. */
async function expectRefusal(env: Readonly<Record<string, string>>, line: string) {
  expect(await startApp(env).exit).toEqual({ code: 1, stdout: '', stderr: `${line}\n` })
}

const unsetMode =
  'NODE_ENV is not set, so this is development: clients get explanations (Prefer: explain), browsers get pages, and errors tell details. Set NODE_ENV=production to close all three.'
const levels = 'trace, debug, info, warn, error, fatal, silent'

describe('a start with a bad value ends with one line that names the variable', () => {
  test.each([
    [{ PORT: 'http' }, 'PORT must be a number from 0 to 65535, not "http".'],
    [{ PORT: '' }, 'PORT must be a number from 0 to 65535, not "".'],
    [{ PORT: '65536' }, 'PORT must be a number from 0 to 65535, not "65536".'],
    [{ HOST: '' }, 'HOST must not be empty.'],
    [{ BASE_URL: 'api.example.org' }, 'BASE_URL must be an http or https URL without a query, not "api.example.org".'],
    [
      { BASE_URL: 'ftp://example.org' },
      'BASE_URL must be an http or https URL without a query, not "ftp://example.org".',
    ],
    [{ LOG_LEVEL: 'loud' }, `LOG_LEVEL must be one of ${levels}, not "loud".`],
    [{ WORKERS: '0' }, 'WORKERS must be a number from 1 to 256, not "0".'],
    [{ WORKERS: 'all' }, 'WORKERS must be a number from 1 to 256, not "all".'],
    [{ AUTH_SECRET: '' }, 'AUTH_SECRET must not be empty.'],
    [{ NODE_ENV: 'prodution' }, 'NODE_ENV must be one of production, development, test, not "prodution".'],
    [{ NODE_ENV: 'Production' }, 'NODE_ENV must be one of production, development, test, not "Production".'],
    [{ NODE_ENV: '' }, 'NODE_ENV must be one of production, development, test, not "".'],
    [
      { REPLICA_URLS: 'postgresql://127.0.0.1/x' },
      'REPLICA_URLS must be URLs of replicas of the PostgreSQL database that DATABASE_URL names, with commas between them.',
    ],
    [
      { DATABASE_URL: 'mysql://127.0.0.1/x' },
      'DATABASE_URL must be the URL of a SQLite file, such as file:./prisma/dev.db, or of a PostgreSQL database, such as postgresql://user:password@localhost:5432/blog.',
    ],
  ])('%j', async (env, line) => {
    await expectRefusal({ ...good, ...env }, line)
  })

  test('in production, no secret', async () => {
    await expectRefusal(
      { ...withoutSecret(), NODE_ENV: 'production' },
      'AUTH_SECRET must be set, to a secret of at least 32 bytes.',
    )
  })

  test('in production, a secret that is too short', async () => {
    const env = { ...good, NODE_ENV: 'production', AUTH_SECRET: 'short' }
    await expectRefusal(env, 'AUTH_SECRET must be set, to a secret of at least 32 bytes.')
  })
})

// docs/troubleshooting.md
test.each(['NODE_ENV must be one of production, development, test, not "prodution".', unsetMode])(
  'the documentation quotes %j',
  expectTold,
)

describe('a start without a database that fits ends with one line that names the cure', () => {
  const migrateFirst = 'Run "npx prisma migrate deploy".'
  const url = (name: string) => `file:${file(name)}`

  test('a file that does not exist, and without a secret of its own', async () => {
    const env = { ...withoutSecret(), DATABASE_URL: url('none.db') }
    await expectRefusal(env, `The database ${url('none.db')} does not exist. ${migrateFirst}`)
  })

  test('a file in a folder that does not exist', async () => {
    const line = `The database ${url('none/none.db')} does not exist. ${migrateFirst}`
    await expectRefusal({ ...good, DATABASE_URL: url('none/none.db') }, line)
  })

  test('a file without tables', async () => {
    writeFileSync(file('empty.db'), '')
    const line = `The database ${url('empty.db')} does not have the tables of prisma/schema.prisma. ${migrateFirst}`
    await expectRefusal({ ...good, DATABASE_URL: url('empty.db') }, line)
  })

  test.each(['DROP TABLE "Comment"', 'ALTER TABLE "Post" RENAME COLUMN "synopsis" TO "summary"'])(
    'a file that lacks a migration: %s',
    async (change) => {
      const name = `${change.split(' ')[0]}.db`
      migrate(file(name))
      new Sqlite(file(name)).exec(change).close()
      const line = `The database ${url(name)} does not have the tables of prisma/schema.prisma. ${migrateFirst}`
      await expectRefusal({ ...good, DATABASE_URL: url(name) }, line)
    },
  )

  test('a file that is no database', async () => {
    writeFileSync(file('text.db'), 'Not a database, but long enough to have the header of one.'.repeat(20))
    const { stderr, ...rest } = await startApp({ ...good, DATABASE_URL: url('text.db') }).exit
    expect(rest).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^The database file:.*text\.db cannot be opened: .+\n$/)
  })

  test('a folder', async () => {
    mkdirSync(file('folder.db'))
    const { stderr, ...rest } = await startApp({ ...good, DATABASE_URL: url('folder.db') }).exit
    expect(rest).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^The database file:.*folder\.db .+\n$/)
  })
})

test('a port in use: one line that names it', async () => {
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const PORT = String((other.address() as AddressInfo).port)
  await expectRefusal({ ...withoutSecret(), PORT }, `Port ${PORT} of 127.0.0.1 is in use. Set PORT to a free one.`)
  other.close()
})

describe('a good start', () => {
  const linesOf = (stderr: string) =>
    stderr
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).msg)
  // Guests meet authors by an include, whom the policy of users denies to them.
  const included = ['v1', 'v2'].map((server) =>
    expect.stringContaining(`Server ${server}: an include shows rows that policies deny to somebody: users (`),
  )

  test('says one line with its URL, seeds an empty database, answers, and stops at SIGTERM with code 0', async () => {
    const app = startApp(good)
    const line = await app.firstLine
    const [, url] = /^prismapi listens on (http:\/\/127\.0\.0\.1:\d+\/api\/v1)$/.exec(line) ?? []
    expect(url, line).toBeDefined()

    const posts = await fetch(`${url}/posts?page[size]=1`)
    expect(posts.status).toBe(200)
    expect(await posts.json()).toMatchObject({ meta: { page: { total: 48 } } })
    const headers = { Authorization: `Bearer ${await signToken(1, secret)}` }
    expect((await fetch(`${url}/users`, { headers })).status).toBe(200)
    expect((await fetch(`${url}/users`)).status).toBe(403)

    app.stop()
    const { stderr, ...rest } = await app.exit
    expect({ ...rest, lines: linesOf(stderr) }).toEqual({ code: 0, stdout: `${line}\n`, lines: included })
    await expect(fetch(`${url}/posts`)).rejects.toThrow()
  })

  test('without a secret of its own warns in one line', async () => {
    const app = startApp(withoutSecret())
    await app.firstLine
    app.stop('SIGINT')
    const { code, stderr } = await app.exit
    expect({ code, lines: linesOf(stderr) }).toEqual({
      code: 0,
      lines: [...included, 'AUTH_SECRET is not set: tokens are signed with a secret that everybody knows.'],
    })
  })

  test('without NODE_ENV is for development, and warns in one line that says what is open', async () => {
    const { NODE_ENV: _, ...unset } = good
    const app = startApp(unset)
    const [url = ''] = /http:\S+/.exec(await app.firstLine) ?? []
    const page = await fetch(`${url}/tags`, { headers: { Accept: 'text/html' } })
    const explained = await fetch(`${url}/tags/1`, { headers: { Prefer: 'explain' } })
    expect(page.headers.get('Content-Type')).toContain('text/html')
    expect(explained.headers.get('Preference-Applied')).toBe('explain')
    app.stop()
    const { code, stderr } = await app.exit
    expect({ code, lines: linesOf(stderr) }).toEqual({ code: 0, lines: [...included, unsetMode] })
  })

  test('means nothing by the variables of tools for tests: 403, and no file', async () => {
    const mutant = { policy: 'User', rule: 'can(update, { id: … })', mutation: { kind: 'widen' } }
    const told = { POLICY_MUTANT: JSON.stringify(mutant), POLICY_COVERAGE: file('decisions.jsonl') }
    const app = startApp({ ...good, ...told })
    const [url = ''] = /http:\S+/.exec(await app.firstLine) ?? []
    const mediaType = 'application/vnd.api+json'
    const headers = { Authorization: `Bearer ${await signToken(3, secret)}`, 'Content-Type': mediaType }
    const body = JSON.stringify({ data: { type: 'users', id: '4', attributes: { name: 'Mine' } } })
    const { status } = await fetch(`${url}/users/4`, { method: 'PATCH', headers, body })
    app.stop()
    await app.exit
    expect({ status, isCovered: existsSync(file('decisions.jsonl')) }).toEqual({ status: 403, isCovered: false })
  })

  test('in production none of these is open', async () => {
    const app = startApp({ ...good, NODE_ENV: 'production' })
    const [url = ''] = /http:\S+/.exec(await app.firstLine) ?? []
    const page = await fetch(`${url}/tags`, { headers: { Accept: 'text/html' } })
    const explained = await fetch(`${url}/tags/1`, { headers: { Prefer: 'explain' } })
    expect([page.status, explained.headers.get('Preference-Applied')]).toEqual([406, null])
    app.stop()
    const { code, stderr } = await app.exit
    expect({ code, lines: linesOf(stderr) }).toEqual({ code: 0, lines: included })
  })

  test('in production, with the public URL of BASE_URL in its links', async () => {
    const app = startApp({ ...good, NODE_ENV: 'production', BASE_URL: 'https://api.example.org/' })
    const [url = ''] = /http:\S+/.exec(await app.firstLine) ?? []
    expect(await (await fetch(`${url}/tags/1`, { headers: { Host: 'evil.example' } })).json()).toMatchObject({
      links: { self: 'https://api.example.org/api/v1/tags/1' },
    })
    const denied = (await (await fetch(`${url}/users`)).json()) as { errors: object[] }
    expect(denied.errors).toEqual([{ status: '403', title: 'Forbidden', detail: 'This action is unauthorized.' }])
    app.stop()
    expect((await app.exit).code).toBe(0)
  })
})
