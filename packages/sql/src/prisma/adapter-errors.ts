interface DriverError extends Error {
  readonly code?: unknown
  /** PostgreSQL's name of the constraint. */
  readonly constraint?: string
  readonly table?: string
  readonly column?: string
}

/** The kinds of Prisma's driver adapters for what tells of a constraint; all else is known by its code. */
const kinds: ReadonlyMap<unknown, string> = new Map([
  ['23505', 'UniqueConstraintViolation'],
  ['23503', 'ForeignKeyConstraintViolation'],
  ['23001', 'RestrictViolation'],
  ['23502', 'NullConstraintViolation'],
  ['SQLITE_CONSTRAINT_UNIQUE', 'UniqueConstraintViolation'],
  ['SQLITE_CONSTRAINT_PRIMARYKEY', 'UniqueConstraintViolation'],
  ['SQLITE_CONSTRAINT_NOTNULL', 'NullConstraintViolation'],
  ['SQLITE_CONSTRAINT_FOREIGNKEY', 'ForeignKeyConstraintViolation'],
  ['SQLITE_CONSTRAINT_TRIGGER', 'ForeignKeyConstraintViolation'],
])

/** What a driver says of a statement, as Prisma's driver adapters tell it; all other errors as they are. */
export function toRefusal(error: unknown): unknown {
  const { code, message, constraint, table, column } = (error ?? {}) as DriverError
  const kind = kinds.get(code)
  if (!(error instanceof Error) || kind === undefined) return error
  const named = constraint === undefined ? fieldsIn(message) : { index: constraint }
  return Object.assign(new Error(message, { cause: error }), {
    name: 'DriverAdapterError',
    cause: { kind, originalCode: code, originalMessage: message, ...(named && { constraint: named }) },
    ...(table !== undefined && column !== undefined && { table, column }),
  })
}

/** As the driver adapters themselves tell it. */
const adapterError = (kind: string, message: string): Error =>
  Object.assign(new Error(message), { name: 'DriverAdapterError', cause: { kind, cause: message } })

export const transactionClosed = (): Error =>
  adapterError('TransactionAlreadyClosed', 'The transaction has ended: its time was over.')

export const transactionTooLate = (): Error =>
  adapterError('SocketTimeout', 'Unable to start a transaction in the given time.')

/** SQLite names the columns of a constraint. */
function fieldsIn(message: string): { readonly fields: readonly string[] } | null {
  const [, listed] = message.split('constraint failed: ')
  if (listed === undefined) return null
  return { fields: listed.split(', ').map((each) => each.slice(each.lastIndexOf('.') + 1)) }
}
