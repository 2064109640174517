import type Sqlite from 'better-sqlite3'
import type { WritingConnection } from './sqlite-database.ts'

/** Transactions of one connection, each of which is the only writer from its beginning on. */
export class ImmediateTransaction {
  readonly connection: Sqlite.Database
  private readonly begin
  private readonly commit
  private readonly rollback

  constructor({ connection, prepare }: WritingConnection) {
    this.connection = connection
    this.begin = prepare('BEGIN IMMEDIATE')
    this.commit = prepare('COMMIT')
    this.rollback = prepare('ROLLBACK')
  }

  /** Commits what the work did, or undoes it if the work fails. */
  run<T>(work: () => T): T {
    this.begin.run()
    try {
      const result = work()
      this.commit.run()
      return result
    } catch (error) {
      // A statement that fails may take the transaction along.
      if (this.connection.inTransaction) this.rollback.run()
      throw error
    }
  }
}
