import type { Stored } from '@prismapi/core/database/sql-database'
import { ImmediateTransaction } from './immediate-transaction.ts'
import type { WritingConnection } from './sqlite-database.ts'

/** Runs one statement on the connection, in the transaction that is open there, or else in its own. */
type Run = (writing: WritingConnection) => readonly Stored[]

interface Write {
  readonly run: Run
  resolve(rows: readonly Stored[] | null): void
  reject(error: unknown): void
}

/**
 * Commits the writes that requests ask for in one turn together: each commit writes all
 * pages that have changed, and rows share many of them. No request learns of its write
 * before the commit. If one of the writes fails, SQLite undoes all, and each runs alone.
 *
 * @param free the connection, as soon as it is about to be used; null while a transaction is open there.
 * @returns what a write answers; null where the connection was not free, and nothing was done.
 */
export function committedTogether(
  free: () => WritingConnection | null,
): (run: Run) => Promise<readonly Stored[] | null> {
  let waiting: Write[] = []
  let transaction: ImmediateTransaction | null = null
  const transactionOn = (writing: WritingConnection): ImmediateTransaction => {
    if (transaction?.connection !== writing.connection) transaction = new ImmediateTransaction(writing)
    return transaction
  }

  const runAll = () => {
    const writes = waiting
    waiting = []
    const writing = free()
    if (!writing) for (const { resolve } of writes) resolve(null)
    else if (writes.length === 1 || !succeedTogether(writes, writing, transactionOn(writing)))
      for (const write of writes) runAlone(write, writing)
  }

  return (run) =>
    new Promise((resolve, reject) => {
      if (waiting.push({ run, resolve, reject }) === 1) process.nextTick(runAll)
    })
}

function runAlone({ run, resolve, reject }: Write, writing: WritingConnection): void {
  try {
    resolve(run(writing))
  } catch (error) {
    reject(error)
  }
}

/** Whether they are settled. */
function succeedTogether(
  writes: readonly Write[],
  writing: WritingConnection,
  transaction: ImmediateTransaction,
): boolean {
  let hasBegun = false
  try {
    const answers = transaction.run(() => {
      hasBegun = true
      return writes.map(({ run }) => run(writing))
    })
    writes.forEach(({ resolve }, index) => {
      resolve(answers[index] as readonly Stored[])
    })
    return true
  } catch (error) {
    // Each alone will tell its own error. But while another process writes, each would
    // wait for it, one after the other; and behind a ROLLBACK that failed, none can run.
    if (hasBegun && !writing.connection.inTransaction) return false
    for (const { reject } of writes) reject(error)
    return true
  }
}
