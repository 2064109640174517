import { execFile, spawn } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Resources } from 'prismapi'
import type { PrismaClientLike } from '../../../src/store/store.ts'
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

/** Runs `prisma generate` on the text of a schema, in a new folder. */
export async function generateIn(folder: string, schema: string): Promise<Generated> {
  const schemaFile = path.join(folder, 'schema.prisma')
  mkdirSync(folder, { recursive: true })
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'))
  writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(schemaFile, schema)
  await prismaGenerate(folder)
  const { resources } = await import(path.join(folder, 'generated/resources.ts'))
  const { PrismaClient } = await import(path.join(folder, 'generated/client/client.ts'))
  return { resources, PrismaClient, schemaFile }
}

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

/** Makes the tables of a schema in an empty database, as `prisma db push` has it done: by the stand-in for the engine. */
export function push(schemaFile: string, url: string): Promise<void> {
  const files = [{ path: schemaFile, content: readFileSync(schemaFile, 'utf8') }]
  const filters = { externalTables: [], externalEnums: [] }
  const request = { jsonrpc: '2.0', id: 1, method: 'schemaPush', params: { schema: { files }, force: false, filters } }
  const engine = spawn(process.execPath, [
    path.join(root, 'scripts/schema-engine.mjs'),
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
      const answer = said.split('\n').find((line) => line.includes('"id":1')) ?? '{}'
      const { result } = JSON.parse(answer)
      if (result?.unexecutable?.length === 0) resolve()
      else reject(new Error(`${schemaFile}: ${said}`))
    })
  })
}
