import type { JsonApiError } from '@prismapi/jsonapi/document/error'
import { conflict, constraintBroken, invalidField, notFound, unavailable } from '@prismapi/jsonapi/document/errors'
import { say } from '@prismapi/jsonapi/document/text'
import {
  type AdapterCause,
  adapterCause,
  constraintName,
  databaseCode,
  isLasting,
  isOfDatabase,
  type Refusal,
  refusalOf,
} from './refusals.ts'

/** What a write broke, as the database reports it: a constraint, a column that cannot be null, a trigger. */
export interface BrokenConstraint {
  readonly kind: 'unique' | 'missing' | 'excluded' | 'check' | 'reference' | 'trigger'
  /** Its name, where that is what the database says. */
  readonly constraint: string | null
  /** The code of the database's error; null where it has none. */
  readonly code: string | null
  /** The database's names of its columns otherwise. */
  readonly columns: readonly string[]
  /** The model that was written, where Prisma wrote it; null where it does not say. */
  readonly model: string | null
  /** The database's name of the table whose column was to be null; null where it does not say. */
  readonly table: string | null
}

/** What the caller makes of a broken constraint: it knows the document, the database knows the constraint; or null. */
export type OnBroken = (broken: BrokenConstraint) => JsonApiError | null

/** Runs a query; what the database refuses becomes an error for the client, with its cause. */
export async function translated<T>(query: () => Promise<T>, onBroken?: OnBroken): Promise<T> {
  try {
    return await query()
  } catch (error) {
    throw toClientError(error, onBroken)
  }
}

/** What the database refused, as the client's error; any other error as it is. */
export function toClientError(error: unknown, onBroken?: OnBroken): unknown {
  const refusal = refusalOf(error)
  return refusal === null ? error : because(translate(refusal, error, onBroken), error)
}

/**
 * 503, where an application's own query, of `authenticate` or a policy, failed because the database is away, overloaded
 * or in conflict; null for every other error. What another service refuses is none of these.
 */
export const unavailableDatabase = (error: unknown): JsonApiError | null =>
  error instanceof Error && isLasting(error) ? null : busyDatabase(error)

/** The same, and where the time of the transaction was over. */
export function busyDatabase(error: unknown): JsonApiError | null {
  if (!(error instanceof Error) || !isOfDatabase(error)) return null
  const refusal = refusalOf(error)
  const isPassing = refusal === 'transient' || refusal === 'locked' || refusal === 'serializationFailure'
  return isPassing ? because(unavailable(1), error) : null
}

/** 503, where the server does not know whether the database has done what it was asked to. */
export const outcomeUnknown = (error: unknown): JsonApiError => because(unavailable(1), error)

/** Why the whole transaction may run again: it conflicted with another one, or the file was locked; else null. */
export function reasonToRetry(thrown: unknown): 'serializationFailure' | 'locked' | null {
  // A query inside of the transaction was translated already, and has the database's own error as its cause.
  const { cause, name } = (thrown ?? {}) as Error
  const refusal = refusalOf(name === 'JsonApiError' && cause !== undefined ? cause : thrown)
  return refusal === 'serializationFailure' || refusal === 'locked' ? refusal : null
}

function translate(refusal: Refusal, error: unknown, onBroken?: OnBroken): JsonApiError {
  switch (refusal) {
    case 'serializationFailure':
    case 'locked':
    case 'transient':
      return unavailable(1)
    case 'unique':
    case 'excluded':
    case 'check':
    case 'trigger':
    case 'reference':
      return onBroken?.(brokenConstraint(refusal, error)) ?? constraintBroken(unexplained[refusal])
    case 'required':
      return conflict(say`The change would leave a required relation without a value.`)
    case 'notFound':
      return notFound()
    case 'invalidValue':
      return invalidValue()
    case 'missing':
      return onBroken?.(brokenConstraint('missing', error)) ?? unfitting()
    default:
      return refusal satisfies never
  }
}

/** 422 */
export const invalidValue = (): JsonApiError =>
  invalidField({ detail: say`A value is too long or out of range.`, pointer: '/data' })

const unfitting = (): JsonApiError => invalidField({ detail: say`The values do not fit together.`, pointer: '/data' })

/** What a client is told of a constraint that no schema class explains. */
const unexplained = {
  unique: say`The resource is in conflict with another one.`,
  excluded: say`The resource is in conflict with another one.`,
  check: say`The values do not fit together.`,
  trigger: say`The database refuses the change.`,
  reference: say`The resource is still related to others, or names one that is gone.`,
} as const

/** The name of the constraint by which the database refused a change, for developers of the application; or null. */
export const brokenName = (error: unknown): string | null =>
  error instanceof Error && refusalOf(error) !== null ? constraintName(error) : null

function brokenConstraint(kind: BrokenConstraint['kind'], error: unknown): BrokenConstraint {
  const cause = adapterCause(error)
  const nulled = kind === 'missing' ? missingColumn(error, cause) : null
  const { index = null, fields = nulled ? [nulled.column] : [] } = cause?.constraint ?? {}
  return {
    kind,
    constraint: index ?? constraintName(error),
    code: databaseCode(error),
    columns: fields.map(unquoted),
    model: modelOf(error),
    table: nulled?.table ?? null,
  }
}

const modelOf = (error: unknown): string | null =>
  (error as { readonly meta?: { readonly modelName?: string } }).meta?.modelName ?? null

interface MissingColumn {
  readonly table: string
  readonly column: string
}

// The driver of PostgreSQL has them by name; of that, and of what SQLite says, Prisma's adapters pass on the message.
function missingColumn(error: unknown, cause: AdapterCause | null): MissingColumn | null {
  const { table, column, message } = error as Partial<MissingColumn> & { readonly message?: string }
  if (table !== undefined && column !== undefined) return { table, column }
  const said = cause?.originalMessage ?? message ?? ''
  const ofPostgres = / column "(?<column>.+)" of relation "(?<table>.+?)"/.exec(said)
  const named = ofPostgres ?? /^NOT NULL constraint failed: (?<table>.+)\.(?<column>[^.]+)$/.exec(said)
  return (named?.groups as MissingColumn | undefined) ?? null
}

const unquoted = (column: string): string => column.replace(/^"|"$/g, '')

function because(error: JsonApiError, cause: unknown): JsonApiError {
  error.cause = cause
  return error
}
