/** Tasks of one key run one at a time where they conflict: a queue for each key, and none while no task waits. */
export interface KeyedLock {
  /**
   * Runs the task at once. Where others wait under the key it waits behind them, or newcomers would always be faster than
   * they; a task that has waited long enough runs all the same.
   */
  tryRun<T>(key: string, work: () => Promise<T>): Promise<T>
  /** Runs the task when those that came before it have ended, well or not. */
  enqueue<T>(key: string, work: () => Promise<T>): Promise<T>
}

/** A hanging task stops blocking the next one after this many milliseconds. */
const turnMilliseconds = 500
/** A task that `tryRun` holds back runs after this many milliseconds. */
const patienceMilliseconds = 2000

export function keyedLock({ turn = turnMilliseconds, patience = patienceMilliseconds } = {}): KeyedLock {
  const last = new Map<string, Promise<void>>()
  const after = <T>(key: string, begin: Promise<void>, work: () => Promise<T>): Promise<T> => {
    const done = begin.then(work)
    const over = begin
      .then(() => atMost(turn, done))
      .then(() => {
        if (last.get(key) === over) last.delete(key)
      })
    last.set(key, over)
    return done
  }
  return {
    enqueue: (key, work) => after(key, last.get(key) ?? Promise.resolve(), work),
    tryRun(key, work) {
      const before = last.get(key)
      return before ? after(key, atMost(patience, before), work) : work()
    },
  }
}

/** Resolves when the work has ended, well or not, and no later than after so many milliseconds. */
function atMost(milliseconds: number, work: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds)
    const end = () => {
      clearTimeout(timer)
      resolve()
    }
    work.then(end, end)
  })
}
