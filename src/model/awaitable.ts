/** A value that is there at once, where its maker needs not wait: waiting costs time even when there is nothing to wait for. */
export type Awaitable<T> = T | Promise<T>

export const isPromise = <T>(value: Awaitable<T>): value is Promise<T> =>
  typeof (value as { then?: unknown } | null | undefined)?.then === 'function'
