import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { cutClientDescription } from '@prismapi/cli/prisma/generator-protocol'
import type { DMMF, GeneratorOptions } from '@prismapi/cli/prisma/schema-description'
import { readPrismaSchema } from '@prismapi/cli/prisma-schema'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')

/** A generator that writes down what it is told, and answers as ours does. */
const recorder = `import { appendFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
for await (const line of createInterface({ input: process.stdin })) {
  appendFileSync('told.txt', line + '\\n')
  const { id, method } = JSON.parse(line)
  const result = method === 'getManifest' ? { manifest: { prettyName: 'recorder', defaultOutput: './recorded' } } : null
  process.stderr.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n')
}
`

const schema = `generator client {
  provider = "prisma-client"
  output   = "./generated/client"
}

generator recorder {
  provider = "node recorder.mjs"
  output   = "./generated"
}

datasource db {
  provider = "postgresql"
}

enum Mood {
  /// All is well.
  HAPPY
  SAD   @map("not happy")
}

/// Said of a model.
model Post {
  /// Said of a field.
  id    Int      @id @default(autoincrement())
  title String   @map("the title") @db.VarChar(20)
  mood  Mood     @default(HAPPY)
  at    DateTime @updatedAt
  tags  Tag[]

  @@index([title], type: Hash)
  @@map("posts")
}

model Tag {
  id    String @id @default(uuid(7))
  posts Post[]
}
`

let folder: string
let lines: readonly Buffer[]
let told: GeneratorOptions
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'prisma-generator-'))
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'))
  for (const [name, text] of Object.entries({
    'package.json': '{ "type": "module" }',
    'recorder.mjs': recorder,
    'schema.prisma': schema,
  }))
    writeFileSync(path.join(folder, name), text)
  // `generate` never starts the schema engine, yet Prisma wants its binary to exist.
  const env = { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath }
  const prisma = path.join(root, 'node_modules/prisma/build/index.js')
  await promisify(execFile)(process.execPath, [prisma, 'generate', '--schema', 'schema.prisma'], { cwd: folder, env })
  lines = readFileSync(path.join(folder, 'told.txt'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => Buffer.from(line))
  told = JSON.parse(lines.at(-1)?.toString() ?? '').params
})
afterAll(() => rmSync(folder, { recursive: true }))

test('prisma generate asks a generator for its manifest, and then to generate', () => {
  const requests = lines.map((line) => JSON.parse(line.toString()))
  expect(
    requests.map(({ jsonrpc, method }) => `${jsonrpc} ${method}`),
    'Prisma speaks otherwise to generators than packages/cli/src/prisma/generator-protocol.ts answers.',
  ).toEqual(['2.0 getManifest', '2.0 generate'])
})

test('the description of Prisma Client stands between two members of the request, and is cut out', () => {
  const line = lines.at(-1) as Buffer
  const cut = cutClientDescription(line)
  expect(cut.length, 'It was not cut: large schemas take seconds.').toBeLessThan(line.length / 2)
  const { params } = JSON.parse(cut)
  expect(params.dmmf.schema).toBeUndefined()
  expect({ ...params, dmmf: null }).toEqual({ ...told, dmmf: null })
  expect(params.dmmf.datamodel).toEqual(told.dmmf.datamodel)
})

test('a generator is told what the parser says, with absolute paths and whether the output is its own', async () => {
  const read = await readPrismaSchema(folder)
  const known = [told.generator, ...told.otherGenerators]
  expect(
    read.generators.map(seen).sort(byName),
    'packages/cli/src/prisma-schema.ts does not add what the command line of Prisma adds.',
  ).toEqual(known.map(seen).sort(byName))
  expect(told.schemaPath).toBe(path.join(folder, 'schema.prisma'))
})

type Generator = GeneratorOptions['generator']

/** What is asked of a generator. */
const seen = ({ name, provider, output, config, isCustomOutput, previewFeatures, sourceFilePath }: Generator) => ({
  ...{ name, provider, output, config, isCustomOutput, previewFeatures, sourceFilePath },
})
const byName = (a: { readonly name: string }, b: { readonly name: string }) => (a.name < b.name ? -1 : 1)

test('the description of a schema has what its types do not promise', () => {
  const { models, enums, indexes } = told.dmmf.datamodel
  const [post] = models as readonly DMMF.Model[]
  const fieldOf = (name: string) => post?.fields.find((field) => field.name === name)
  const lacks = 'The description of a schema lacks what resources.ts is made of.'
  expect(enums[0]?.values, lacks).toEqual([
    { name: 'HAPPY', dbName: null, documentation: 'All is well.' },
    { name: 'SAD', dbName: 'not happy' },
  ])
  expect({ documentation: post?.documentation, dbName: post?.dbName, schema: post?.schema }, lacks).toEqual({
    documentation: 'Said of a model.',
    dbName: 'posts',
    schema: null,
  })
  expect(fieldOf('id'), lacks).toMatchObject({
    documentation: 'Said of a field.',
    default: { name: 'autoincrement', args: [] },
  })
  expect(fieldOf('title'), lacks).toMatchObject({ dbName: 'the title', nativeType: ['VarChar', ['20']] })
  expect(fieldOf('at'), lacks).toMatchObject({ isUpdatedAt: true })
  expect(fieldOf('tags'), lacks).toMatchObject({ relationName: 'PostToTag', relationFromFields: [], isList: true })
  expect(models[1]?.fields[0]?.default, lacks).toEqual({ name: 'uuid', args: [7] })
  expect(
    indexes.find(({ type }) => type === 'normal'),
    lacks,
  ).toMatchObject({ model: 'Post', algorithm: 'Hash' })
})
