import { expect, test } from 'vitest'
import { toldBy } from '../../../scripts/nightly/told.ts'

test('the tests of all runs of vitest in a job are counted together', () => {
  const log = [
    ' Test Files  1 failed | 4 passed (5)',
    '\u001b[2m      Tests \u001b[22m 2 failed | 30 passed | 1 skipped (33)',
    'Something else',
    '      Tests  5 passed (5)',
    '   Duration  1.2s',
  ].join('\n')
  expect(toldBy(log).tests).toEqual({ run: 37, failed: 2 })
})

test('a job without tests has no counts', () => {
  expect(toldBy('{ "lost": [] }\n').tests).toBeNull()
})

test('lines that name a seed are kept from wherever they are, each once', () => {
  const log = `Seed 7: repeat it with --seed 7.\n${'.\n'.repeat(500)}Random filters: FC_SEED=8, 100 of them\nSeed 7: repeat it with --seed 7.\n`
  expect(toldBy(log).seeds).toEqual(['Seed 7: repeat it with --seed 7.', 'Random filters: FC_SEED=8, 100 of them'])
  expect(toldBy('Postgres was seeded: proceed.').seeds).toEqual([])
})

test('the end has the last lines, without colours', () => {
  const lines = Array.from({ length: 100 }, (_, i) => `\u001b[31mline ${i}\u001b[39m`)
  expect(toldBy(`${lines.join('\n')}\n\n`).end.split('\n')).toEqual(
    Array.from({ length: 60 }, (_, i) => `line ${i + 40}`),
  )
})
