import type { JsonApiError } from '../../document/error.ts'
import { conflict, invalidField, notFound, unavailable } from '../../document/errors.ts'
import { adapterCause, type Refusal, refusalOf } from './refusals.ts'

/** A unique constraint that a write broke, as the database tells of it. */
export interface BrokenUnique {
  /** Its name, where that is what the database says. */
  readonly constraint: string | null
  /** The database's names of its columns otherwise. */
  readonly columns: readonly string[]
}

/** What the caller makes of a broken unique constraint: it knows the document, the database knows the constraint. */
export type OnUnique = (broken: BrokenUnique) => JsonApiError

/** Runs a query; what the database refuses becomes the client's error that D5 names, with its cause. */
export async function translated<T>(query: () => Promise<T>, onUnique?: OnUnique): Promise<T> {
  try {
    return await query()
  } catch (error) {
    throw toClientError(error, onUnique)
  }
}

/** What the database refused, as the client's error; any other error as it is. */
export function toClientError(error: unknown, onUnique?: OnUnique): unknown {
  const refusal = refusalOf(error)
  return refusal === null ? error : because(translate(refusal, error, onUnique), error)
}

/** Why the whole transaction may be tried again: it only met another one, or found the file busy; null where it may not. */
export function reasonToRepeat(thrown: unknown): 'met' | 'busy' | null {
  // A query inside of the transaction was translated already, and has the database's own error as its cause.
  const { cause, name } = thrown as Error
  const refusal = refusalOf(name === 'JsonApiError' && cause !== undefined ? cause : thrown)
  return refusal === 'met' || refusal === 'busy' ? refusal : null
}

function translate(refusal: Refusal, error: unknown, onUnique?: OnUnique): JsonApiError {
  switch (refusal) {
    case 'met':
    case 'busy':
    case 'passing':
      return unavailable(1)
    case 'unique':
      return onUnique?.(brokenUnique(error)) ?? inConflict()
    case 'excluded':
      return inConflict()
    case 'reference':
      return conflict('The resource is still related to others, or names one that is gone.')
    case 'required':
      return conflict('The change would leave a required relation without a value.')
    case 'gone':
      return notFound()
    case 'unfit':
      return invalidField({ detail: 'A value is too long or out of range.', pointer: '/data' })
    case 'check':
      return invalidField({ detail: 'The values do not fit together.', pointer: '/data' })
    default:
      return refusal satisfies never
  }
}

const inConflict = (): JsonApiError => conflict('The resource is in conflict with another one.')

function brokenUnique(error: unknown): BrokenUnique {
  const { index = null, fields = [] } = adapterCause(error)?.constraint ?? {}
  return { constraint: index, columns: fields.map(unquoted) }
}

const unquoted = (column: string): string => column.replace(/^"|"$/g, '')

function because(error: JsonApiError, cause: unknown): JsonApiError {
  error.cause = cause
  return error
}
