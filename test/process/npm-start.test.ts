import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { patience, userEnv } from '../support/clone.ts'

const root = path.resolve(import.meta.dirname, '../..')
let folder: string

const file = (name: string) => path.join(folder, name)
const url = (name: string) => `file:${file(name)}`

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'prismapi-npm-start-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** `npm start` that ends by itself, silent about npm's own lines. */
function refusal(env: Readonly<Record<string, string>>) {
  const options = { cwd: root, env: userEnv({ PORT: '0', ...env }), timeout: patience }
  return new Promise((done) => {
    const child = execFile('npm', ['--silent', 'start'], options, (_error, stdout, stderr) => {
      done({ code: child.exitCode, stdout, stderr })
    })
  })
}

const oneLine = (line: string) => ({ code: 1, stdout: '', stderr: `${line}\n` })

test.each([
  [{ PORT: 'abc' }, 'PORT must be a number from 0 to 65535, not "abc".'],
  [
    { DATABASE_URL: 'postgres://x' },
    'DATABASE_URL must be the URL of a SQLite file, such as file:./prisma/dev.db, or of a PostgreSQL database, such as postgresql://user:password@localhost:5432/blog.',
  ],
])('%j: one line that names the variable, and no database is made', async (env, line) => {
  expect(await refusal({ DATABASE_URL: url('new.db'), ...env })).toEqual(oneLine(line))
  expect(existsSync(file('new.db'))).toBe(false)
})

test('a port in use: one line that names it, before the database is touched', async () => {
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const PORT = String((other.address() as AddressInfo).port)
  expect(await refusal({ PORT, DATABASE_URL: url('new.db') })).toEqual(
    oneLine(`Port ${PORT} of 127.0.0.1 is in use. Set PORT to a free one.`),
  )
  expect(existsSync(file('new.db'))).toBe(false)
  other.close()
})

test('a database in a folder that does not exist: one line, and the folder is not made', async () => {
  expect(await refusal({ DATABASE_URL: url('none/new.db') })).toEqual(
    oneLine(`The folder of the database ${url('none/new.db')} does not exist. Correct DATABASE_URL.`),
  )
  expect(existsSync(file('none'))).toBe(false)
})

test('a database that another process has open: one line', async () => {
  const other = new Sqlite(file('busy.db'))
  other.pragma('journal_mode = WAL')
  other.exec('SELECT 1 FROM sqlite_schema')
  expect(await refusal({ DATABASE_URL: url('busy.db') })).toEqual(
    oneLine(`${url('busy.db')} cannot be migrated: The database is in use by another process.`),
  )
  other.close()
})

test('a file that is no database: one line', async () => {
  writeFileSync(file('text.db'), 'Not a database, but long enough to have the header of one.'.repeat(20))
  expect(await refusal({ DATABASE_URL: url('text.db') })).toEqual(
    oneLine(`${url('text.db')} cannot be migrated: file is not a database`),
  )
})
