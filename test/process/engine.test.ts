import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { thisNode } from '../support/node-versions.ts'
import { packPackages } from '../support/packed.ts'
import { type Registry, serveRegistry } from '../support/registry.ts'
import { openShell } from '../support/shell.ts'

// A new application migrates by the engine that the package brings, where nothing can be downloaded.

let registry: Registry
let folder: string
let shell: ReturnType<typeof openShell>

beforeAll(async () => {
  registry = await serveRegistry((await packPackages()).packages)
  folder = mkdtempSync(path.join(tmpdir(), 'prismapi-engine-'))
  const cwd = path.join(folder, 'blog')
  mkdirSync(cwd)
  shell = openShell(cwd, { env: { ...(await thisNode(path.join(folder, 'node'))), ...registry.env } })
  await shell.run('npm init -y && npm install prismapi && npx prismapi init && npm install\n')
})
afterAll(async () => {
  shell?.close()
  await registry?.close()
  rmSync(folder, { recursive: true })
})

/** A network that leads nowhere: whatever is downloaded fails. */
const closed = 'HTTPS_PROXY=http://127.0.0.1:1 HTTP_PROXY=http://127.0.0.1:1 PRISMA_ENGINES_MIRROR=http://127.0.0.1:1'

const tablesOf = (name: string): unknown[] => {
  const database = new Sqlite(path.join(folder, 'blog', name), { fileMustExist: true })
  const tables = database.prepare(
    `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB 'sqlite_*' ORDER BY 1`,
  )
  const names = tables.pluck().all()
  database.close()
  return names
}
const models = ['Comment', 'IdempotencyKey', 'Post', 'User']

test('npm brings no engine', () => {
  expect(existsSync(path.join(folder, 'blog/node_modules/@prismapi/cli/assets/schema-engine.mjs'))).toBe(true)
  expect(existsSync(path.join(folder, 'blog/node_modules/@prisma/engines/schema-engine-debian-openssl-3.0.x'))).toBe(
    false,
  )
})

test.each([
  ['migrate dev --name init', 'dev.db', [...models, '_prisma_migrations']],
  ['migrate deploy', 'deployed.db', [...models, '_prisma_migrations']],
  ['db push', 'pushed.db', models],
])('prisma %s', async (command, name, tables) => {
  await shell.run(`${closed} DATABASE_URL=file:./${name} npx prisma ${command}\n`)
  expect(tablesOf(name)).toEqual(tables)
})
