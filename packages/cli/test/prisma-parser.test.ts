import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { testedVersions, versionWarnings } from '../src/doctor/command.ts'
import { prismaManifest } from '../src/prisma/parser.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'majors-'))
})
afterEach(() => rmSync(root, { recursive: true }))

/** An installed package with nothing in it but its name and version. */
function install(path: string, version: string): string {
  const file = join(root, 'node_modules', path, 'package.json')
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify({ name: path, version }))
  return file
}
const found = () => prismaManifest(pathToFileURL(join(root, 'index.js')).href)

test.each(['7.8.0', '7.10.1'])('Prisma %s reads the schema', (version) => {
  expect(found()).toBeNull()
  const prisma = install('prisma', version)
  expect(found()).toBe(prisma)
})

test.each(['6.19.0', '8.0.0-rc.19', '8.0.0'])('beside Prisma %s alone, one line says what to install', (version) => {
  install('prisma', version)
  expect(found).toThrow(
    `prismapi reads the schema with Prisma 7, and prisma ${version} is installed. Run npm install --save-dev prisma@7, or, to keep it, npm install --save-dev @prisma/prisma7.`,
  )
})

test('beside Prisma 8, the Prisma 7 that its own package brings reads the schema', () => {
  install('prisma', '8.0.0')
  install('@prisma/prisma7', '7.10.0')
  const prisma = install('@prisma/prisma7/node_modules/prisma', '7.10.0')
  expect(found()).toBe(prisma)
})

test.each(testedVersions)('doctor has no word for Prisma %s', (version) => {
  expect(versionWarnings(install('prisma', version))).toEqual([])
})

test('doctor names the tested versions where another one is installed', () => {
  expect(versionWarnings(install('prisma', '7.11.0'))).toEqual([
    'Prisma 7.11.0 is installed. prismapi is tested with 7.8.0, 7.9.1, 7.10.0, 7.10.1.',
  ])
})
