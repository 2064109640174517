import { expect, test } from 'vitest'
import { boundedCache } from '../../src/model/memo.ts'

/** The keys for which a cache of that size had to make a value. */
function madeFor(size: number, keys: readonly string[]): string[] {
  const made: string[] = []
  const cache = boundedCache<string>(size)
  for (const key of keys) {
    const value = cache.get(key, () => {
      made.push(key)
      return `value of ${key}`
    })
    expect(value).toBe(`value of ${key}`)
  }
  return made
}

test('a value is made once', () => expect(madeFor(2, ['a', 'b', 'a', 'b', 'a'])).toEqual(['a', 'b']))

test('what is asked for again and again is kept, however much else comes by', () => {
  const keys = Array.from({ length: 20 }, (_, i) => ['often', `once ${i}`]).flat()
  expect(madeFor(2, keys).filter((key) => key === 'often')).toEqual(['often'])
})

test('what was not asked for in a while is forgotten', () => {
  expect(madeFor(1, ['a', 'b', 'c', 'a'])).toEqual(['a', 'b', 'c', 'a'])
})

test('long keys are fewer, and one that is too long is not kept', () => {
  const made: string[] = []
  const cache = boundedCache<string>(100, 10)
  for (const key of ['aaaa', 'bbbb', 'aaaa', 'cccc', 'dddd', 'x'.repeat(11), 'x'.repeat(11)])
    cache.get(key, () => {
      made.push(key)
      return key
    })
  expect(made).toEqual(['aaaa', 'bbbb', 'cccc', 'dddd', 'x'.repeat(11), 'x'.repeat(11)])
})
