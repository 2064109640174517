import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { searchMigration } from '@prismapi/search/search-migration'
import Sqlite from 'better-sqlite3'
import type { ModelMeta } from 'prismapi/types'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { resources } from '../../prisma/generated/resources.ts'

// The tables of words on SQLite are not in the Prisma schema: Prisma Migrate would drop them, and leaves alone what the
// comment of their migration tells to name.

const root = path.resolve(import.meta.dirname, '../..')
const folder = mkdtempSync(path.join(tmpdir(), 'prismapi-external-'))

const tag = resources.models.Tag as ModelMeta
const search = {
  columns: [tag.columns.name as ModelMeta['columns'][string]],
  ...{ language: 'english', index: 'Tag_search', table: 'Tag', dbSchema: null, key: [] },
}
const migration = searchMigration([{ model: tag, search }], 'sqlite')

const configured = (text: string) => `import { defineConfig } from 'prisma/config'
export default defineConfig({ schema: 'prisma/schema.prisma', datasource: { url: 'file:./own.db' }, ${text} })
`

/** What Prisma would do to the database for the schema to be all that is there. */
function wouldDo(config: string): string {
  writeFileSync(path.join(folder, 'prisma.config.ts'), configured(config))
  const cli = path.join(root, 'node_modules/prisma/build/index.js')
  const asked = ['migrate', 'diff', '--from-config-datasource', '--to-schema', 'prisma/schema.prisma', '--script']
  const engine = path.join(root, 'packages/cli/assets/schema-engine.mjs')
  const env = { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: engine }
  return execFileSync(process.execPath, [cli, ...asked], { cwd: folder, env, encoding: 'utf8', stdio: 'pipe' })
}

beforeAll(() => {
  mkdirSync(path.join(folder, 'prisma'))
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'))
  writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(
    path.join(folder, 'prisma/schema.prisma'),
    'datasource db {\n  provider = "sqlite"\n}\n\nmodel Tag {\n  id   Int    @id @default(autoincrement())\n  name String\n}\n',
  )
  const database = new Sqlite(path.join(folder, 'own.db'))
  database.exec('CREATE TABLE "Tag" ("id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, "name" TEXT NOT NULL)')
  database.exec(migration)
  database.close()
})
afterAll(() => rmSync(folder, { recursive: true }))

test('Prisma Migrate drops tables that its schema does not have', () => {
  expect(wouldDo('')).toContain('DROP TABLE "Tag_search_data"')
})

test('and leaves those alone that the comment of their migration names', () => {
  const [, config = ''] = /^-- (experimental: .*)$/m.exec(migration) ?? []
  expect(config).toContain('"Tag_search_idx"')
  expect(wouldDo(config)).toContain('This is an empty migration.')
})
