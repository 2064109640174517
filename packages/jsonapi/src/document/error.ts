import { Message, type Text } from './text.ts'
import type { ErrorObject } from './types.ts'

/** An error object whose texts are not in a language yet. */
export type UntranslatedError = Omit<ErrorObject, 'title' | 'detail'> & { readonly title: Text; readonly detail?: Text }

/** An error object without its `status`, which a `JsonApiError` has anyway. */
export type ErrorInit = Omit<UntranslatedError, 'status'>

/**
 * The one error that a client sees. Everything a request can do wrong is thrown as one of these,
 * made by functions such as `notFound`, and becomes an error document where the server answers.
 *
 * Thrown by a policy, a hook or the handler of an action, it is the answer as it is, and undoes what the request has
 * written.
 *
 * Status of several errors (JSON:API 1.1, *Errors*): the one they
 * share, 400 for several 4xx, 500 as soon as one is a 5xx.
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
  readonly #untranslated: readonly UntranslatedError[]
  /** The error objects of the answer's document, in English: one at least. */
  readonly errors: readonly ErrorObject[]
  /** HTTP headers that belong to the answer: `Allow`, `WWW-Authenticate`, `Retry-After`. */
  readonly headers: Readonly<Record<string, string>>

  /** `error` is the one error, or all of them, each with its own status. */
  constructor(
    status: number,
    error: ErrorInit | readonly UntranslatedError[],
    headers: Readonly<Record<string, string>> = {},
  ) {
    const untranslated = isList(error) ? error : [{ status: String(status), ...error }]
    const errors = untranslated.map((each) => translateTexts(each, String))
    super(errors.map((each) => each.detail ?? each.title).join(' '))
    this.name = 'JsonApiError'
    this.status = status
    this.#untranslated = untranslated
    this.errors = errors
    this.headers = headers
  }

  /**
   * The same error with its texts in another language.
   *
   * @internal
   */
  translated(translate: (text: Text) => string, headers: Readonly<Record<string, string>>): JsonApiError {
    return this.map((each) => translateTexts(each, translate), { ...this.headers, ...headers })
  }

  /**
   * The same error with other error objects: to add `meta` or `code` to each of them. Its texts
   * are still told in the language of who asked. One that is made again of `errors` is in English.
   *
   * @see https://jsonapi.org/format/#error-objects
   * @example
   * const traced = (error: JsonApiError, trace: string) =>
   *   error.map((each) => ({ ...each, meta: { ...each.meta, trace } }))
   */
  map(
    change: (error: UntranslatedError) => UntranslatedError,
    headers: Readonly<Record<string, string>> = this.headers,
  ): JsonApiError {
    const changed = new JsonApiError(this.status, this.#untranslated.map(change), headers)
    changed.cause = this.cause
    return changed
  }

  /**
   * Each of its error objects as an error of its own.
   *
   * @internal
   */
  split(): readonly JsonApiError[] {
    return this.#untranslated.map((each) => new JsonApiError(this.status, [each], this.headers))
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
    const errors = failures.flatMap((failure) => failure.#untranslated)
    return new JsonApiError(
      commonStatus(errors),
      errors,
      Object.assign({}, ...failures.map((failure) => failure.headers)),
    )
  }
}

/**
 * The texts keep their places among the members. What is no text stays: an error of another service may lack a title.
 */
const translateTexts = (error: UntranslatedError, translate: (text: Text) => string): ErrorObject => {
  const { title, detail } = error
  const texts = {
    ...(isText(title) && { title: translate(title) }),
    ...(isText(detail) && { detail: translate(detail) }),
  }
  return { ...error, ...texts } as ErrorObject
}

const isText = (member: unknown): member is Text => typeof member === 'string' || member instanceof Message

const isList = (error: ErrorInit | readonly UntranslatedError[]): error is readonly UntranslatedError[] =>
  Array.isArray(error)

function commonStatus(errors: readonly UntranslatedError[]): number {
  const statuses = new Set(errors.map((error) => Number(error.status)))
  if (statuses.size === 1) return Number(errors[0]?.status)
  return [...statuses].every((status) => status < 500) ? 400 : 500
}

/** What is wrong with a part of a document; lazy, so that a hostile document costs no more than is reported of it. */
export type Failures = Iterable<JsonApiError>

// Without it a body of 1 MB that consists of unknown names would be answered with 15 MB.
const maxReported = 1000

/**
 * Throws the failures of one stage together; returns when there are none.
 *
 * @throws JsonApiError with every failure, up to a thousand.
 */
export function throwAll(failures: Failures): void {
  const reported: JsonApiError[] = []
  for (const failure of failures) {
    if (reported.push(failure) === maxReported) break
  }
  const error = JsonApiError.all(reported)
  if (error) throw error
}
