import { type Repeats, retryTransaction } from '../attempts.ts'
import type { Delegates } from '../store.ts'
import { deferred, Operation, type Work } from './operation.ts'

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

/**
 * A client for work beside requests whose operations are transactions of their own. On the one connection of a SQLite
 * file they would else become a part of another request's transaction, and be undone with it; in a session, each of
 * them begins by telling it.
 */
export function committedClient({ writer, limits, repeats }: Committing, begin: Begin = () => undefined): object {
  const inTransaction: InTransaction = (work, options) => {
    const begun = async (inside: Delegates) => {
      await begin(inside)
      return work(inside)
    }
    return retryTransaction(() => writer.$transaction(begun, { ...limits, ...options }), repeats)
  }
  return deferred(writer, inTransaction, { $transaction: transactionOf(inTransaction) })
}

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
