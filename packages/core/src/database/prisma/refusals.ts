/** Why a database, or its driver, did not do what it was asked to. */
export type Refusal =
  /** Two transactions conflicted: worth another try at once. */
  | 'serializationFailure'
  /** Another process writes to the file: nothing was done, and it is worth another try soon. */
  | 'locked'
  /** The database is overloaded, away, or too slow: worth another try later. */
  | 'transient'
  | 'unique'
  | 'excluded'
  | 'reference'
  | 'required'
  | 'notFound'
  | 'invalidValue'
  | 'check'
  /** A trigger of the application's has thrown. */
  | 'trigger'
  /** A column that cannot be null was to be. */
  | 'missing'

/** What a driver adapter makes of its database's error. */
export interface AdapterCause {
  readonly kind?: string
  /** SQLSTATE, the number of an error of MySQL, or SQLite's name for it. */
  readonly originalCode?: string
  readonly originalMessage?: string
  readonly constraint?: { readonly fields?: readonly string[]; readonly index?: string }
}

/** The database's name of what was broken, or the words of a trigger that throws without a name; else null. */
export function constraintName(error: unknown): string | null {
  const { constraint, message = '' } = error as { readonly constraint?: string; readonly message?: string }
  if (typeof constraint === 'string' && constraint !== '') return constraint
  const { constraint: broken, originalMessage = message } = adapterCause(error) ?? {}
  if (broken?.index !== undefined) return broken.index
  const [, named] = namedIn.exec(originalMessage) ?? []
  return named ?? (refusalOf(error) === 'trigger' ? originalMessage : null)
}

/** The code of the database's error. */
export function databaseCode(error: unknown): string | null {
  return adapterCause(error)?.originalCode ?? (error as { readonly code?: string }).code ?? null
}

const namedIn = /(?:constraint [«"`]|CHECK constraint failed: |failed: index ')([^»"`'\n]+)/i

interface PrismaError extends Error {
  readonly code?: string
  /** Of an error while Prisma Client starts. */
  readonly errorCode?: string
  readonly meta?: { readonly driverAdapterError?: { readonly cause?: AdapterCause } }
}

/** What an error of the database or its driver means; null for an error that is not known. */
export function refusalOf(error: unknown): Refusal | null {
  // An application may throw anything.
  if (typeof error !== 'object' || error === null) return null
  const { code = '', name, message = '' } = error as PrismaError
  const { kind = '', originalCode = '', originalMessage = message } = adapterCause(error) ?? {}
  if ((originalCode || code) === noSuchFeature && onStandby.test(originalMessage)) return 'transient'
  if ((originalCode || code) === notInState && takesNobody.test(originalMessage)) return 'transient'
  if (name === 'PrismaClientInitializationError') return 'transient'
  // Prisma takes it for a timeout of a socket, after which it is unknown what was done.
  if (sqliteBusy.test(originalCode || code)) return 'locked'
  if (isOfTrigger(originalCode || code, originalMessage)) return 'trigger'
  return prismaCodes.get(code) ?? kinds.get(kind) ?? ofDatabase(originalCode || code) ?? ofDriver(code, message)
}

/**
 * The driver's error: inside of Prisma's own; or by itself, where no query is to blame, because a connection, BEGIN or
 * COMMIT failed.
 */
export function adapterCause(error: unknown): AdapterCause | null {
  const { meta, name, cause } = error as PrismaError
  return meta?.driverAdapterError?.cause ?? (name === 'DriverAdapterError' ? (cause as AdapterCause) : null)
}

/** Whether Prisma, one of its driver adapters, or the driver of PostgreSQL threw it. */
export const isOfDatabase = ({ name, message }: Error): boolean =>
  /^(PrismaClient|DriverAdapterError$)/.test(name) || connectionLost.test(message)

/** What never passes, though Prisma reports it like a passing failure: a transaction that is over, or a wrong URL. */
export function isLasting(error: Error): boolean {
  const { code, errorCode, message } = error as PrismaError
  if (code === 'P2028') return !message.includes('Unable to start a transaction')
  return errorCode !== undefined && prismaCodes.get(errorCode) !== 'transient'
}

/** https://www.prisma.io/docs/orm/reference/error-reference */
const prismaCodes: ReadonlyMap<string, Refusal> = new Map([
  ['P1001', 'transient'],
  ['P1002', 'transient'],
  ['P1008', 'transient'],
  ['P1017', 'transient'],
  ['P1018', 'transient'],
  ['P2000', 'invalidValue'],
  ['P2002', 'unique'],
  ['P2003', 'reference'],
  ['P2004', 'check'],
  ['P2007', 'invalidValue'],
  ['P2011', 'missing'],
  ['P2014', 'required'],
  ['P2020', 'invalidValue'],
  ['P2024', 'transient'],
  ['P2025', 'notFound'],
  ['P2028', 'transient'],
  ['P2034', 'serializationFailure'],
  ['P2037', 'transient'],
])

/** Of driver adapters; constraints that wait for COMMIT are among them. */
const kinds: ReadonlyMap<string, Refusal> = new Map([
  ['TransactionWriteConflict', 'serializationFailure'],
  ['DatabaseNotReachable', 'transient'],
  ['ConnectionClosed', 'transient'],
  ['SocketTimeout', 'transient'],
  ['TooManyConnections', 'transient'],
  ['TransactionAlreadyClosed', 'transient'],
  ['UniqueConstraintViolation', 'unique'],
  ['ForeignKeyConstraintViolation', 'reference'],
  ['RestrictViolation', 'reference'],
  ['NullConstraintViolation', 'missing'],
  ['LengthMismatch', 'invalidValue'],
  ['ValueOutOfRange', 'invalidValue'],
  ['InvalidInputValue', 'invalidValue'],
])

/** The codes of PostgreSQL and MariaDB that applications may raise, and SQLite's, which foreign keys raise as well. */
const isOfTrigger = (code: string, message: string): boolean =>
  /^(P0001|P[A-Z]\w{3}|[6-9I-OQ-WYZ]\w{4}|1644)$/.test(code) ||
  (code === 'SQLITE_CONSTRAINT_TRIGGER' && !/^FOREIGN KEY/.test(message))

const noSuchFeature = '0A000'
const onStandby = /^cannot use serializable mode in a hot standby$/

const notInState = '55000'
const takesNobody = /^database "[^"]*" is not currently accepting connections$/

const sqliteBusy = /^SQLITE_(BUSY|LOCKED|PROTOCOL)/

const databaseCodes: readonly (readonly [RegExp, Refusal])[] = [
  // https://www.postgresql.org/docs/current/errcodes-appendix.html: serialization, deadlock. MariaDB: a row that
  // changed.
  [/^(40001|40P01|1020|1213)$/, 'serializationFailure'],
  // Connection, resources, operator intervention (a statement timeout is one), a lock or an idle transaction timed out.
  // And a server that can only be read: a standby that is about to be promoted.
  [/^((08|53|57)\w{3}|55P03|25P0[34]|25006)$/, 'transient'],
  // https://mariadb.com/kb/en/mariadb-error-code-reference/: connections, locks and statements that timed out or were
  // killed.
  [/^(1040|1053|1158|1159|1160|1161|1203|1205|1317|1927|1969|2006|2013|3024|45\d{3})$/, 'transient'],
  [/^(23514|4025|3819|SQLITE_CONSTRAINT_CHECK)$/, 'check'],
  [/^(23502|1048|1364|SQLITE_CONSTRAINT_NOTNULL)$/, 'missing'],
  [/^23P01$/, 'excluded'],
  // Data exceptions: characters, numbers, dates that the column's type cannot hold.
  [/^(22\w{3}|1264|1265|1292|1366|1406)$/, 'invalidValue'],
]

const ofDatabase = (code: string): Refusal | undefined => databaseCodes.find(([codes]) => codes.test(code))?.[1]

const socketCodes =
  /^(ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EPIPE|ETIMEDOUT|ER_\w*(TIMEOUT|CLOSED|CLOSE|CONNECTION)\w*)$/
// The driver of PostgreSQL gives these no code.
const connectionLost =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed|Query read timeout)/

/** What a driver throws by itself, when there is no database to answer. */
function ofDriver(code: string, message: string): Refusal | null {
  if (socketCodes.test(code) || connectionLost.test(message)) return 'transient'
  return /CHECK constraint failed|violates check constraint/.test(message) ? 'check' : null
}
