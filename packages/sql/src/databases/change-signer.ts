import type { Signature } from '@prismapi/core/database/session'
import { ImmediateTransaction } from './immediate-transaction.ts'
import type { WritingConnection } from './sqlite-database.ts'

/** Signs what the log of changes has of a transaction. */
type Sign = (signature: Signature) => void

/**
 * A connection of SQLite has no settings that triggers could read, and they see none of the tables that
 * are its own. But no other connection writes while it does: what is new in the log is of its transaction.
 */
export class ChangeSigner {
  readonly connection: WritingConnection['connection']
  private readonly transaction
  private readonly last
  private readonly update

  constructor(writing: WritingConnection) {
    const { connection, prepare } = writing
    this.connection = connection
    this.transaction = new ImmediateTransaction(writing)
    this.last = prepare<[], bigint>('SELECT coalesce(max("id"), 0) FROM "Change"').pluck().safeIntegers()
    this.update = prepare(
      'UPDATE "Change" SET "request" = ?, "user" = ? WHERE "id" > ? AND "request" IS NULL AND "user" IS NULL',
    )
  }

  /** Notes where the log of the open transaction ends; what comes behind that is signed. */
  mark(): Sign {
    const last = this.last.get()
    return ({ request, user }) => void this.update.run(request, user, last)
  }

  /** Does the work in the transaction that is open, or else in one of its own. */
  signed<T>(signature: Signature, work: () => T): T {
    const signedWork = () => {
      const sign = this.mark()
      const result = work()
      sign(signature)
      return result
    }
    return this.connection.inTransaction ? signedWork() : this.transaction.run(signedWork)
  }
}
