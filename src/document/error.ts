import type { ErrorObject } from './types.ts'

/** An error object without its `status`, which a `JsonApiError` has anyway. */
export type ErrorInit = Omit<ErrorObject, 'status'>

/**
 * The one error that a client sees. Everything a request can do wrong is thrown as one of these,
 * made by a factory of `errors.ts`, and becomes an error document at the error boundary.
 *
 * Thrown by a policy, a hook or the handler of an action, it is the answer as it is, and undoes what the request has
 * written.
 *
 * Status of several errors (JSON:API 1.1, *Errors*): the one they share, 400 for several 4xx, 500 as soon as one is a 5xx.
 *
 * @see https://jsonapi.org/format/#errors-processing
 * @example
 * const closed = new JsonApiError(
 *   503,
 *   { title: 'Service Unavailable', detail: 'Back in an hour.' },
 *   { 'Retry-After': '3600' },
 * )
 */
export class JsonApiError extends Error {
  /** The HTTP status of the answer. */
  readonly status: number
  /** The error objects of the answer's document: one at least. */
  readonly errors: readonly ErrorObject[]
  /** HTTP headers that belong to the answer: `Allow`, `WWW-Authenticate`, `Retry-After`. */
  readonly headers: Readonly<Record<string, string>>

  /** `error` is the one error, or all of them, each with its own status. */
  constructor(
    status: number,
    error: ErrorInit | readonly ErrorObject[],
    headers: Readonly<Record<string, string>> = {},
  ) {
    const errors = isList(error) ? error : [{ status: String(status), ...error }]
    super(errors.map((each) => each.detail ?? each.title).join(' '))
    this.name = 'JsonApiError'
    this.status = status
    this.errors = errors
    this.headers = headers
  }

  /**
   * Joins several failures into one error; null when there are none.
   *
   * @see https://jsonapi.org/format/#errors-processing
   * @example
   * const failure = JsonApiError.all([forbidden(), conflict('The post is being edited.')])
   * if (failure) throw failure // 400, with both
   */
  static all(failures: readonly JsonApiError[]): JsonApiError | null {
    const [first, ...rest] = failures
    if (first === undefined || rest.length === 0) return first ?? null
    const errors = failures.flatMap((failure) => failure.errors)
    return new JsonApiError(
      commonStatus(errors),
      errors,
      Object.assign({}, ...failures.map((failure) => failure.headers)),
    )
  }
}

const isList = (error: ErrorInit | readonly ErrorObject[]): error is readonly ErrorObject[] => Array.isArray(error)

function commonStatus(errors: readonly ErrorObject[]): number {
  const statuses = new Set(errors.map((error) => Number(error.status)))
  if (statuses.size === 1) return Number(errors[0]?.status)
  return [...statuses].every((status) => status < 500) ? 400 : 500
}
