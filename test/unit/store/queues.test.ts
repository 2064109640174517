import { describe, expect, test } from 'vitest'
import { queues } from '../../../src/store/queues.ts'

const pause = () => new Promise((resolve) => setTimeout(resolve, 1))

function journal() {
  const seen: string[] = []
  const work = (name: string) => async () => {
    seen.push(`${name} begins`)
    await pause()
    seen.push(`${name} ends`)
    if (name === 'b') throw new Error('b fails')
    return name
  }
  return { seen, work }
}

describe('queues', () => {
  test('are passed one at a time, in the order in which they came, past one that fails', async () => {
    const { wait } = queues()
    const { seen, work } = journal()
    const results = await Promise.allSettled(['a', 'b', 'c'].map((name) => wait('key', work(name))))
    expect(results).toEqual([
      { status: 'fulfilled', value: 'a' },
      { status: 'rejected', reason: new Error('b fails') },
      { status: 'fulfilled', value: 'c' },
    ])
    expect(seen).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
  })

  test('keep up nobody while they are empty', async () => {
    const { pass } = queues()
    const { seen, work } = journal()
    await Promise.all([pass('key', work('a')), pass('key', work('c'))])
    expect(seen).toEqual(['a begins', 'c begins', 'a ends', 'c ends'])
  })

  test('are joined by those that come while somebody waits, under that key only, and end with the last of them', async () => {
    const { pass, wait } = queues()
    const { seen, work } = journal()
    const first = wait('key', work('a'))
    await Promise.all([first, pass('key', work('c')), pass('other', work('d'))])
    expect(seen).toEqual(['d begins', 'a begins', 'd ends', 'a ends', 'c begins', 'c ends'])
    await pause()
    const later = pass('key', work('e'))
    expect(seen.at(-1)).toBe('e begins')
    await later
  })

  test('go on beside one that hangs, once it has had its turn', async () => {
    const { wait } = queues({ turn: 20 })
    const { seen, work } = journal()
    void wait('key', () => new Promise(() => {}))
    await Promise.all([wait('key', work('a')), wait('key', work('c'))])
    expect(seen).toEqual(['a begins', 'a ends', 'c begins', 'c ends'])
  })

  test('keep up nobody who has waited long enough, as who waits for himself', async () => {
    const { pass, wait } = queues({ turn: 60_000, patience: 20 })
    expect(await wait('key', () => pass('key', async () => 'inner'))).toBe('inner')
  })
})
