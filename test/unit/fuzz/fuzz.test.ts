import fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import { fuzz } from '../../../tools/fuzz/fuzz.ts'
import type { Target } from '../../../tools/fuzz/target.ts'

/** The counters of a parser that looks for a word, letter by letter, as an instrumented file has them. */
const word = 'magic'
let branches: Record<string, number[]>
beforeEach(() => {
  branches = Object.fromEntries([...word].map((_, i) => [i, [0]]))
  Object.assign(globalThis, { __coverage__: { 'parser.ts': { f: { 0: 0 }, b: branches } } })
})

const letters =
  (isCounted: boolean, fails: () => void): Target['check'] =>
  (text) => {
    for (const [i, letter] of [...word].entries()) {
      if (text[i] !== letter) return
      if (isCounted) (branches[i] as number[])[0] = 1
    }
    fails()
  }

const target = (check: Target['check']): Target => ({
  name: 'letters',
  words: [],
  inputs: fc.string({ maxLength: 3 }),
  check,
})
const asked = { seconds: 0.5, seed: 3 }

test('a fault behind one letter after the other is found, since each takes a new way; the input is made small', () => {
  const fails = () => {
    throw new TypeError('magic')
  }
  const { finding, kept } = fuzz(target(letters(true, fails)), { ...asked, seconds: 30 })
  expect([finding?.input, String(finding?.error)]).toEqual(['magic', 'TypeError: magic'])
  expect(kept).toBeGreaterThanOrEqual(word.length - 1)
})

test('without counters nothing leads there', () => {
  const { finding, inputs, coverage } = fuzz(target(letters(false, () => {})), asked)
  expect([finding, coverage.features]).toEqual([null, 0])
  expect(inputs).toBeGreaterThan(100)
})

test('an input that takes a second of the processor is a finding', () => {
  const slow = (text: string) => {
    if (text.length === 0) return
    const start = process.cpuUsage()
    for (let spent = 0; spent < 1_100_000; ) {
      const { user, system } = process.cpuUsage(start)
      spent = user + system
    }
  }
  const { finding } = fuzz(target(slow), asked)
  expect([finding?.input.length, finding?.error.message]).toEqual([
    1,
    expect.stringMatching(/^It takes \d{4,} ms of CPU$/),
  ])
})

test('an input that only waits, as every one does on a busy machine, is none', () => {
  let waited = false
  const waits = (text: string) => {
    if (waited || text.length === 0) return
    waited = true
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1100)
  }
  expect([fuzz(target(waits), asked).finding, waited]).toEqual([null, true])
})

test('nothing instrumented is an error, and no fuzzing', () => {
  Object.assign(globalThis, { __coverage__: {} })
  expect(() =>
    fuzz(
      target(() => {}),
      asked,
    ),
  ).toThrow('Nothing is instrumented: start it by npm run fuzz.')
})
