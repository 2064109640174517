import { type Settings, settingsSql } from '@prismapi/core/database/session'
import { type Bound, type Stored, TooMuchText, textIn } from '@prismapi/core/database/sql-database'
import pg from 'pg'

/** The methods of pg's connection that send one message of PostgreSQL's protocol each. */
interface Connection {
  /** The prepared statements that the server keeps for this connection: their texts by name. */
  readonly parsedStatements: Record<string, string>
  parse(message: { readonly text: string; readonly name: string }): void
  close(message: { readonly type: 'S'; readonly name: string }): void
  bind(message: { readonly statement: string; readonly values: readonly string[] }): void
  describe(): void
  execute(message: object): void
}

/** The members of pg's `Query` that pg uses and its types leave out. */
interface QueryInternals {
  /** When the server has parsed a statement, pg writes `text` under `name` into `parsedStatements`. */
  name: string | undefined
  text: string
  callback?: ((error: Error | null, result?: Answered) => void) | undefined
  prepare(connection: Connection): void
  handleDataRow(message: { readonly fields: Stored }): void
  handleCommandComplete(message: { readonly text: string }): void
  handleReadyForQuery(): void
}

/** What a statement answers. */
export interface Answered {
  readonly rows: readonly Stored[]
  /** How many rows it has read, or written. */
  readonly count: number
}

export interface StatementRequest {
  readonly text: string
  /** The name under which the connection keeps the prepared statement; null for a statement that it does not keep. */
  readonly name: string | null
  readonly values: readonly Bound[]
  /** The rows may have this many characters of text; undefined for any number. */
  readonly characters: number | undefined
  /** What the transaction sets before the statement runs; empty for a statement without a transaction of its own. */
  readonly settings: Settings
  /** Whether the connection keeps the statement that sets the settings. */
  readonly keepsSettings: boolean
}

/** A connection keeps so many statements: clients can ask for filters and sorts of any number of shapes. */
const mostStatements = 500

const base = pg.Query.prototype as unknown as QueryInternals

/**
 * Runs one prepared statement and answers its rows as the texts that the server sends. Codecs read these
 * texts by the column's type, so this class leaves out the message that asks the server to describe the
 * columns: for most statements, reading the descriptions takes longer than reading the rows.
 *
 * With settings, it sends two statements together: the one that sets them, and this one. PostgreSQL runs all statements
 * before the next Sync message as one transaction. So there is no second round trip, and a pooler sees one transaction.
 *
 * @throws {TooMuchText} where the rows have more characters than `characters`
 */
export class RowsQuery extends pg.Query<unknown[]> implements QueryInternals {
  declare name: string | undefined
  declare text: string
  declare callback: QueryInternals['callback']
  private readonly statement: StatementRequest
  private readonly received: Stored[] = []
  private charactersLeft: number
  private count = 0
  /** Whether the server still has to run the statement that sets the settings. */
  private isSetting: boolean

  constructor(statement: StatementRequest) {
    const { text, name, values, settings, characters } = statement
    // pg sends a query without values by the simple protocol, which
    // prepares nothing, unless `queryMode` says otherwise.
    super({ text, name: name ?? undefined, values: [...values], queryMode: 'extended' } as pg.QueryConfig)
    this.statement = statement
    this.charactersLeft = characters ?? Number.POSITIVE_INFINITY
    this.isSetting = settings.length > 0
  }

  prepare(connection: Connection): void {
    if (this.name !== undefined && connection.parsedStatements[this.name] === undefined) makeRoom(connection)
    const isNew = this.isSetting && this.sendSettings(connection)
    base.prepare.call(this, withoutDescriptions(connection))
    if (isNew) this.expectParsed(this.settingsText, this.settingsName)
  }

  handleDataRow({ fields }: { readonly fields: Stored }): void {
    if (this.charactersLeft < 0) return
    if (this.statement.characters !== undefined) this.charactersLeft -= textIn(fields)
    if (this.charactersLeft >= 0) this.received.push(fields)
    // The pool closes the connection of a query that fails: the server stops sending rows.
    else this.callback?.(new TooMuchText())
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    this.count = Number(text.slice(text.lastIndexOf(' ') + 1))
    if (this.isSetting) this.expectParsed(this.statement.text, this.statement.name ?? undefined)
    this.isSetting = false
  }

  handleReadyForQuery(): void {
    this.callback?.(null, { rows: this.received, count: this.count })
  }

  /** Sends the statement that sets the settings, and answers whether the server has to parse it first. */
  private sendSettings(connection: Connection): boolean {
    const name = this.settingsName
    const isNew = connection.parsedStatements[name] === undefined
    if (isNew) connection.parse({ text: this.settingsText, name })
    connection.bind({ statement: name, values: this.statement.settings.flat() })
    connection.execute({})
    return isNew
  }

  private get settingsName(): string {
    return this.statement.keepsSettings ? `prismapi_settings_${this.statement.settings.length}` : ''
  }

  private get settingsText(): string {
    return settingsSql(this.statement.settings.length)
  }

  /** The server parses this statement next. */
  private expectParsed(text: string, name: string | undefined): void {
    this.text = text
    this.name = name
  }
}

/**
 * Closes the oldest statements of a connection, until it has room for
 * two more. A closed one is parsed again when it is needed.
 */
function makeRoom(connection: Connection): void {
  const names = Object.keys(connection.parsedStatements)
  for (const name of names.slice(0, Math.max(0, names.length + 2 - mostStatements))) {
    connection.close({ type: 'S', name })
    delete connection.parsedStatements[name]
  }
}

/** The same connection with a `describe` that sends nothing, so that the server does not describe the columns. */
function withoutDescriptions(connection: Connection): Connection {
  const known = undescribed.get(connection)
  if (known) return known
  const made = Object.create(connection, { describe: { value: () => {} } }) as Connection
  undescribed.set(connection, made)
  return made
}

const undescribed = new WeakMap<Connection, Connection>()
