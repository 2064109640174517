import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { findPrismaConfig } from '@prismapi/cli/prisma/config'
import { prismaManifest } from '@prismapi/cli/prisma/parser'
import { afterAll, expect, test } from 'vitest'

const below = mkdtempSync(path.join(tmpdir(), 'prisma-config-'))
afterAll(() => rmSync(below, { recursive: true }))

const fromPrisma = createRequire(prismaManifest() as string)

test('prisma/config exports what stands in for it', () => {
  expect(
    Object.keys(fromPrisma('prisma/config')).sort(),
    'Applications may import something of prisma/config that packages/cli/src/prisma/config.ts lacks.',
  ).toEqual(['defineConfig', 'env'])
})

const extensions = ['js', 'ts', 'mjs', 'cjs', 'mts', 'cts']

test.each([
  ...extensions.map((extension) => `prisma.config.${extension}`),
  ...extensions.map((extension) => `.config/prisma.${extension}`),
])('Prisma, too, finds its configuration at %s', async (place) => {
  const folder = mkdtempSync(path.join(below, 'at-'))
  const file = path.join(folder, place)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, /c[jt]s$/.test(place) ? 'module.exports = {}\n' : 'export default {}\n')
  const { resolvedPath } = await fromPrisma('@prisma/config').loadConfigFromFile({ configRoot: folder })
  expect(resolvedPath, 'Prisma looks for its configuration elsewhere.').toBe(file)
  expect(findPrismaConfig(folder)).toBe(file)
})
