import pg from 'pg'
import { type Settings, settingsSql } from '../../settings.ts'
import { type Bound, type Stored, TooMuchText, textIn } from '../../sql-database.ts'

/** A connection, as a query of `pg` writes to it. */
interface Connection {
  /** The texts of the statements that it keeps, by name. */
  readonly parsedStatements: Record<string, string>
  parse(message: { readonly text: string; readonly name: string }): void
  close(message: { readonly type: 'S'; readonly name: string }): void
  bind(message: { readonly statement: string; readonly values: readonly string[] }): void
  describe(): void
  execute(message: object): void
}

/** What `pg` calls of a query, and its types do not tell. */
interface Parts {
  /** Of the statement that the server parses next: `pg` notes under this name that the connection keeps this text. */
  name: string | undefined
  text: string
  callback?: ((error: Error | null, result?: { readonly rows: readonly Stored[] }) => void) | undefined
  prepare(connection: Connection): void
  handleDataRow(message: { readonly fields: Stored }): void
  handleCommandComplete(): void
  handleReadyForQuery(): void
}

export interface StatementRequest {
  readonly text: string
  /** Null for a statement that the connection does not keep. */
  readonly name: string | null
  readonly values: readonly Bound[]
  /** How many characters of text the rows may have; undefined for any number. */
  readonly characters: number | undefined
  readonly settings: Settings
  /** Whether the connection keeps the statement of the settings. */
  readonly hasNames: boolean
}

/** What clients ask for has no end of shapes. */
const mostStatements = 500

const base = pg.Query.prototype as unknown as Parts

/**
 * A statement whose rows are the texts that the server sends. Codecs know the columns, so the query does not ask the server to describe
 * them: to read the descriptions takes longer than to read the rows of most statements.
 *
 * With settings it is a transaction that begins with them, sent in one piece: until it is synchronized, PostgreSQL takes all statements
 * of a connection for one transaction. No round trip is added, and a pooler sees one transaction.
 *
 * @throws {TooMuchText}
 */
export class RowsQuery extends pg.Query<unknown[]> implements Parts {
  declare name: string | undefined
  declare text: string
  declare callback: Parts['callback']
  private readonly statement: StatementRequest
  private readonly found: Stored[] = []
  private charactersLeft: number
  private hasSettings: boolean

  constructor(statement: StatementRequest) {
    const { text, name, values, settings, characters } = statement
    // Without values it would be sent in another way.
    super({ text, name: name ?? undefined, values: [...values], queryMode: 'extended' } as pg.QueryConfig)
    this.statement = statement
    this.charactersLeft = characters ?? Number.POSITIVE_INFINITY
    this.hasSettings = settings.length > 0
  }

  prepare(connection: Connection): void {
    if (this.name !== undefined && connection.parsedStatements[this.name] === undefined) makeRoom(connection)
    const isNew = this.hasSettings && this.beginWithSettings(connection)
    base.prepare.call(this, withoutDescriptions(connection))
    if (isNew) this.isParsing(this.settingsText, this.settingsName)
  }

  handleDataRow({ fields }: { readonly fields: Stored }): void {
    if (this.charactersLeft < 0) return
    if (this.statement.characters !== undefined) this.charactersLeft -= textIn(fields)
    if (this.charactersLeft >= 0) this.found.push(fields)
    // The pool closes the connection of a query that fails, so that the other rows do not come.
    else this.callback?.(new TooMuchText())
  }

  handleCommandComplete(): void {
    if (this.hasSettings) this.isParsing(this.statement.text, this.statement.name ?? undefined)
    this.hasSettings = false
  }

  handleReadyForQuery(): void {
    this.callback?.(null, { rows: this.found })
  }

  /** Whether the server has to parse their statement. */
  private beginWithSettings(connection: Connection): boolean {
    const name = this.settingsName
    const isNew = connection.parsedStatements[name] === undefined
    if (isNew) connection.parse({ text: this.settingsText, name })
    connection.bind({ statement: name, values: this.statement.settings.flat() })
    connection.execute({})
    return isNew
  }

  private get settingsName(): string {
    return this.statement.hasNames ? `prismapi_settings_${this.statement.settings.length}` : ''
  }

  private get settingsText(): string {
    return settingsSql(this.statement.settings.length)
  }

  private isParsing(text: string, name: string | undefined): void {
    this.text = text
    this.name = name
  }
}

/** For two statements more. The oldest go; one that is asked for again is parsed again, and then is the newest. */
function makeRoom(connection: Connection): void {
  const names = Object.keys(connection.parsedStatements)
  for (const name of names.slice(0, Math.max(0, names.length + 2 - mostStatements))) {
    connection.close({ type: 'S', name })
    delete connection.parsedStatements[name]
  }
}

/** The same connection, which is never asked what the columns are. */
function withoutDescriptions(connection: Connection): Connection {
  const known = silent.get(connection)
  if (known) return known
  const made = Object.create(connection, { describe: { value: () => {} } }) as Connection
  silent.set(connection, made)
  return made
}

const silent = new WeakMap<Connection, Connection>()
