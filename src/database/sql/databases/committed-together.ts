import type Sqlite from 'better-sqlite3'
import type { Stored } from '../database.ts'
import type { WritingConnection } from './sqlite-database.ts'

/** Runs one statement on the connection, in the transaction that is open there, or else in its own. */
type Run = (writing: WritingConnection) => readonly Stored[]

interface Write {
  readonly run: Run
  resolve(rows: readonly Stored[] | null): void
  reject(error: unknown): void
}

/**
 * Commits the writes that requests ask for in one turn together: each commit writes all pages that have changed, and rows share many
 * of them. No request learns of its write before the commit. If one of the writes fails, SQLite undoes all, and each runs alone.
 *
 * @param free the connection, as soon as it is about to be used; null while a transaction is open there.
 * @returns what a write answers; null where the connection was not free, and nothing was done.
 */
export function committedTogether(
  free: () => WritingConnection | null,
): (run: Run) => Promise<readonly Stored[] | null> {
  let waiting: Write[] = []
  let transaction: Transaction | null = null
  const transactionOn = (writing: WritingConnection): Transaction => {
    if (transaction?.connection !== writing.connection) transaction = transactionOf(writing)
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
function succeedTogether(writes: readonly Write[], writing: WritingConnection, transaction: Transaction): boolean {
  const { connection, begin, commit, rollback } = transaction
  try {
    begin.run()
  } catch (error) {
    // Another process writes: each of them would wait for it again, one after the other.
    for (const { reject } of writes) reject(error)
    return true
  }
  try {
    const answers = writes.map(({ run }) => run(writing))
    commit.run()
    writes.forEach(({ resolve }, index) => {
      resolve(answers[index] as readonly Stored[])
    })
    return true
  } catch (error) {
    try {
      // A statement that fails may take the transaction along.
      if (connection.inTransaction) rollback.run()
    } catch {
      for (const { reject } of writes) reject(error)
      return true
    }
    return false
  }
}

interface Transaction {
  readonly connection: Sqlite.Database
  readonly begin: Sqlite.Statement<[]>
  readonly commit: Sqlite.Statement<[]>
  readonly rollback: Sqlite.Statement<[]>
}

const transactionOf = ({ connection, prepare }: WritingConnection): Transaction => ({
  connection,
  begin: prepare('BEGIN IMMEDIATE'),
  commit: prepare('COMMIT'),
  rollback: prepare('ROLLBACK'),
})
