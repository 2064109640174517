import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { push } from '../support/any-schema/generate.ts'

const schema = `datasource db {
  provider = "sqlite"
}

model Post {
  id   Int    @id @default(autoincrement())
  slug String @unique
  tags Tag[]
}

model Tag {
  id    Int    @id
  posts Post[]
}
`

test('the stand-in starts the engine of migrations, which makes tables with the names that are known of them', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'prisma-engine-'))
  const file = path.join(folder, 'schema.prisma')
  writeFileSync(file, schema)
  await push(file, `file:${path.join(folder, 'dev.db')}`)
  const database = new Sqlite(path.join(folder, 'dev.db'))
  const names = database.prepare(`SELECT "name" FROM sqlite_master WHERE "name" NOT LIKE 'sqlite%' ORDER BY 1`)
  const made = names.pluck().all()
  const columns = database.prepare(`SELECT "name" FROM pragma_table_info('_PostToTag')`).pluck().all()
  database.close()
  rmSync(folder, { recursive: true })
  expect(made, 'Tables, join tables or uniques have other names than packages/cli/src/generator says.').toEqual([
    ...['Post', 'Post_slug_key', 'Tag', '_PostToTag', '_PostToTag_AB_unique', '_PostToTag_B_index'],
  ])
  expect(columns).toEqual(['A', 'B'])
})
