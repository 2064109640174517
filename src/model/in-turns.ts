import { setImmediate as turn } from 'node:timers/promises'

/** So long may parts of one piece of work keep the event loop from everything else. */
const turnMilliseconds = 20

/** Gives everything else its turn after work that began at that time of `performance.now()` and has kept the event loop for more than 20 ms. */
export const turnAfter = (began: number): Promise<void> | null =>
  performance.now() - began > turnMilliseconds ? turn() : null

/**
 * The parts of a long piece of work, one after the other. SQLite answers without waiting, so nothing else lets the process answer others
 * meanwhile: when the parts have taken more than 20 ms, everything else has its turn before the next one.
 *
 * @example
 * for await (const some of inTurns(chunked(keys))) await look(some)
 */
export async function* inTurns<T>(parts: Iterable<T>): AsyncGenerator<T, void, undefined> {
  let began = performance.now()
  for (const part of parts) {
    const others = turnAfter(began)
    if (others) {
      await others
      began = performance.now()
    }
    yield part
  }
}
