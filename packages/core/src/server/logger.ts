import type { JsonApiError } from '@prismapi/jsonapi/document/error'

/** Where the framework says what it did: pino, or anything of its shape. */
export interface Logger {
  /** What helps a programmer who looks for a fault. */
  debug(fields: object, message: string): void
  /** What is worth knowing of the usual course: a request, a replica. */
  info(fields: object, message: string): void
  /** What works, and may not be what was meant. */
  warn(fields: object, message: string): void
  /** What failed. `err` of the fields is the error. */
  error(fields: object, message: string): void
  /** Lines of a level are not put together where it says false. */
  isLevelEnabled?(level: string): boolean
}

/**
 * What a log may say of a refusal. The details of its errors tell the client what it sent; so only what kind of errors
 * they are is said, and the code of the database where it was that which refused.
 */
export function loggedRefusal({ errors, cause }: JsonApiError): object {
  const { code } = (cause ?? {}) as { readonly code?: unknown }
  return { errors: [...new Set(errors.map(({ title }) => title))], ...(typeof code === 'string' && { code }) }
}

/**
 * An error as a log may have it. Prisma shows a call that it cannot carry out with all of its arguments, in front of
 * what is wrong with it; of these only what is wrong is kept.
 */
export function loggedError(error: unknown): unknown {
  if (!(error instanceof Error) || error.name !== 'PrismaClientValidationError') return error
  const { message, stack = '' } = error
  const shown = new Error(message.slice(message.lastIndexOf('\n\n')).trim(), {
    cause: error.cause && loggedError(error.cause),
  })
  shown.name = error.name
  const at = stack.indexOf(message)
  shown.stack = `${shown.name}: ${shown.message}${at < 0 ? '' : stack.slice(at + message.length)}`
  return shown
}
