import type { Delegates } from '../store.ts'
import { Operation, type Work } from './operation.ts'
import { type Repeats, repeated } from './repeated.ts'

/** A Prisma client, as transactions are begun: each generated one has its own type of the client within. */
export interface TransactionalClient {
  $transaction<T>(work: (client: Delegates) => Promise<T>, options?: object): Promise<T>
}

/** What each transaction begins with. */
type Begin = (inside: Delegates) => unknown

/** How its transactions are carried out. */
interface Committing {
  readonly writer: TransactionalClient
  /** How long they wait, and take, unless the application says so; Prisma's options. */
  readonly limits: object
  readonly repeats: Repeats
}

type InTransaction = <T>(work: Work<T>, options?: object) => Promise<T>

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
export function committedClient({ writer, limits, repeats }: Committing, begin: Begin = () => undefined): object {
  const inTransaction: InTransaction = (work, options) => {
    const begun = async (inside: Delegates) => {
      await begin(inside)
      return work(inside)
    }
    return repeated(() => writer.$transaction(begun, { ...limits, ...options }), repeats)
  }
  return new Proxy(writer, {
    get(client, name) {
      const member: unknown = Reflect.get(client, name)
      if (typeof name !== 'string') return member
      if (name === '$transaction') return transactionOf(inTransaction)
      if (rawOperations.has(name)) return operationsOf(name, (inside) => inside, inTransaction)
      if (typeof member === 'function') return member.bind(client)
      return isDelegate(member) && !name.startsWith('_') ? delegateWithin(inTransaction, name, member) : member
    },
  })
}

const isDelegate = (member: unknown): member is Callable =>
  typeof member === 'object' && member !== null && typeof (member as Partial<Delegates[string]>).findMany === 'function'

const transactionOf =
  (inTransaction: InTransaction) =>
  async (work: Work<unknown> | readonly unknown[], options?: object): Promise<unknown> =>
    inTransaction(typeof work === 'function' ? work : oneByOne(work), options)

function oneByOne(operations: readonly unknown[]): Work<readonly unknown[]> {
  if (!operations.every((each) => each instanceof Operation)) throw new Error(notOurs)
  return async (inside) => {
    const answers: unknown[] = []
    for (const { work } of operations) answers.push(await work(inside))
    return answers
  }
}

const notOurs =
  'db.$transaction([…]) takes operations of the same db that nobody has awaited: db.$transaction([db.post.count(), db.tag.count()]).'

const delegateWithin = (inTransaction: InTransaction, model: string, delegate: Callable): object =>
  new Proxy(delegate, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      if (typeof name !== 'string' || typeof member !== 'function') return member
      return operationsOf(name, (inside) => inside[model], inTransaction)
    },
  })

const operationsOf =
  (name: string, ownerIn: (inside: Delegates) => unknown, inTransaction: InTransaction): Call =>
  (...args) =>
    new Operation(async (inside) => (ownerIn(inside) as Callable)[name]?.(...args), inTransaction)
