import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')
const [, model = ''] = readFileSync(path.join(root, 'SECURITY.md'), 'utf8').split('\n## Threat model\n')
const [, ...lines] = model.split('\n').filter((line) => line.startsWith('| '))
const cells = lines.map((line) =>
  line
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim()),
)

test('each line of the threat model says who, what, and which tests show it', () => {
  expect(new Set(cells.map(([who]) => who))).toEqual(
    new Set(['a guest', 'a member', 'another tenant', 'an administrator', 'an operator', 'the network']),
  )
  expect(cells.filter((line) => line.length !== 4 || line.includes(''))).toEqual([])
})

const named = cells.flatMap(([, , , tests = '']) => tests.split(', '))

test('the tests that it names are there', () => {
  expect(named.length).toBeGreaterThanOrEqual(cells.length)
  const isTest = (name: string) =>
    /^`test\/[\w/-]+\.test\.ts`$/.test(name) && existsSync(path.join(root, name.slice(1, -1)))
  expect(named.filter((name) => !isTest(name))).toEqual([])
})

test('each of them is in a folder that a project of vitest.config.ts runs', () => {
  const config = readFileSync(path.join(root, 'vitest.config.ts'), 'utf8')
  const called = config.matchAll(/\b(?:testsIn|inPart|withPackages|onDatabase)\((?:'\w+', '[\w-]+', )?'([^']+)'/g)
  const folders = [...called].flatMap(([, text = '']) => text.replace(/[{}]/g, '').split(','))
  expect(folders).toEqual(expect.arrayContaining(['unit', 'spec', 'guarded', 'documentation']))
  expect(named.filter((name) => !folders.some((folder) => name.startsWith(`\`test/${folder}/`)))).toEqual([])
})
