import type { JsonApiError } from '../document/error.ts'
import { conflict, invalidField, notFound, unavailable } from '../document/errors.ts'

/** What the caller makes of a broken unique constraint: it knows the document, the database knows the columns. */
export type OnUnique = (columns: readonly string[]) => JsonApiError

/** Runs a query; what the database refuses becomes the client's error that D5 names, with its cause. */
export async function translated<T>(query: () => Promise<T>, onUnique?: OnUnique): Promise<T> {
  try {
    return await query()
  } catch (error) {
    throw translate(error, onUnique)
  }
}

interface PrismaError extends Error {
  readonly code?: string
  readonly meta?: { readonly driverAdapterError?: { readonly cause?: AdapterCause }; readonly target?: unknown }
}

interface AdapterCause {
  readonly kind?: string
  readonly originalCode?: string
  readonly constraint?: { readonly fields?: readonly string[]; readonly index?: string }
}

// https://www.prisma.io/docs/orm/reference/error-reference: connections, pools, timeouts, locks, write conflicts.
const passing = new Set(['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028', 'P2034', 'P2037'])
const passingKinds = new Set([
  'SocketTimeout',
  'ConnectionClosed',
  'TooManyConnections',
  'TransactionWriteConflict',
  'DatabaseNotReachable',
])
/** PostgreSQL classes: connection, resources, operator intervention, lock not available; deadlock and serialization. */
const passingStates = /^(08|53|57|55P03|40001|40P01)/

/** May the whole transaction be tried again, because it only met another one. */
export function isWriteConflict(thrown: unknown): boolean {
  // A query inside of the transaction was translated already, and has the database's own error as its cause.
  const { code, meta } = ((thrown as Error).cause ?? thrown) as PrismaError
  const cause = meta?.driverAdapterError?.cause
  return (
    code === 'P2034' || cause?.kind === 'TransactionWriteConflict' || /^40(001|P01)$/.test(cause?.originalCode ?? '')
  )
}

function translate(error: unknown, onUnique?: OnUnique): unknown {
  const { code, meta, message, name } = error as PrismaError
  const cause = meta?.driverAdapterError?.cause
  const isPassing =
    passing.has(code ?? '') ||
    passingKinds.has(cause?.kind ?? '') ||
    passingStates.test(cause?.originalCode ?? '') ||
    name === 'PrismaClientInitializationError'
  if (isPassing) return because(unavailable(1), error)
  switch (code) {
    case 'P2002': {
      const columns = cause?.constraint?.fields ?? (Array.isArray(meta?.target) ? (meta.target as string[]) : [])
      return because(
        onUnique?.(columns.map(unquoted)) ?? conflict('The resource is in conflict with another one.'),
        error,
      )
    }
    case 'P2003':
      return because(conflict('The resource is still related to others, or names one that is gone.'), error)
    case 'P2014':
      return because(conflict('The change would leave a required relation without a value.'), error)
    case 'P2025':
      return because(notFound(), error)
    case 'P2000':
    case 'P2020':
      return because(invalidField({ detail: 'A value is too long or out of range.', pointer: '/data' }), error)
    case 'P2004':
      return because(invalidField({ detail: 'The values do not fit together.', pointer: '/data' }), error)
    default:
      return /CHECK constraint failed|violates check constraint/.test(message ?? '')
        ? because(invalidField({ detail: 'The values do not fit together.', pointer: '/data' }), error)
        : error
  }
}

const unquoted = (column: string): string => column.replace(/^"|"$/g, '')

function because(error: JsonApiError, cause: unknown): JsonApiError {
  error.cause = cause
  return error
}
