import { defaultLocale, ValidationError } from 'yup'

// As yup ships them: what an application puts in their place with `setLocale` is its own text.
const templates: readonly string[] = Object.values(defaultLocale)
  .flatMap((group) => Object.values(group as object))
  .filter((template) => typeof template === 'string')

/** Is the text yup's own: then ours is used, which speaks of fields and repeats no value of the client. */
export function isDefaultMessage({ type, params, message }: ValidationError): boolean {
  if (!params) return false
  const { label, path } = params
  if (type === 'typeError')
    return /^ (must be a `|must match the configured type)/.test(message.slice(String(label ?? path ?? 'this').length))
  return templates.some((template) => ValidationError.formatError(template, params) === message)
}
