import type { JsonApiError } from '../../document/error.ts'

/**
 * What a log may say of a refusal. The details of its errors tell the client what it sent; so only what kind of errors they
 * are is said, and the code of the database where it was that which refused.
 */
export function loggedRefusal({ errors, cause }: JsonApiError): object {
  const { code } = (cause ?? {}) as { readonly code?: unknown }
  return { errors: [...new Set(errors.map(({ title }) => title))], ...(typeof code === 'string' && { code }) }
}

/**
 * An error as a log may have it. Prisma shows a call that it cannot carry out with all of its arguments, in front of what is wrong
 * with it; of these only what is wrong is kept.
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
