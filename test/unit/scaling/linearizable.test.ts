import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkLinearizable, type Model, type Timed } from '../../../scripts/scaling/failover/linearizable.ts'

/** A register that is written without a look at what it holds. */
interface Asked {
  readonly kind: 'read' | 'write'
  readonly value: string
}
const plain: Model<Asked> = {
  initial: '0',
  step: (state, { kind, value }) => (kind === 'write' ? value : state === value ? state : null),
}
const read = (value: string, calledAt: number, returnedAt: number): Timed<Asked> => ({
  what: { kind: 'read', value },
  calledAt,
  returnedAt,
})
const write = (value: string, calledAt: number, returnedAt: number | null): Timed<Asked> => ({
  what: { kind: 'write', value },
  calledAt,
  returnedAt,
})
const check = (...history: readonly Timed<Asked>[]) => checkLinearizable(history, plain)

test('one operation after the other: a read sees the last write', () => {
  expect(check(write('1', 0, 1), read('1', 2, 3), write('2', 4, 5), read('2', 6, 7)).isLinearizable).toBe(true)
  expect(check().isLinearizable).toBe(true)
})

test('a read of what was overwritten before it was called is a contradiction, and named', () => {
  const stale = read('1', 6, 7)
  expect(check(write('1', 0, 1), write('2', 4, 5), stale)).toMatchObject({
    isLinearizable: false,
    contradiction: stale,
  })
})

test('operations that overlap may have happened in any order', () => {
  expect(check(write('1', 0, 9), read('0', 1, 2), read('1', 3, 4)).isLinearizable).toBe(true)
  expect(check(write('1', 0, 9), write('2', 0, 9), read('1', 10, 11)).isLinearizable).toBe(true)
})

test('but in one order for all: once a new value was read, nobody reads the old one', () => {
  expect(check(write('1', 0, 9), read('1', 1, 2), read('0', 3, 4)).isLinearizable).toBe(false)
})

test('what returns at the instant of a call overlaps it', () => {
  expect(check(read('1', 0, 5), write('1', 5, 6)).isLinearizable).toBe(true)
  expect(check(read('1', 0, 4), write('1', 5, 6)).isLinearizable).toBe(false)
})

test('a write that nobody has heard of again happened at once, late, or never, but not twice', () => {
  const lost = write('1', 0, null)
  expect(check(lost, read('1', 1, 2)).isLinearizable).toBe(true)
  expect(check(lost, read('0', 1, 2), read('1', 3, 4)).isLinearizable).toBe(true)
  expect(check(lost, read('0', 1, 2), read('0', 3, 4)).isLinearizable).toBe(true)
  expect(check(lost, write('2', 3, 4), read('1', 5, 6), read('2', 7, 8)).isLinearizable).toBe(false)
  expect(check(lost, read('1', 1, 2), write('2', 3, 4), read('1', 5, 6)).isLinearizable).toBe(false)
})

test('too many orders are no verdict', () => {
  const lost = Array.from({ length: 40 }, (_, n) => write(`${n}`, 0, null))
  expect(() => check(...lost, read('none', 1, 2))).toThrow(/^More than \d+ orders are possible at once\.$/)
})

/** All orders that respect the time, one after the other; lost writes may be left out. */
function byBruteForce(history: readonly Timed<Asked>[], state = plain.initial): boolean {
  if (history.every(({ returnedAt }) => returnedAt === null)) return true
  const end = (timed: Timed<Asked>) => timed.returnedAt ?? Number.POSITIVE_INFINITY
  return history.some((first) => {
    const others = history.filter((each) => each !== first)
    if (others.some((each) => end(each) < first.calledAt)) return false
    const next = plain.step(state, first.what)
    return next !== null && byBruteForce(others, next)
  })
}

test('it says of random histories what trying all orders says', () => {
  const operation = fc.record({
    kind: fc.constantFrom('read' as const, 'write' as const),
    value: fc.constantFrom('0', '1', '2'),
    calledAt: fc.nat(8),
    takes: fc.nat(5),
    isLost: fc.boolean(),
  })
  const verdicts = { true: 0, false: 0 }
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 6 }), (operations) => {
      const history = operations.map(({ kind, value, calledAt, takes, isLost }) => ({
        what: { kind, value },
        calledAt,
        returnedAt: isLost && kind === 'write' ? null : calledAt + takes,
      }))
      const { isLinearizable } = check(...history)
      verdicts[`${isLinearizable}`]++
      expect(isLinearizable).toBe(byBruteForce(history))
    }),
    { numRuns: 2000 },
  )
  expect(Math.min(verdicts.true, verdicts.false)).toBeGreaterThan(200)
})
