import type { Store, Transaction } from '../store.ts'
import { translated } from './database-errors.ts'

/**
 * The store of a request whose work is a part of a larger transaction: it reads what that one has written so far, and what
 * it writes is kept or undone with the whole of it.
 */
export const storeWithin = (
  transaction: Transaction,
  { committed, tableSizes }: Pick<Store, 'committed' | 'tableSizes'>,
): Store => ({
  committed,
  reader: transaction.reader,
  write: (work, onBroken) => translated(() => work(transaction), onBroken),
  lock: { tryRun: (_key, work) => work(), enqueue: (_key, work) => work() },
  threads: null,
  // The answer would come by a second connection, which may have to wait for this one.
  tableSizes: tableSizes.known ?? tableSizes,
  isWithin: true,
  single: null,
})
