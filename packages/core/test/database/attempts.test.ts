import { unavailable } from '@prismapi/jsonapi/document/errors'
import { describe, expect, test } from 'vitest'
import { keyedLock, retryOnConflict, StaleRow } from '../../src/database/attempts.ts'

/** Work that finds its row changed so many times; what observers were told of it. */
function retrying(conflicts: number, failure: () => Error = () => new StaleRow()) {
  const told: string[] = []
  const observer = { repeated: (cause: string) => void told.push(cause) }
  let runs = 0
  const work = async (): Promise<string> => {
    if (runs++ < conflicts) throw failure()
    return 'written'
  }
  const context = { store: { lock: keyedLock() }, observer } as unknown as Parameters<typeof retryOnConflict>[0]
  return { told, runs: () => runs, done: retryOnConflict(context, 'posts 1', work) }
}

describe('work that writes a row', () => {
  test('runs once where no other request changed the row', async () => {
    const { done, runs, told } = retrying(0)
    expect({ answer: await done, runs: runs(), told }).toEqual({ answer: 'written', runs: 1, told: [] })
  })

  test('runs again from its beginning each time that one did, and observers are told', async () => {
    const { done, runs, told } = retrying(2)
    expect({ answer: await done, runs: runs(), told }).toEqual({
      answer: 'written',
      runs: 3,
      told: ['staleRow', 'staleRow'],
    })
  })

  test('is 503 after eight attempts, with the second to try again in', async () => {
    const { done, runs } = retrying(Number.POSITIVE_INFINITY)
    await expect(done).rejects.toEqual(unavailable(1))
    expect(runs()).toBe(8)
  })

  test.each([1, 2])('ends with any other failure of attempt %i', async (attempt) => {
    let failures = 0
    const failure = () => (++failures === attempt ? new Error('a bug') : new StaleRow())
    const { done, runs } = retrying(Number.POSITIVE_INFINITY, failure)
    await expect(done).rejects.toThrow('a bug')
    expect(runs()).toBe(attempt)
  })
})

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

describe('tasks of one key', () => {
  test('run one at a time, in the order in which they came, past one that fails', async () => {
    const { enqueue } = keyedLock()
    const { seen, work } = journal()
    const results = await Promise.allSettled(['a', 'b', 'c'].map((name) => enqueue('key', work(name))))
    expect(results).toEqual([
      { status: 'fulfilled', value: 'a' },
      { status: 'rejected', reason: new Error('b fails') },
      { status: 'fulfilled', value: 'c' },
    ])
    expect(seen).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
  })

  test('run at once while none waits', async () => {
    const { tryRun } = keyedLock()
    const { seen, work } = journal()
    await Promise.all([tryRun('key', work('a')), tryRun('key', work('c'))])
    expect(seen).toEqual(['a begins', 'c begins', 'a ends', 'c ends'])
  })

  test('wait behind those that wait under that key, until the last of them has ended', async () => {
    const { tryRun, enqueue } = keyedLock()
    const { seen, work } = journal()
    const first = enqueue('key', work('a'))
    await Promise.all([first, tryRun('key', work('c')), tryRun('other', work('d'))])
    expect(seen).toEqual(['d begins', 'a begins', 'd ends', 'a ends', 'c begins', 'c ends'])
    await pause()
    const later = tryRun('key', work('e'))
    expect(seen.at(-1)).toBe('e begins')
    await later
  })

  test('begin beside one that hangs, after its time', async () => {
    const { enqueue } = keyedLock({ turn: 20 })
    const { seen, work } = journal()
    void enqueue('key', () => new Promise(() => {}))
    await Promise.all([enqueue('key', work('a')), enqueue('key', work('c'))])
    expect(seen).toEqual(['a begins', 'a ends', 'c begins', 'c ends'])
  })

  test('run when they have waited long enough, as one does that waits for itself', async () => {
    const { tryRun, enqueue } = keyedLock({ turn: 60_000, patience: 20 })
    expect(await enqueue('key', () => tryRun('key', async () => 'inner'))).toBe('inner')
  })
})
