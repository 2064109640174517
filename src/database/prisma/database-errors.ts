import type { JsonApiError } from '../../document/error.ts'
import { conflict, constraintBroken, invalidField, notFound, unavailable } from '../../document/errors.ts'
import { say } from '../../document/text.ts'
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

/** What a write broke, as the database tells of it: a constraint, that a column is not null, or what a trigger asks for. */
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
}

/** What the caller makes of a broken constraint: it knows the document, the database knows the constraint. Null: nothing. */
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
 * 503, where an application's own query, of `authenticate` or a policy, failed because the database is away, overloaded or in
 * conflict; null for every other error. What another service refuses is none of these.
 */
export function unavailableDatabase(error: unknown): JsonApiError | null {
  if (!(error instanceof Error) || !isOfDatabase(error) || isLasting(error)) return null
  const refusal = refusalOf(error)
  const isPassing = refusal === 'transient' || refusal === 'locked' || refusal === 'serializationFailure'
  return isPassing ? because(unavailable(1), error) : null
}

/** 503, where the server does not know whether the database has done what it was asked to. */
export const outcomeUnknown = (error: unknown): JsonApiError => because(unavailable(1), error)

/** Why the whole transaction may run again: it conflicted with another one, or the file was locked; null where it may not. */
export function reasonToRetry(thrown: unknown): 'serializationFailure' | 'locked' | null {
  // A query inside of the transaction was translated already, and has the database's own error as its cause.
  const { cause, name } = thrown as Error
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
      return invalidField({ detail: say`A value is too long or out of range.`, pointer: '/data' })
    case 'missing':
      return onBroken?.(brokenConstraint('missing', error)) ?? unfitting()
    default:
      return refusal satisfies never
  }
}

const unfitting = (): JsonApiError => invalidField({ detail: say`The values do not fit together.`, pointer: '/data' })

/** What a client is told of a constraint that no schema class explains. */
const unexplained = {
  unique: say`The resource is in conflict with another one.`,
  excluded: say`The resource is in conflict with another one.`,
  check: say`The values do not fit together.`,
  trigger: say`The database refuses the change.`,
  reference: say`The resource is still related to others, or names one that is gone.`,
} as const

/** The name of the constraint that the database has refused a change by, for who develops the application; null for none. */
export const brokenName = (error: unknown): string | null =>
  error instanceof Error && refusalOf(error) !== null ? constraintName(error) : null

function brokenConstraint(kind: BrokenConstraint['kind'], error: unknown): BrokenConstraint {
  const cause = adapterCause(error)
  const { index = null, fields = kind === 'missing' ? missingColumns(error, cause) : [] } = cause?.constraint ?? {}
  return {
    kind,
    constraint: index ?? constraintName(error),
    code: databaseCode(error),
    columns: fields.map(unquoted),
    model: modelOf(error),
  }
}

const modelOf = (error: unknown): string | null =>
  (error as { readonly meta?: { readonly modelName?: string } }).meta?.modelName ?? null

// PostgreSQL tells its driver which column is null; of that, Prisma's adapter passes on the message alone.
function missingColumns(error: unknown, cause: AdapterCause | null): readonly string[] {
  const { column } = error as { readonly column?: string }
  const name = column ?? / column "(.+)" of relation /.exec(cause?.originalMessage ?? '')?.[1]
  return name === undefined ? [] : [name]
}

const unquoted = (column: string): string => column.replace(/^"|"$/g, '')

function because(error: JsonApiError, cause: unknown): JsonApiError {
  error.cause = cause
  return error
}
