import { randomUUID } from 'node:crypto'
import { JsonApiError } from '@prismapi/jsonapi/document/error'
import { internalError } from '@prismapi/jsonapi/document/errors'
import { brokenName, unavailableDatabase } from '../database/prisma/database-errors.ts'
import { type Logger, loggedError, loggedRefusal } from './logger.ts'

export interface FailureOptions {
  readonly logger: Logger
  /** Errors say nothing about the inside. */
  readonly production: boolean
}

/** An error that callers are told as it is; null for one that is not foreseen. */
export const knownFailure = (error: unknown): JsonApiError | null =>
  error instanceof JsonApiError ? error : unavailableDatabase(error)

interface Failed {
  readonly error: unknown
  /** What is known of it; null for an error that is not foreseen. */
  readonly known: JsonApiError | null
  /** What the log says of the request. */
  readonly request: object
}

/** What a caller is told of an error, which the log has with its cause. Of an unforeseen one it is told an id. */
export function failureOf({ error, known, request }: Failed, { logger, production }: FailureOptions): JsonApiError {
  if (known) {
    const fields = { ...request, status: known.status }
    if (known.status < 500) logger.debug({ ...fields, ...loggedRefusal(known) }, 'Request refused')
    else logger.warn({ ...fields, err: known.cause ?? known }, 'Request failed')
    return production ? known : withConstraint(known)
  }
  const id = randomUUID()
  logger.error({ ...request, id, err: loggedError(error) }, 'Unforeseen error')
  const message = error instanceof Error ? error.message : String(error)
  return internalError(id, production ? undefined : { message })
}

/** Outside of production, whoever develops the application is told which constraint it is. */
function withConstraint(known: JsonApiError): JsonApiError {
  const constraint = known.errors.some(({ code }) => code === 'constraint') ? brokenName(known.cause) : null
  return constraint === null ? known : known.map((error) => ({ ...error, meta: { ...error.meta, constraint } }))
}
