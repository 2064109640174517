import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { runPrisma } from '@prismapi/cli/prisma/run-prisma'
import { afterAll, expect, test, vi } from 'vitest'

const root = mkdtempSync(path.join(tmpdir(), 'prismapi-run-prisma-'))
symlinkSync(path.resolve(import.meta.dirname, '../../node_modules'), path.join(root, 'node_modules'), 'dir')
writeFileSync(path.join(root, 'package.json'), '{}')
afterAll(() => {
  vi.unstubAllEnvs()
  rmSync(root, { recursive: true })
})
// Prisma fetches an engine where none is named; what is asked here needs none.
vi.stubEnv('PRISMA_SCHEMA_ENGINE_BINARY', process.execPath)

const otherwise =
  'The command line of Prisma is started or ends otherwise than packages/cli/src/prisma/run-prisma.ts does.'
const database = 'datasource db {\n  provider = "sqlite"\n}\n'

test('a command that succeeds complains of nothing, and one that fails says why', async () => {
  writeFileSync(path.join(root, 'schema.prisma'), `${database}model Tag {\n  id Int @id\n}\n`)
  expect(await runPrisma(root, 'validate'), otherwise).toBeNull()
  writeFileSync(path.join(root, 'schema.prisma'), `${database}model Tag {\n`)
  expect(await runPrisma(root, 'validate'), otherwise).toContain('schema.prisma')
})
