import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { largeSchema } from '../../../test/support/large-schema.ts'

const root = path.resolve(import.meta.dirname, '../../..')
export const fromSource = ['--conditions=prismapi/source', '--import', import.meta.resolve('tsx')]

const prisma = path.join(root, 'node_modules/prisma/build/index.js')
const client = `generator client {
  provider            = "prisma-client"
  output              = "./generated/client"
  runtime             = "nodejs"
  moduleFormat        = "esm"
  importFileExtension = "ts"
}`
const resources = `generator resources {
  provider = "node ${fromSource.join(' ')} ${path.join(root, 'packages/cli/src/generator/bin.ts')}"
  output   = "./generated"
}`

/** An application of that many models, in a folder of its own. */
export interface ScaleProject {
  readonly folder: string
  /** `prisma generate`, with our generator or with Prisma's alone. */
  generate(schema: 'schema.prisma' | 'alone.prisma'): void
  /** Makes the tables. */
  push(): void
  doctor(): void
  remove(): void
}

export function makeProject(models: number): ScaleProject {
  const folder = mkdtempSync(path.join(tmpdir(), `prismapi-scale-${models}-`))
  mkdirSync(path.join(folder, 'prisma'))
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'))
  const write = (file: string, text: string) => writeFileSync(path.join(folder, file), text)
  write('package.json', '{ "type": "module" }')
  write('prisma.config.ts', `export default { datasource: { url: 'file:./prisma/scale.db' } }`)
  write('prisma/schema.prisma', [client, resources, largeSchema(models)].join('\n\n'))
  write('prisma/alone.prisma', [client, largeSchema(models)].join('\n\n'))
  const run = (...args: readonly string[]) =>
    void execFileSync(process.execPath, [...args], {
      cwd: folder,
      stdio: 'pipe',
      env: {
        ...process.env,
        CHECKPOINT_DISABLE: '1',
        PRISMA_HIDE_UPDATE_MESSAGE: '1',
        PRISMA_SCHEMA_ENGINE_BINARY: path.join(root, 'packages/cli/assets/schema-engine.mjs'),
      },
    })
  return {
    folder,
    generate: (schema) => run(prisma, 'generate', '--no-hints', '--schema', `prisma/${schema}`),
    push: () => run(prisma, 'db', 'push'),
    doctor: () => run(...fromSource, path.join(root, 'packages/cli/src/main.ts'), 'doctor'),
    remove: () => rmSync(folder, { recursive: true }),
  }
}
