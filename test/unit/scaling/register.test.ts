import { expect, test } from 'vitest'
import { checkLinearizable } from '../../../scripts/scaling/failover/linearizable.ts'
import { type Exchange, historyOf, register, versionIn } from '../../../scripts/scaling/failover/register.ts'

const at = (sentAt: number, answeredAt = sentAt + 1) => ({ sentAt, answeredAt })
const get = (when: object, version: string, value: string) =>
  ({ method: 'GET', status: 200, shown: { version, value }, ...when }) as Exchange
const patch = (when: object, expected: string, written: string, status: number | null, version = '') =>
  ({
    method: 'PATCH',
    status,
    expected,
    written,
    ...when,
    ...(status === 200 && { shown: { version, value: written } }),
  }) as Exchange

const check = (...exchanges: readonly Exchange[]) => checkLinearizable(historyOf(exchanges), register('1'))

test('the version is what stands before the digest in an entity tag', () => {
  expect(versionIn('"2024-02-01T00:01:00.000Z/Xk3-_"')).toBe('2024-02-01T00:01:00.000Z')
  expect(() => versionIn('W/"Xk3"')).toThrow('W/"Xk3" is no entity tag with a version.')
})

test('exchanges become operations: what was refused, what nobody knows of, and what was only asked', () => {
  const [read, failed] = [get(at(0), '1', 'a'), { method: 'GET', status: 503, ...at(2) } as const]
  const lost = [patch(at(4), '1', 'b', 503), patch(at(6), '1', 'c', null)]
  const refused = patch(at(8), '1', 'd', 412)
  const seen = get(at(10), '2', 'c')
  expect(historyOf([read, failed, ...lost, refused, seen]).map(({ what, returnedAt }) => [what, returnedAt])).toEqual([
    [{ kind: 'read', version: '1', value: 'a' }, 1],
    [{ kind: 'write', expected: '1', value: 'b', version: 'that nobody saw, of 2' }, null],
    [{ kind: 'write', expected: '1', value: 'c', version: '2' }, null],
    [{ kind: 'refused', expected: '1' }, 9],
    [{ kind: 'read', version: '2', value: 'c' }, 11],
  ])
})

test('writes of one version after the other, refused ones between them', () => {
  const history = [
    get(at(0), '1', 'a'),
    patch(at(2), '1', 'b', 200, '2'),
    patch(at(4), '1', 'c', 412),
    patch(at(6), '2', 'd', 200, '3'),
    get(at(8), '3', 'd'),
  ]
  expect(check(...history).isLinearizable).toBe(true)
})

test('planted: two writes of one version are both acknowledged', () => {
  const late = patch(at(4), '1', 'c', 200, '3')
  const { isLinearizable, contradiction } = check(patch(at(2), '1', 'b', 200, '2'), late)
  expect([isLinearizable, contradiction?.what]).toEqual([
    false,
    { kind: 'write', expected: '1', value: 'c', version: '3' },
  ])
})

test('planted: an acknowledged write is lost when another server takes over', () => {
  expect(check(patch(at(2), '1', 'b', 200, '2'), get(at(4), '1', 'a')).isLinearizable).toBe(false)
  expect(check(patch(at(2), '1', 'b', 200, '2'), patch(at(4), '2', 'c', 412)).isLinearizable).toBe(false)
})

test('a write that was answered by 503 is done, late or never, and its version is known where it was read', () => {
  const lost = patch(at(2), '1', 'b', 503)
  expect(check(lost, get(at(4), '2', 'b'), patch(at(6), '2', 'c', 200, '3')).isLinearizable).toBe(true)
  expect(check(lost, get(at(4), '1', 'a'), patch(at(6), '1', 'c', 200, '3')).isLinearizable).toBe(true)
  expect(check(lost, patch(at(6), '1', 'c', 412)).isLinearizable).toBe(true)
  expect(check(lost, get(at(4), '2', 'b'), get(at(6), '1', 'a')).isLinearizable).toBe(false)
  expect(check(patch(at(6), '1', 'c', 412)).isLinearizable).toBe(false)
})

test('a version that had two values, and a value that had two versions, are errors by themselves', () => {
  expect(() => check(get(at(0), '1', 'a'), get(at(2), '1', 'b'))).toThrow('b was shown as the version 1, and also: a.')
  expect(() => check(get(at(0), '1', 'a'), get(at(2), '2', 'a'))).toThrow('a was shown as the version 2, and also: 1.')
})

test('the answer to a write may show a later one, if that one could have come by then', () => {
  const shownLater = { ...patch(at(0, 5), '1', 'b', 200, '2'), shown: { version: '3', value: 'c' } }
  const seen = get(at(1), '2', 'b')
  expect(check(shownLater, seen, patch(at(3), '2', 'c', 200, '3')).isLinearizable).toBe(true)
  expect(check(shownLater, seen, patch(at(7), '2', 'c', 200, '3')).isLinearizable).toBe(false)
})

/** Clients of a register that does one operation after the other, each at an instant within its exchange. */
function simulated(clients: number, rounds: number): Exchange[] {
  let [version, value] = [1, 'a']
  const exchanges: Exchange[] = []
  for (let round = 0; round < rounds; round++) {
    const from = round * 10
    // All ask at one time: the first of them changes it, the others come too late. In one round of fifty nobody hears anything.
    const winner = round % clients
    const expected = `${version}`
    exchanges.push(...Array.from({ length: clients }, () => get(at(from, from + 4), expected, value)))
    const written = Array.from({ length: clients }, (_, client) => `${round} ${client}`)
    version++
    value = written[winner] as string
    for (const [client, each] of written.entries()) {
      const status = round % 50 === 49 ? 503 : client === winner ? 200 : 412
      exchanges.push(patch(at(from + 5, from + 9), expected, each, status, `${version}`))
    }
  }
  return exchanges
}

test('a long history with a hundred writes that nobody has heard of is looked through; one stale read is found', () => {
  const history = simulated(4, 1500)
  const good = check(...history)
  expect([history.length, good.isLinearizable]).toEqual([12_000, true])
  expect(good.widest).toBeLessThan(1000)
  const stale = get(at(15_000), '5', '3 3')
  expect(check(...history, stale)).toMatchObject({ isLinearizable: false })
})
