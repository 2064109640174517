/** A value that is there at once, where its maker needs not wait: waiting costs time even when there is nothing to wait for. */
export type Awaitable<T> = T | Promise<T>

export const isPromise = <T>(value: Awaitable<T>): value is Promise<T> =>
  typeof (value as { then?: unknown } | null | undefined)?.then === 'function'

/** Goes on with a value: at once where it is there. What `work` throws is thrown, or the promise's. */
export const after = <T, U>(value: Awaitable<T>, work: (value: T) => Awaitable<U>): Awaitable<U> =>
  isPromise(value) ? value.then(work) : work(value)

/** All of it, at the same time: at once where nothing has to be waited for. */
export function together<T>(works: readonly (() => Awaitable<T>)[]): Awaitable<readonly T[]> {
  const values = works.map(attempt)
  return values.some(isPromise) ? Promise.all(values) : (values as T[])
}

// What fails at once must not leave alone what is still on its way.
function attempt<T>(work: () => Awaitable<T>): Awaitable<T> {
  try {
    return work()
  } catch (error) {
    return Promise.reject(error)
  }
}
