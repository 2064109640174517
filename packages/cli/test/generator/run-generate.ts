import { execFile } from 'node:child_process'
import { cp, mkdtemp, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../../', import.meta.url))

export interface Run {
  readonly folder: string
  readonly schema: string
  readonly code: number
  readonly output: string
}

/** A copy of a fixture in a folder of its own, from which its types find the packages. */
export async function copyFixture(name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'prismapi-generator-'))
  await cp(join(root, 'test/fixtures/generator', name), join(folder, basename(name)), { recursive: true })
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  return folder
}

/** `prisma generate` as a user runs it: our generator starts from its source, in a process of its own. */
export async function runGenerate(folder: string, name: string): Promise<Run> {
  const schema = join(folder, name)
  const prisma = join(root, 'node_modules/prisma/build/index.js')
  return { folder, schema, ...(await run([prisma, 'generate', '--schema', schema])) }
}

/** In place of the package's own entry, which imports the whole framework: what the generated file needs. */
export const standIn = `
export type * from '${root}packages/jsonapi/src/model/meta.ts'
export type * from '${root}packages/jsonapi/src/condition/column-filters.ts'
export type * from '${root}packages/jsonapi/src/model/prisma-types.ts'
export type * from '${root}packages/jsonapi/src/model/register.ts'
export interface LazyToOne<T> { get(): Promise<T | null> }
export interface LazyToMany<T> { collect(): Promise<T[]> }
export type PolicyAnswer = boolean | Promise<boolean>
`

export function runTsc(project: string): Promise<{ code: number; output: string }> {
  return run([join(root, 'node_modules/typescript/bin/tsc'), '-p', project])
}

function run(args: readonly string[]): Promise<{ code: number; output: string }> {
  // `generate` never starts the schema engine, yet Prisma wants its binary to exist.
  const env = { ...process.env, NO_COLOR: '1', PRISMA_SCHEMA_ENGINE_BINARY: process.execPath }
  return new Promise((resolve) => {
    execFile(process.execPath, [...args], { cwd: root, env }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr })
    })
  })
}
