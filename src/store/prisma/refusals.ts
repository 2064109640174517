/** Why a database, or its driver, did not do what it was asked to. */
export type Refusal =
  /** It met another transaction: worth another try at once. */
  | 'met'
  /** Another process is writing to the file: nothing was done, and it is soon worth another try. */
  | 'busy'
  /** It is busy or gone: worth another try later. */
  | 'passing'
  | 'unique'
  | 'excluded'
  | 'reference'
  | 'required'
  | 'gone'
  | 'unfit'
  | 'check'

/** What a driver adapter makes of its database's error. */
export interface AdapterCause {
  readonly kind?: string
  /** SQLSTATE, the number of an error of MySQL, or SQLite's name for it. */
  readonly originalCode?: string
  readonly constraint?: { readonly fields?: readonly string[]; readonly index?: string }
}

interface PrismaError extends Error {
  readonly code?: string
  readonly meta?: { readonly driverAdapterError?: { readonly cause?: AdapterCause } }
}

/** What the error is to the caller; null for one that nobody foresaw. */
export function refusalOf(error: unknown): Refusal | null {
  const { code = '', name, message = '' } = error as PrismaError
  const { kind = '', originalCode = '' } = adapterCause(error) ?? {}
  if (name === 'PrismaClientInitializationError') return 'passing'
  // Prisma takes it for a timeout of a socket, where nobody knows what was done.
  if (sqliteBusy.test(originalCode || code)) return 'busy'
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

/** https://www.prisma.io/docs/orm/reference/error-reference */
const prismaCodes: ReadonlyMap<string, Refusal> = new Map([
  ['P1001', 'passing'],
  ['P1002', 'passing'],
  ['P1008', 'passing'],
  ['P1017', 'passing'],
  ['P2000', 'unfit'],
  ['P2002', 'unique'],
  ['P2003', 'reference'],
  ['P2004', 'check'],
  ['P2007', 'unfit'],
  ['P2011', 'check'],
  ['P2014', 'required'],
  ['P2020', 'unfit'],
  ['P2024', 'passing'],
  ['P2025', 'gone'],
  ['P2028', 'passing'],
  ['P2034', 'met'],
  ['P2037', 'passing'],
])

/** Of driver adapters; constraints that wait for COMMIT are among them. */
const kinds: ReadonlyMap<string, Refusal> = new Map([
  ['TransactionWriteConflict', 'met'],
  ['DatabaseNotReachable', 'passing'],
  ['ConnectionClosed', 'passing'],
  ['SocketTimeout', 'passing'],
  ['TooManyConnections', 'passing'],
  ['UniqueConstraintViolation', 'unique'],
  ['ForeignKeyConstraintViolation', 'reference'],
  ['RestrictViolation', 'reference'],
  ['NullConstraintViolation', 'check'],
  ['LengthMismatch', 'unfit'],
  ['ValueOutOfRange', 'unfit'],
  ['InvalidInputValue', 'unfit'],
])

const sqliteBusy = /^SQLITE_(BUSY|LOCKED|PROTOCOL)/

const databaseCodes: readonly (readonly [RegExp, Refusal])[] = [
  // https://www.postgresql.org/docs/current/errcodes-appendix.html: serialization, deadlock. MariaDB: a row that changed.
  [/^(40001|40P01|1020|1213)$/, 'met'],
  // Connection, resources, operator intervention (a statement timeout is one), a lock or an idle transaction timed out.
  [/^((08|53|57)\w{3}|55P03|25P0[34])$/, 'passing'],
  // https://mariadb.com/kb/en/mariadb-error-code-reference/: connections, locks and statements that timed out or were killed.
  [/^(1040|1053|1158|1159|1160|1161|1203|1205|1317|1927|1969|2006|2013|3024|45\d{3})$/, 'passing'],
  [/^(23514|23502|4025|3819|SQLITE_CONSTRAINT_CHECK)$/, 'check'],
  [/^23P01$/, 'excluded'],
  // Data exceptions: characters, numbers, dates that the column's type cannot hold.
  [/^(22\w{3}|1264|1265|1292|1366|1406)$/, 'unfit'],
]

const ofDatabase = (code: string): Refusal | undefined => databaseCodes.find(([codes]) => codes.test(code))?.[1]

const socketCodes =
  /^(ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EPIPE|ETIMEDOUT|ER_\w*(TIMEOUT|CLOSED|CLOSE|CONNECTION)\w*)$/
// The driver of PostgreSQL gives these no code.
const connectionLost =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed)/

/** What a driver throws by itself, when there is no database to answer. */
function ofDriver(code: string, message: string): Refusal | null {
  if (socketCodes.test(code) || connectionLost.test(message)) return 'passing'
  return /CHECK constraint failed|violates check constraint/.test(message) ? 'check' : null
}
