/** Who waits for whom, where many write the same thing: one queue for each key, and none where nobody waits. */
export interface Queues {
  /**
   * Does the work at once; where others wait under the key, behind them, or newcomers would always be faster than they. Who
   * has waited long enough goes ahead.
   */
  pass<T>(key: string, work: () => Promise<T>): Promise<T>
  /** Does the work when it is its turn: one after the other, in the order in which they came. One that fails keeps up nobody. */
  wait<T>(key: string, work: () => Promise<T>): Promise<T>
}

/** What hangs has had its turn after so many milliseconds, and the next one begins beside it. */
const turnMilliseconds = 500
const patienceMilliseconds = 2000

export function queues({ turn = turnMilliseconds, patience = patienceMilliseconds } = {}): Queues {
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
    wait: (key, work) => after(key, last.get(key) ?? Promise.resolve(), work),
    pass(key, work) {
      const before = last.get(key)
      return before ? after(key, atMost(patience, before), work) : work()
    },
  }
}

/** Waits for it to end, well or not, but no longer than that. */
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
