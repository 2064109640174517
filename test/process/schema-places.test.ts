import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import Sqlite from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeProject, type Project } from '../support/generator-project.ts'
import { largeSchema } from '../support/large-schema.ts'

const root = resolve(import.meta.dirname, '../..')
const prisma = join(root, 'node_modules/prisma/build/index.js')
const prismapi = ['--conditions=prismapi/source', '--import', 'tsx', 'packages/cli/src/main.ts']

const configOf = (schema: string) => `import { fileURLToPath } from 'node:url'

process.env.PRISMA_SCHEMA_ENGINE_BINARY = '${join(root, 'packages/cli/assets/schema-engine.mjs')}'

export default {
  schema: '${schema}',
  migrations: { path: 'db/migrations' },
  datasource: { url: 'file:' + fileURLToPath(new URL('places.db', import.meta.url)) },
}
`
const generators = (output: string) => `generator client {
  provider = "prisma-client"
  output   = "${output}/client"
}

generator resources {
  provider = "node --conditions=prismapi/source --import tsx packages/cli/src/generator/bin.ts"
  output   = "${output}"
}

datasource db {
  provider = "sqlite"
}
`
const author = `model Author {
  id    Int    @id @default(autoincrement())
  name  String
  kind  Kind   @default(PERSON)
  books Book[]
}
`
const book = `model Book {
  id       Int    @id @default(autoincrement())
  title    String
  author   Author @relation(fields: [authorId], references: [id])
  authorId Int

  @@index([authorId])
}
`
const kind = 'enum Kind {\n  PERSON\n  COMPANY\n}\n'

describe.each([
  {
    place: 'a folder of files',
    path: 'db/schema',
    files: {
      'db/schema/main.prisma': generators('../generated'),
      'db/schema/kinds.prisma': kind,
      'db/schema/people/author.prisma': author,
      'db/schema/works/book.prisma': book,
    },
  },
  {
    place: 'a file in another folder',
    path: 'db/app.prisma',
    files: { 'db/app.prisma': [generators('./generated'), kind, author, book].join('\n') },
  },
])('a Prisma schema that is $place', ({ path, files }) => {
  let project: Project

  beforeAll(async () => {
    project = await makeProject('example')
    for (const folder of ['prisma', 'src/app']) rmSync(join(project.folder, folder), { recursive: true })
    await project.write('prisma.config.ts', configOf(path))
    for (const [file, text] of Object.entries(files)) await project.write(file, text)
  })
  afterAll(() => project.remove())

  test('is told by doctor before anything is generated', async () => {
    const { code, output } = await project.run(...prismapi, 'doctor')
    expect({ code, output: output.trimEnd() }).toEqual({
      code: 0,
      output: `${path} (sqlite) becomes 2 types
  nothing is missing

  type     model   id       relations
  authors  Author  integer  books: books[]
  books    Book    integer  author: authors`,
    })
  })

  test('is known to the commands that write files', async () => {
    const { code, output } = await project.run(...prismapi, 'policy', 'author')
    expect({ code, output }).toEqual({ code: 0, output: 'created policies/author.policy.ts\n' })
  })

  test('is generated where its generator says', async () => {
    expect(await project.run(prisma, 'generate')).toMatchObject({ code: 0 })
    const { resources } = await import(pathToFileURL(join(project.folder, 'db/generated/resources.ts')).href)
    expect(Object.keys(resources.models)).toEqual(['Author', 'Book'])
    expect(existsSync(join(project.folder, 'db/generated/client/client.ts'))).toBe(true)
  })

  test('is migrated', async () => {
    expect(await project.run(prisma, 'migrate', 'dev', '--name', 'first')).toMatchObject({ code: 0 })
    expect(readdirSync(join(project.folder, 'db/migrations'))).toContainEqual(expect.stringMatching(/^\d+_first$/))
    const database = new Sqlite(join(project.folder, 'places.db'), { readonly: true })
    const tables = database.prepare(
      `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_%' ESCAPE '\\'`,
    )
    expect(tables.pluck().all()).toEqual(expect.arrayContaining(['Author', 'Book']))
    database.close()
    const status = await project.run(prisma, 'migrate', 'status')
    expect(status).toMatchObject({ code: 0, output: expect.stringContaining('Database schema is up to date') })
  })
})

describe('a Prisma schema of 200 models and 2,000 fields', () => {
  let project: Project

  beforeAll(async () => {
    project = await makeProject('example')
    await project.write('prisma/schema.prisma', largeSchema())
  })
  afterAll(() => project.remove())

  test('is told whole', async () => {
    const { code, output } = await project.run(...prismapi, 'doctor', '--json')
    expect(code).toBe(0)
    const { types, ...rest } = JSON.parse(output)
    const fields = types.map((type: Record<string, unknown[]>) => [type.attributes?.length, type.relations?.length])
    // Ten each, with the id and the foreign key.
    expect(fields).toEqual(Array.from({ length: 200 }, () => [6, 2]))
    // The example's own classes are about other models.
    const warnings = [
      expect.stringContaining('The start would fail: src/app/v1/comment.schema.ts: no model is called comment'),
    ]
    expect(rest).toEqual({ hidden: [], secrets: [], renamed: [], skipped: [], warnings })
  })
})
