import type { Store } from './store.ts'

/** Lets pieces of work through one at a time, in the order in which they came; one that fails does not keep up the next. */
export function oneAtATime(): Store['inTurn'] {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const done = last.then(work)
    last = done.catch(() => {})
    return done
  }
}
