import type { Store, Transaction } from '../store.ts'
import { translated } from './database-errors.ts'

/**
 * The store of a request whose work is a part of a larger transaction: it reads what that one has written so far, and what
 * it writes is kept or undone with the whole of it.
 */
export const storeWithin = (transaction: Transaction): Store => ({
  reader: transaction.reader,
  write: (work, onUnique) => translated(() => work(transaction), onUnique),
  queues: { pass: (_key, work) => work(), wait: (_key, work) => work() },
  plain: null,
})
