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

test('the tests that it names are there', () => {
  const named = cells.flatMap(([, , , tests = '']) => tests.split(', '))
  expect(named.length).toBeGreaterThanOrEqual(cells.length)
  const isTest = (name: string) =>
    /^`test\/[\w/-]+\.test\.ts`$/.test(name) && existsSync(path.join(root, name.slice(1, -1)))
  expect(named.filter((name) => !isTest(name))).toEqual([])
})
