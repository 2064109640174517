import { isPromise } from '@prismapi/jsonapi/model/awaitable'

// A transaction has one connection, and a connection has one role at a time.

/** Turns of the operations of one transaction: the caller's go on beside each other, those of the system alone. */
export class Turns {
  #alone: Promise<unknown> = Promise.resolve()
  readonly #beside = new Set<Promise<unknown>>()

  beside<T>(work: () => PromiseLike<T>): Promise<T> {
    const done = this.#alone.then(work)
    this.#beside.add(done)
    const end = () => void this.#beside.delete(done)
    done.then(end, end)
    return done
  }

  alone<T>(work: () => PromiseLike<T>): Promise<T> {
    const done = Promise.allSettled([this.#alone, ...this.#beside]).then(work)
    this.#alone = done.catch(() => {})
    return done
  }
}

/** Has an operation begin in its turn. */
type Turn = <T>(operation: () => PromiseLike<T>) => Promise<T>

/** The same client, whose operations wait for their turns. */
export const inTurn = <Client extends object>(client: Client, turn: Turn): Client =>
  new Proxy(client, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      if (typeof name !== 'string') return member
      if (typeof member === 'function')
        return (...args: readonly unknown[]) => {
          const call = () => member.apply(target, args)
          if (name !== '$transaction') return waiting(call(), turn)
          // One within has one role from its beginning to its end; of a list, each operation waits for its turn.
          return typeof args[0] === 'function' ? turn(call) : call()
        }
      return typeof member === 'object' && member !== null && 'findMany' in member ? inTurn(member, turn) : member
    },
  })

/**
 * An operation of Prisma begins when its caller waits for it, and so does the one that it leads to
 * (`findUnique(…).author()`).
 */
function waiting(operation: unknown, turn: Turn): unknown {
  if (!isPromise(operation)) return operation
  return new Proxy(operation, {
    get(target, name) {
      if (name === 'then' || name === 'catch' || name === 'finally')
        return (...args: readonly never[]) => (turn(() => target)[name] as (...given: never[]) => unknown)(...args)
      // Prisma would begin those of `$transaction([…])` by it; without it, it waits for each.
      if (name === 'requestTransaction') return undefined
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== 'function') return member
      return (...args: readonly unknown[]) => waiting(member.apply(target, [...args]), turn)
    },
  })
}
