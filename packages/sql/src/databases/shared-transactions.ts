import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * Hands a transaction over to Prisma Client, which tells its adapter nothing but that
 * one begins: who calls `$transaction` inside of the work means this transaction.
 */
export class SharedTransactions<T> {
  private readonly given = new AsyncLocalStorage<{ transaction: T | null }>()

  give<Result>(transaction: T, work: () => Result): Result {
    return this.given.run({ transaction }, work)
  }

  /** What was given, once; null for a transaction that Prisma Client begins by itself. */
  take(): T | null {
    const given = this.given.getStore()
    if (!given) return null
    const { transaction } = given
    given.transaction = null
    return transaction
  }
}
