import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStudios, type Studios, studiosFiles } from '../../support/studios/open.ts'

const root = path.resolve(import.meta.dirname, '../../..')
const files = studiosFiles()
let studios: Studios
beforeAll(async () => {
  studios = await openStudios('sqlite')
})
afterAll(() => studios?.close())

test('the application has at most 1,200 lines, without any and module state', () => {
  const lines = files.flatMap(({ text }) => text.trimEnd().split('\n'))
  expect(lines.length).toBeLessThanOrEqual(1200)
  expect(lines.filter((line) => /\bglobalThis\b|\bany\b|^let /.test(line))).toEqual([])
})

test('it imports what is published, and what is its own', () => {
  const imports = files.flatMap(({ text }) => [...text.matchAll(/from '([^'.]+)'/g)].map(([, name]) => name))
  expect([...new Set(imports)].sort()).toEqual([
    ...['jose', 'koa', 'koa-body', 'node:crypto', 'node:fs', 'node:fs/promises', 'node:path', 'pino'],
    ...['prismapi', 'prismapi/postgres', 'prismapi/rules', 'prismapi/types'],
  ])
})

test('it compiles', async () => {
  const include = ['src', 'policies', 'requests', 'prisma/generated/resources.ts']
  const config = { extends: '../../tsconfig.json', include, exclude: [] }
  writeFileSync(path.join(studios.folder, 'tsconfig.json'), JSON.stringify(config))
  const compiler = path.join(root, 'node_modules/.bin/tsc')
  const said = await new Promise((resolve) => {
    execFile(compiler, ['-p', studios.folder, '--pretty', 'false'], { cwd: root }, (_, stdout) => resolve(stdout))
  })
  expect(said).toBe('')
})

test('the sentences about its policies hold, and doctor has nothing to warn of', async () => {
  const { code, said, complained } = await studios.prismapi('policies', 'assert')
  expect({ code, complained }).toEqual({ code: 0, complained: '' })
  expect(said.split('\n').filter((line) => !line.startsWith('holds '))).toEqual([])
  const { warnings } = JSON.parse((await studios.prismapi('doctor', '--json')).said)
  expect(warnings).toEqual([])
})
