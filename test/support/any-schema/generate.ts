import { execFile, spawn } from 'node:child_process'
import { copyFileSync, cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { PrismaClientLike } from '@prismapi/core/database/store'
import type { Resources } from 'prismapi'
import { madeOnce } from '../made-once.ts'
import { type FixtureProvider, schemaText } from './fixtures.ts'

const root = path.resolve(import.meta.dirname, '../../..')

/** What `prisma generate` made of a fixture. */
export interface Generated {
  readonly resources: Resources
  readonly PrismaClient: new (options: { adapter: unknown }) => GeneratedClient
  readonly schemaFile: string
}

export interface GeneratedClient extends PrismaClientLike {
  $queryRawUnsafe<T>(query: string): Promise<T>
  $executeRawUnsafe(query: string): Promise<number>
  $disconnect(): Promise<void>
}

/** Runs `prisma generate` on a fixture, in a folder of its own below the one given. */
export const generate = (name: string, provider: FixtureProvider, below: string): Promise<Generated> =>
  generateIn(path.join(below, name), schemaText(name, provider))

/** The client and the resources of a schema, in a new folder; `prisma generate` runs where no test has had that schema before. */
export async function generateIn(folder: string, schema: string): Promise<Generated> {
  const schemaFile = path.join(folder, 'schema.prisma')
  cpSync(await generatedOf(schema), folder, { recursive: true, verbatimSymlinks: true })
  const { resources } = await import(path.join(folder, 'generated/resources.ts'))
  const { PrismaClient } = await import(path.join(folder, 'generated/client/client.ts'))
  return { resources, PrismaClient, schemaFile }
}

/** What decides what a generator writes. */
const generatorFiles = [
  'packages/cli/src/generator',
  'packages/jsonapi/src/model',
  'packages/jsonapi/src/schema/secrets.ts',
  'packages/jsonapi/src/schema/join-model.ts',
  'package-lock.json',
]

const generatedOf = (schema: string): Promise<string> =>
  madeOnce('generated', {
    of: { texts: [schema], files: generatorFiles },
    async make(folder) {
      symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'))
      writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }')
      writeFileSync(path.join(folder, 'schema.prisma'), schema)
      await prismaGenerate(folder)
    },
  })

function prismaGenerate(cwd: string): Promise<void> {
  const cli = path.join(root, 'node_modules/prisma/build/index.js')
  // `generate` never starts the schema engine, yet Prisma wants its binary to exist.
  const env = { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, NO_COLOR: '1' }
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [cli, 'generate', '--schema', 'schema.prisma'], { cwd, env }, (error, stdout, stderr) =>
      error ? reject(new Error(stdout + stderr)) : resolve(),
    )
  })
}

/** A new SQLite file with the tables of a schema, which are made where no test has had that schema before. */
export async function copyTables(schemaFile: string, file: string): Promise<void> {
  const made = await madeOnce('tables', {
    of: {
      texts: [readFileSync(schemaFile, 'utf8')],
      files: ['packages/cli/assets/schema-engine', 'package-lock.json'],
    },
    make: (folder) => push(schemaFile, `file:${path.join(folder, 'empty.db')}`),
  })
  copyFileSync(path.join(made, 'empty.db'), file)
}

/** Makes the tables of a schema in an empty database, as `prisma db push` has it done: by the stand-in for the engine. */
export function push(schemaFile: string, url: string): Promise<void> {
  const files = [{ path: schemaFile, content: readFileSync(schemaFile, 'utf8') }]
  const filters = { externalTables: [], externalEnums: [] }
  const request = { jsonrpc: '2.0', id: 1, method: 'schemaPush', params: { schema: { files }, force: false, filters } }
  const engine = spawn(process.execPath, [
    path.join(root, 'packages/cli/assets/schema-engine.mjs'),
    ...['--datamodels', schemaFile, '--datasource', JSON.stringify({ url })],
  ])
  engine.stdin.end(`${JSON.stringify(request)}\n`)
  let said = ''
  engine.stdout.on('data', (text) => {
    said += text
  })
  return new Promise((resolve, reject) => {
    engine.on('error', reject)
    engine.on('close', () => {
      const answer = said.split('\n').find((line) => line.includes('"id":1,')) ?? '{}'
      const { result } = JSON.parse(answer)
      if (result?.unexecutable?.length === 0) resolve()
      else reject(new Error(`${schemaFile}: ${said}`))
    })
  })
}
