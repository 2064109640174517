import { isPromise } from '@prismapi/jsonapi/model/awaitable'

// A transaction has one connection, and a connection has one role and one caller at a time.

/** Operations that go on beside each other, on one side. */
interface Group<Side> {
  readonly side: Side
  /** Until then none of them begins. */
  readonly begun: Promise<unknown>
  readonly running: Set<Promise<unknown>>
  /** Whether none has failed. */
  isSound: boolean
}

interface Sides<Side> {
  readonly isSame: (one: Side, other: Side) => boolean
  /** Makes the transaction that of a side, on which nothing runs meanwhile. Nothing is done there where it fails. */
  readonly enter: (side: Side) => Promise<unknown>
}

/** Turns of the operations of one transaction: those of one side go on beside each other, and others wait. */
export class Turns<Side> {
  #last: Group<Side>
  readonly #sides: Sides<Side>

  /** Of a transaction that is on the first side. */
  constructor(first: Side, sides: Sides<Side>) {
    this.#last = groupOf(first, Promise.resolve())
    this.#sides = sides
  }

  take<T>(side: Side, work: () => PromiseLike<T>): Promise<T> {
    const group = this.#groupFor(side)
    const done = group.begun.then(work)
    group.running.add(done)
    const end = () => group.running.delete(done)
    done.then(end, () => {
      group.isSound = false
      end()
    })
    return done
  }

  #groupFor(side: Side): Group<Side> {
    const last = this.#last
    // Where one has failed, a savepoint may have taken the transaction back to another side.
    if (last.isSound && this.#sides.isSame(last.side, side)) return last
    const ended = Promise.allSettled([last.begun, ...last.running])
    this.#last = groupOf(
      side,
      ended.then(() => this.#sides.enter(side)),
    )
    return this.#last
  }
}

function groupOf<Side>(side: Side, begun: Promise<unknown>): Group<Side> {
  // Each operation tells of it.
  begun.catch(() => {})
  return { side, begun, running: new Set(), isSound: true }
}

/** Has an operation begin in its turn. */
export type Turn = <T>(operation: () => PromiseLike<T>) => Promise<T>

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
