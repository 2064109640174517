import { nonCompliant } from './errors.ts'
import { isObject, type Members, own } from './members.ts'
import { say } from './text.ts'

/**
 * The `meta` of the document that a custom action is sent; without one, and without a document, an empty object.
 *
 * @throws JsonApiError 400
 * @example
 * parseMeta({ meta: { publishedAt: null } }) // { publishedAt: null }
 */
export function parseMeta(body: unknown): Members {
  const meta = isObject(body) ? own(body, 'meta') : undefined
  if (meta === undefined) return {}
  if (!isObject(meta)) throw nonCompliant(say`The member meta must be an object.`, '/meta')
  return meta
}
