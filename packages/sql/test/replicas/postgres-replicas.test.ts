import { expect, test } from 'vitest'
import { shared } from '../../src/replicas/postgres-replicas.ts'

function counter() {
  let asked = 0
  const ends: { resolve(n: number): void; reject(error: Error): void }[] = []
  const ask = shared(
    () =>
      new Promise<number>((resolve, reject) => {
        asked++
        ends.push({ resolve, reject })
      }),
  )
  return { ask, ends, count: () => asked }
}

test('who asks while a question is under way shares the next one', async () => {
  const { ask, ends, count } = counter()
  const first = ask()
  const later = [ask(), ask(), ask()]
  expect(count()).toBe(1)
  ends[0]?.resolve(1)
  expect(await first).toBe(1)
  await Promise.resolve()
  expect(count()).toBe(2)
  ends[1]?.resolve(2)
  expect(await Promise.all(later)).toEqual([2, 2, 2])
})

test('a question that fails fails for those who asked it alone', async () => {
  const { ask, ends } = counter()
  const first = ask()
  const second = ask()
  ends[0]?.reject(new Error('away'))
  await expect(first).rejects.toThrow('away')
  await Promise.resolve()
  ends[1]?.resolve(2)
  expect(await second).toBe(2)
})
