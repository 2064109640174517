import type { KeyedLock } from '../keyed-lock.ts'
import { reasonToRetry } from './database-errors.ts'

const attempts = 8

export interface Repeats {
  /** Where those that run again wait for each other. */
  readonly retries: KeyedLock
  /** Is told why one runs again. */
  readonly onRepeat: (reason: 'serializationFailure' | 'locked') => void
}

// A conflict of two transactions is no failure of either: the later one runs again as a whole. Retries run one at a time; in
// parallel, many writes of one row would keep conflicting.
export async function repeated<T>(run: () => Promise<T>, { retries, onRepeat }: Repeats): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await (tried === 1 ? run() : retries.enqueue('', run))
    } catch (error) {
      const reason = reasonToRetry(error)
      if (tried >= attempts || reason === null) throw error
      onRepeat(reason)
      // The other transaction ends in no time. A locked file may be another process's, in the middle of its work.
      const milliseconds = 20 * (reason === 'serializationFailure' ? tried : 2 ** tried)
      await new Promise((resolve) => setTimeout(resolve, Math.random() * milliseconds))
    }
  }
}
