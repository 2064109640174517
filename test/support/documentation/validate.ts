import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Fence, placeOf } from './fences.ts'
import { root } from './pages.ts'

// PostgreSQL has every type that a page may use.
const datasource = 'datasource db {\n  provider = "postgresql"\n}\n'

/** What Prisma says against models of a page; nothing where they are a schema. */
export async function validate(
  fence: Pick<Fence, 'page' | 'line' | 'code'>,
): Promise<{ place: string; errors: string }> {
  const folder = mkdtempSync(path.join(tmpdir(), 'prismapi-schema-'))
  const file = path.join(folder, 'schema.prisma')
  writeFileSync(file, (/^datasource /m.test(fence.code) ? '' : datasource) + fence.code)
  const cli = path.join(root, 'node_modules/prisma/build/index.js')
  // `validate` never starts the schema engine, yet Prisma wants its binary to exist.
  const env = { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, NO_COLOR: '1', CHECKPOINT_DISABLE: '1' }
  const args = [cli, 'validate', '--schema', file]
  return new Promise((done) => {
    execFile(process.execPath, args, { cwd: folder, env }, (error, stdout, stderr) => {
      rmSync(folder, { recursive: true })
      done({ place: placeOf(fence), errors: error ? stdout + stderr : '' })
    })
  })
}
