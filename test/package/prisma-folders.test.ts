import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { filesBelow } from '../../scripts/packages/imports.ts'

// What relies on Prisma stands in one place of each package, so that who looks after another version of Prisma knows where to look.

const root = path.resolve(import.meta.dirname, '../..')

/** The places where Prisma's packages are named, and what they do not promise is relied on. Each has its test in `test/prisma`. */
const places = /^(?:cli\/prisma\/|core\/database\/prisma\/|cli\/assets\/schema-engine\/|jsonapi\/model\/prisma-)/

/** Files elsewhere that name a package of Prisma, and why they may. */
const reasons: Readonly<Record<string, string>> = {
  'cli/assets/application/prisma.config.ts': 'It is a file of a new application.',
  'cli/generator/client-import.ts': 'It writes down which package a client is imported from.',
  'cli/init/empty-folder.ts': 'It looks into a package.json, and installs what is not there.',
  'cli/init/existing-project.ts': 'It writes what a new application installs.',
  'cli/init/main-template.ts': 'It writes what a new application imports.',
  'cli/init/new-application.ts': 'It writes what a new application installs.',
  'cli/init/package-json.ts': 'It tells which version of a package of Prisma fits the others.',
  'sql/databases/shared-adapter.ts': 'It makes the adapter of SQLite, and shares its connection.',
  'sql/databases/sqlite-writer.ts': 'It begins transactions by that adapter, and names the types of its statements.',
  'sql/databases/whole-transactions.ts': 'It ends the transactions of adapters, and names their types.',
  'sql/postgres.ts': 'It makes the adapter of PostgreSQL on a pool of its own.',
  'sql/sqlite.ts': 'It hands the adapter of SQLite to the application, and names its type.',
}

/** A package of Prisma, its files, and names of what Prisma keeps to itself. */
const named =
  /['"`]@prisma\/|['"`]prisma\/(?:config|build|package\.json)|driverAdapterError|PrismaPromise|prisma\.objectEnumValue/

const withoutComments = (text: string): string => text.replace(/^\s*(?:\/\/|\*|\/\*).*$/gm, '')

const files = ['assets', 'src'].flatMap((folder) =>
  [...new Set(filesBelow('packages').map((file) => file.split('/')[1]))].flatMap((name) =>
    filesBelow(`packages/${name}/${folder}`),
  ),
)

test('only the places for it name packages of Prisma, of types as well, and what Prisma keeps to itself', () => {
  const found = files
    .filter((file) => named.test(withoutComments(readFileSync(path.join(root, file), 'utf8'))))
    .map((file) => file.replace(/^packages\//, '').replace('/src/', '/'))
    .filter((file) => !places.test(file))
  expect(found.sort()).toEqual(Object.keys(reasons).sort())
})
