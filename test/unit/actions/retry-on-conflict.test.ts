import { describe, expect, test } from 'vitest'
import { retryOnConflict } from '../../../src/actions/retry-on-conflict.ts'
import { keyedLock } from '../../../src/database/keyed-lock.ts'
import { unavailable } from '../../../src/document/errors.ts'
import { StaleRow } from '../../../src/write/write.ts'

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
