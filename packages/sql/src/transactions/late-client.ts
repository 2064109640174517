import { isPromise } from '@prismapi/jsonapi/model/awaitable'

/** What a transaction's client has not. */
const withheld: ReadonlySet<string> = new Set(['$connect', '$disconnect', '$on', '$use', '$extends'])

const begin = Symbol('begin')

/** An operation that is known how to begin by a client. */
interface Late {
  readonly [begin]?: (client: object) => unknown
}

/**
 * The client of a transaction, which is made for the first operation that somebody waits for. It looks like another
 * client, whose own operations are never begun.
 */
export const lateClient = <Client extends object>(like: Client, made: () => Promise<Client>): Client =>
  new Proxy(like, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      if (typeof name !== 'string') return member
      if (withheld.has(name)) return undefined
      if (name === '$transaction') return (...args: readonly unknown[]) => transactionOf(args, made)
      if (typeof member === 'function') return operationOf(target, name, { owner: (client) => client, made })
      const isDelegate = typeof member === 'object' && member !== null && 'findMany' in member
      return isDelegate ? lateDelegate(member, name, made) : member
    },
  })

const lateDelegate = (delegate: object, model: string, made: () => Promise<object>): object =>
  new Proxy(delegate, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      if (typeof name !== 'string' || typeof member !== 'function') return member
      return operationOf(target, name, { owner: (client) => Reflect.get(client, model), made })
    },
  })

interface Owned {
  /** Whose operation it is. */
  readonly owner: (client: object) => object
  readonly made: () => Promise<object>
}

type Member = (...args: unknown[]) => unknown

const operationOf =
  (like: object, name: string, { owner, made }: Owned): Member =>
  (...args) => {
    const example = call(like, name, args)
    return isPromise(example) ? late(example, (client) => call(owner(client), name, args), made) : example
  }

const call = (owner: object, name: string, args: readonly unknown[]): unknown =>
  (Reflect.get(owner, name) as Member).apply(owner, [...args])

/** An operation begins when its caller awaits it, and so does the one behind it (`findUnique(…).author()`). */
function late(example: object, beginBy: (client: object) => unknown, made: () => Promise<object>): unknown {
  let begun: Promise<unknown> | null = null
  const result = (): Promise<unknown> => {
    begun ??= made().then(beginBy)
    return begun
  }
  return new Proxy(example, {
    get(target, name) {
      if (name === begin) return beginBy
      if (name === 'then' || name === 'catch' || name === 'finally')
        return (...args: readonly never[]) => (result()[name] as (...given: never[]) => unknown)(...args)
      // Prisma would begin those of `$transaction([…])` by it; without it, it waits for each.
      if (name === 'requestTransaction') return undefined
      const member: unknown = Reflect.get(target, name)
      if (typeof name !== 'string' || typeof member !== 'function') return member
      return (...args: readonly unknown[]) => {
        const next = member.apply(target, [...args])
        return isPromise(next) ? late(next, (client) => call(beginBy(client) as object, name, args), made) : next
      }
    },
  })
}

/** One within the transaction. Of a list, each operation is begun by the client itself. */
async function transactionOf([work, ...options]: readonly unknown[], made: () => Promise<object>): Promise<unknown> {
  const client = await made()
  const own = Array.isArray(work) ? work.map((each: Late) => each[begin]?.(client) ?? each) : work
  return call(client, '$transaction', [own, ...options])
}
