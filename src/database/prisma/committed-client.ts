import type { Delegates } from '../store.ts'

/** A Prisma client, as transactions are begun: each generated one has its own type of the client within. */
export interface TransactionalClient {
  $transaction<T>(work: (client: Delegates) => Promise<T>, options?: object): Promise<T>
}

/** What each transaction begins with. */
type Begin = (inside: Delegates) => unknown

type Call = (...args: readonly unknown[]) => Promise<unknown>
type Callable = Readonly<Record<string, Call>>

const rawOperations: ReadonlySet<string> = new Set([
  '$queryRaw',
  '$queryRawUnsafe',
  '$executeRaw',
  '$executeRawUnsafe',
  '$queryRawTyped',
])

/**
 * A client for work beside requests whose operations are transactions of their own. On the one connection of a SQLite file they would
 * else become a part of another request's transaction, and be undone with it; in a session, each of them begins by telling it.
 */
export const committedClient = (writer: TransactionalClient, begin: Begin = () => undefined): object =>
  new Proxy(writer, {
    get(client, name) {
      const member: unknown = Reflect.get(client, name)
      if (typeof name !== 'string') return member
      if (name === '$transaction') return transactionOf(client, begin)
      if (rawOperations.has(name))
        return (...args: readonly unknown[]) =>
          client.$transaction(async (inside) => {
            await begin(inside)
            return (inside as never as Callable)[name]?.(...args)
          })
      if (typeof member === 'function') return member.bind(client)
      return isDelegate(member) && !name.startsWith('_')
        ? queued(client, { model: name, delegate: member, begin })
        : member
    },
  })

const isDelegate = (member: unknown): member is Callable =>
  typeof member === 'object' && member !== null && typeof (member as Partial<Delegates[string]>).findMany === 'function'

/** Several operations in a list are Prisma's to begin, and have no session. */
const transactionOf =
  (client: TransactionalClient, begin: Begin) =>
  (work: unknown, options?: object): Promise<unknown> =>
    typeof work === 'function'
      ? client.$transaction(async (inside) => {
          await begin(inside)
          return work(inside)
        }, options)
      : client.$transaction(work as never, options)

interface Queued {
  readonly model: string
  readonly delegate: Callable
  readonly begin: Begin
}

const queued = (client: TransactionalClient, { model, delegate, begin }: Queued): object =>
  new Proxy(delegate, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      if (typeof name !== 'string' || typeof member !== 'function') return member
      return (...args: readonly unknown[]) =>
        client.$transaction(async (inside) => {
          await begin(inside)
          return (inside[model] as never as Callable)[name]?.(...args)
        })
    },
  })
