import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { run } from '../src/run.ts'

const repository = resolve(import.meta.dirname, '../../..')
let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'prismapi-resources-'))
  mkdirSync(join(root, 'prisma'))
  cpSync(join(repository, 'prisma/schema.prisma'), join(root, 'prisma/schema.prisma'))
})
afterEach(() => rmSync(root, { recursive: true }))

async function prismapi(line: string) {
  const lines: string[] = []
  const say = (text: string) => void lines.push(text)
  const status = await run(line.split(' '), root, { say, complain: say, paint: (_colour, text) => text })
  return { status, said: lines.join('\n') }
}

test('it writes what prisma generate writes of the same schema, byte for byte', async () => {
  const file = 'prisma/generated/resources.ts'
  expect(await prismapi(`resources --out=${file}`)).toEqual({ status: 0, said: `written ${file}` })
  expect(readFileSync(join(root, file), 'utf8')).toBe(readFileSync(join(repository, file), 'utf8'))
})

test('a schema without the generator: it says how to name the file', async () => {
  expect(await prismapi('resources')).toEqual({
    status: 1,
    said: 'error prisma/schema.prisma: no generator has the provider "prisma-generator-resources" and an output. Name the file: --out=prisma/generated/resources.ts.',
  })
})
