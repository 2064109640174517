import { expect, test } from 'vitest'
import { read } from '../../../test/support/documentation/pages.ts'
import { checkBuild, refusalOf, refusals } from '../src/databases/check-build.ts'

const compiledWith = (symbol: string) => Buffer.from(`\x7fELF\0_ZN4node28${symbol}EPN2v87IsolateE\0`)
const unsound = compiledWith('RemoveEnvironmentCleanupHook')
const sound = compiledWith('AddEnvironmentCleanupHook')

test.each([
  ['24.19.0', '12.11.1', unsound, refusals.compiled],
  ['24.18.1', '12.11.1', unsound, refusals.compiled],
  ['24.21.0', '12.11.1', sound, null],
  ['22.23.3', '12.11.1', unsound, null],
  ['26.10.0', '12.11.1', unsound, null],
  ['24.21.0', '13.2.0', null, null],
  ['22.23.3', '13.2.0', null, null],
  ['20.20.2', '12.11.1', unsound, null],
  ['20.20.2', '13.2.0', null, refusals.tooNew],
])('Node %s with better-sqlite3 %s and an addon of that kind', (node, version, addon, refusal) => {
  expect(refusalOf(node, { version, addon })).toBe(refusal)
})

test('what these tests run on is not refused', () => {
  expect(checkBuild()).toBe(undefined)
})

test.each(Object.entries(refusals))('docs/databases.md shows the refusal: %s', (_, refusal) => {
  expect(read('docs/databases.md')).toContain(`\n${refusal}\n`)
})
