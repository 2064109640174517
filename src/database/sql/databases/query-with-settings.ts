import pg from 'pg'
import { type Settings, settingsSql } from '../../settings.ts'

/** A connection, as a query of `pg` writes to it. */
interface Connection {
  /** The texts of the statements that it keeps, by name. */
  readonly parsedStatements: Record<string, string>
  parse(message: { readonly text: string; readonly name: string }): void
  bind(message: { readonly statement: string; readonly values: readonly string[] }): void
  execute(message: object): void
}

/** What `pg` calls of a query, and its types do not tell. */
interface Parts {
  name: string | undefined
  prepare(connection: Connection): void
  handleCommandComplete(message: unknown, connection: Connection): void
}

const base = pg.Query.prototype as unknown as Parts

/**
 * A query in a transaction that begins with settings, sent in one piece: until it is synchronized, PostgreSQL takes all statements of
 * a connection for one transaction. No round trip is added, and a pooler sees one transaction.
 */
export class QueryWithSettings extends pg.Query<unknown[]> implements Parts {
  declare name: string | undefined
  private readonly settings: Settings
  private readonly hasNames: boolean
  private isTold = false

  constructor(config: pg.QueryConfig, { settings, hasNames }: { settings: Settings; hasNames: boolean }) {
    // Without values it would be sent in another way.
    super({ ...config, queryMode: 'extended' } as pg.QueryConfig)
    this.settings = settings
    this.hasNames = hasNames
  }

  prepare(connection: Connection): void {
    const statement = this.settingsName
    if (connection.parsedStatements[statement] === undefined) {
      connection.parse({ text: settingsSql(this.settings.length), name: statement })
      // `pg` would take that statement for this one.
      this.name = undefined
    }
    connection.bind({ statement, values: this.settings.flat() })
    connection.execute({})
    base.prepare.call(this, connection)
  }

  handleCommandComplete(message: unknown, connection: Connection): void {
    if (this.isTold) base.handleCommandComplete.call(this, message, connection)
    else if (this.hasNames) connection.parsedStatements[this.settingsName] = settingsSql(this.settings.length)
    this.isTold = true
  }

  private get settingsName(): string {
    return this.hasNames ? `prismapi_settings_${this.settings.length}` : ''
  }
}
