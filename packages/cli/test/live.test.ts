import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { run } from '../src/run.ts'

let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'prismapi-live-'))
})
afterEach(() => rmSync(root, { recursive: true }))

function put(path: string, content: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), content)
}

async function prismapi(line: string, from = root) {
  const [said, complained]: [string[], string[]] = [[], []]
  const status = await run(line.split(' '), from, {
    say: (text) => void said.push(text),
    complain: (text) => void complained.push(text),
    paint: (_colour, text) => text,
  })
  return { status, said: said.join('\n'), complained: complained.join('\n') }
}

const change = `/// @hidden
model Change {
  id          BigInt   @id @default(autoincrement())
  transaction BigInt   @default(0)
  at          DateTime
  model       String
  key         String
  action      String
  before      Json?
  after       Json?
  request     String?
  user        String?
}
`
const schema = (provider: string, own = '', log = change) => `datasource db {
  provider = "${provider}"
}

model Parcel {
  id       Int     @id
  weight   Decimal
  isHeavy  Boolean
  size     BigInt
  extra    Json?
  photo    Bytes?
  token    String
  ${own}
}

model Box {
  row   String
  place Int
  @@id([row, place])
}

${log}`

const stale =
  'Change is not told of all changes: models have changed since its triggers were made. Run prisma migrate dev --create-only, and prismapi live --out=<its migration.sql>.'

test('what prismapi live prints logs values as JSON has them, without secrets, and keys of several columns', async () => {
  put('prisma/schema.prisma', schema('sqlite'))
  const { said, status } = await prismapi('live')
  expect(status).toBe(0)
  const database = new Sqlite(':memory:')
  database.exec(`CREATE TABLE "Parcel" ("id" INTEGER PRIMARY KEY, "weight" DECIMAL, "isHeavy" BOOLEAN, "size" BIGINT, "extra" JSONB, "photo" BLOB, "token" TEXT);
    CREATE TABLE "Box" ("row" TEXT, "place" INTEGER, PRIMARY KEY ("row", "place"));
    CREATE TABLE "Change" ("id" BIGINT PRIMARY KEY, "transaction" BIGINT DEFAULT 0, "at" DATETIME, "model" TEXT, "key" TEXT, "action" TEXT, "before" JSONB, "after" JSONB, "request" TEXT, "user" TEXT)`)
  database.exec(said)
  // What was printed before gives way.
  database.exec(said)
  database.exec(`INSERT INTO "Parcel" VALUES (7, 1.5, 1, 9007199254740993, '{"a":[1]}', x'0aff', 'secret');
    UPDATE "Parcel" SET "token" = 'another';
    INSERT INTO "Box" VALUES ('a_b', 2)`)
  const rows = database.prepare('SELECT "id", "model", "key", "action", "before", "after" FROM "Change"').raw().all()
  database.close()
  expect(rows).toEqual([
    [
      ...[1, 'Parcel', '7', 'create', null],
      '{"id":7,"weight":"1.5","isHeavy":true,"size":"9007199254740993","extra":{"a":[1]},"photo":"0AFF"}',
    ],
    [2, 'Parcel', '7', 'update', '{}', '{}'],
    [3, 'Box', '["a_b","2"]', 'create', null, '{"row":"a_b","place":2}'],
  ])
})

test('prismapi live refuses what cannot log changes', async () => {
  put('prisma/schema.prisma', schema('mysql'))
  expect(await prismapi('live')).toMatchObject({
    status: 1,
    complained: 'error Changes can be logged on SQLite and PostgreSQL, and not on mysql.',
  })
  put('prisma/schema.prisma', schema('sqlite', '', ''))
  expect(await prismapi('live')).toMatchObject({
    status: 1,
    complained: 'error The Prisma schema has no hidden model Change. Add it, as docs/live.md shows it.',
  })
})

test('prismapi doctor says when triggers are missing, and when they are stale', async () => {
  const warnings = async () => {
    const { warnings } = JSON.parse((await prismapi('doctor --json')).said) as { warnings: string[] }
    return warnings.filter((warning) => warning.startsWith('Change'))
  }
  put('prisma/schema.prisma', schema('sqlite'))
  expect(await warnings()).toEqual([
    'Change stays empty: no migration has the triggers that log changes. Run prisma migrate dev --create-only, and prismapi live --out=<its migration.sql>.',
  ])
  await prismapi('live --out=prisma/migrations/2_live/migration.sql')
  expect(await warnings()).toEqual([])
  put('prisma/schema.prisma', schema('sqlite', 'colour String?'))
  expect(await warnings()).toEqual([stale])
  await prismapi('live --out=prisma/migrations/4_live/migration.sql')
  expect(await warnings()).toEqual([])
  // SQLite makes the table anew for some changes, and its triggers go with it.
  put('prisma/migrations/5_other/migration.sql', 'DROP TABLE "Parcel";\n')
  expect(await warnings()).toEqual([stale])
})

test('the triggers of the example are those of its models', async () => {
  const { said } = await prismapi('doctor --json', resolve(import.meta.dirname, '../../..'))
  const { warnings } = JSON.parse(said) as { warnings: string[] }
  expect(warnings.filter((warning) => warning.startsWith('Change'))).toEqual([])
})
