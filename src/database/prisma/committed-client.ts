import type { Delegates } from '../store.ts'

/** A Prisma client, as transactions are begun: each generated one has its own type of the client within. */
export interface TransactionalClient {
  $transaction<T>(work: (client: Delegates) => Promise<T>, options?: object): Promise<T>
}

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
 * The client that writes a SQLite file, for work beside requests: each operation is a transaction of its own. On the one
 * connection of the file it would else become a part of another request's transaction, and be undone with it.
 */
export const committedClient = (writer: TransactionalClient): object =>
  new Proxy(writer, {
    get(client, name) {
      const member: unknown = Reflect.get(client, name)
      if (typeof name !== 'string') return member
      if (rawOperations.has(name))
        return (...args: readonly unknown[]) =>
          client.$transaction((inside) => (inside as never as Callable)[name]?.(...args) as Promise<unknown>)
      if (typeof member === 'function') return member.bind(client)
      return isDelegate(member) && !name.startsWith('_') ? queued(client, name, member) : member
    },
  })

const isDelegate = (member: unknown): member is Callable =>
  typeof member === 'object' && member !== null && typeof (member as Partial<Delegates[string]>).findMany === 'function'

const queued = (client: TransactionalClient, model: string, delegate: Callable): object =>
  new Proxy(delegate, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      if (typeof name !== 'string' || typeof member !== 'function') return member
      return (...args: readonly unknown[]) =>
        client.$transaction((inside) => (inside[model] as never as Callable)[name]?.(...args) as Promise<unknown>)
    },
  })
