import { isInTransaction, retriesOf, retryTransaction } from '@prismapi/core/database/attempts'
import { whileOpen } from '@prismapi/core/database/prisma/client'
import { busyDatabase, reasonToRetry } from '@prismapi/core/database/prisma/database-errors'
import {
  limitsOf,
  serializableWith,
  type TransactionLimits,
  writerOf,
} from '@prismapi/core/database/prisma/prisma-store'
import { askBy } from '@prismapi/core/database/session'
import type { Clients, Delegates } from '@prismapi/core/database/store'
import type { TransactionClient } from '@prismapi/jsonapi/model/register'

/**
 * Does work of the application's own in one serializable transaction, as the server does the writes of requests: for
 * jobs, routes of your own and `afterCommit`, where two that run at once must not decide by what both have read. What
 * the work throws undoes it.
 *
 * After a conflict with another transaction the work runs again from its start, so let it do nothing but read and write
 * by its `db`.
 *
 * @param clients those of `createApi`, or a Prisma client, such as the `db` of `afterCommit`
 * @param limits milliseconds; left out, ten seconds to begin and ten for the work, on SQLite two
 * @returns what the work returns
 * @throws {JsonApiError} 503 with `Retry-After` after eight attempts, where the time is over, and where the database is
 * away. Other errors are those of Prisma Client and of the work, as they are.
 * @throws {Error} inside of a transaction, such as that of a hook or an action: use its `db`.
 *
 * @example
 * import { serializable } from 'prismapi'
 *
 * declare const clients: Clients
 *
 * const isNew = await serializable(clients, async (db) => {
 *   if ((await db.tag.count({ where: { name: 'news' } })) > 0) return false
 *   await db.tag.create({ data: { name: 'news' } })
 *   return true
 * })
 */
export async function serializable<T>(
  clients: Clients,
  work: (db: TransactionClient) => Promise<T>,
  limits?: TransactionLimits,
): Promise<T> {
  const writer = writerOf(clients)
  const retries = retriesOf(writer)
  if (isInTransaction(retries)) throw new Error(alreadyInside)
  const provider = ('sql' in clients && clients.sql?.provider) || 'postgresql'
  const options = serializableWith(limitsOf({ provider }, limits))
  const begun = (inside: Delegates) =>
    whileOpen(inside, async (db) => {
      const result = await work(db as unknown as TransactionClient)
      // Of a transaction in which a statement has failed, COMMIT is a ROLLBACK to PostgreSQL, without an error.
      await askBy(db)('SELECT 1', [])
      return result
    })
  const repeats = { retries, reasonOf: reasonToRetry, onRepeat: () => {} }
  try {
    return await retryTransaction(() => writer.$transaction(begun, options), repeats)
  } catch (error) {
    throw busyDatabase(error) ?? error
  }
}

const alreadyInside =
  'serializable(): this code runs in a transaction already, which is serializable. Use its db: event.db of a hook, db of an action.'
