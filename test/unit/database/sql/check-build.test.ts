import { expect, test } from 'vitest'
import { aborts, checkBuild, refusal } from '../../../../src/database/sql/databases/check-build.ts'
import { read } from '../../../support/documentation/pages.ts'

const compiledWith = (symbol: string) => Buffer.from(`\x7fELF\0_ZN4node28${symbol}EPN2v87IsolateE\0`)
const unsound = compiledWith('RemoveEnvironmentCleanupHook')
const sound = compiledWith('AddEnvironmentCleanupHook')

test.each([
  ['24.19.0', unsound, true],
  ['24.18.1', unsound, true],
  ['24.21.0', sound, false],
  ['22.23.3', unsound, false],
  ['26.10.0', unsound, false],
  ['24.21.0', null, false],
])('Node %s with an addon of that kind: aborts is %s', (node, addon, expected) => {
  expect(aborts(node, addon)).toBe(expected)
})

test('what these tests run on is not refused', () => {
  expect(checkBuild()).toBe(undefined)
})

test('docs/databases.md shows the refusal', () => {
  expect(read('docs/databases.md')).toContain(`\n${refusal}\n`)
})
