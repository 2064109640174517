import type { Text } from '@prismapi/jsonapi/document/text'
import { defaultLocale, ValidationError } from 'yup'
import { parsePath } from './places.ts'

/**
 * One failed rule, before it has a text and a place.
 *
 * @internal
 */
export interface Failure {
  /** The field, and the names below it. */
  readonly path: readonly string[]
  /** The rule's name; null for a test without one. */
  readonly rule: string | null
  /** The text that the rule was written with; null where ours is used. */
  readonly message: Text | null
  readonly value: unknown
  /** What the rule was called with (`{ max: 200 }`). */
  readonly params: Readonly<Record<string, unknown>>
  /** The rule was inferred: it asks nothing of fields that were not sent. */
  readonly isInferred: boolean
}

/** A failure that no yup rule reports. */
export const failure = (path: readonly string[], rule: string | null, more: Partial<Failure> = {}): Failure => ({
  path,
  rule,
  message: null,
  value: undefined,
  params: {},
  isInferred: false,
  ...more,
})

interface Spec {
  readonly optional?: boolean
  readonly meta?: { readonly rule?: string; readonly values?: string; readonly isInferred?: boolean }
}

/** What a run of yup threw, as failures; anything but a validation error is thrown on. */
export function toFailures(error: unknown): readonly Failure[] {
  if (!ValidationError.isError(error)) throw error
  const errors = error.inner.length > 0 ? error.inner : [error]
  return errors.map((each) => {
    const params = each.params ?? {}
    const spec = (params.spec ?? {}) as Spec
    return {
      path: parsePath((params.path as string | undefined) ?? each.path ?? ''),
      rule: ruleName(each, spec),
      message: isDefaultMessage(each) ? null : each.message,
      value: each.value,
      // yup names the values of an enumeration only to a value of the right type.
      params: spec.meta?.values === undefined ? params : { values: spec.meta.values, ...params },
      isInferred: spec.meta?.isInferred === true,
    }
  })
}

function ruleName(error: ValidationError, { optional, meta }: Spec): string | null {
  switch (error.type) {
    case 'optionality':
      return 'required'
    // An empty to-one relation that may not be empty is missing, whether it must be sent or not.
    case 'nullable':
      return optional === false || meta?.rule === 'toOne' ? 'required' : 'nullable'
    case 'typeError':
      return meta?.rule ?? (error.params?.type as string | undefined) ?? null
    case 'oneOf':
      return meta?.rule === 'enumOf' ? 'enumOf' : 'oneOf'
    default:
      return error.type ?? null
  }
}

// As yup ships them: what an application puts in their place with `setLocale` is its own text.
const templates: readonly string[] = Object.values(defaultLocale)
  .flatMap((group) => Object.values(group as object))
  .filter((template) => typeof template === 'string')

/** Is the text yup's own: then ours is used, which speaks of fields and repeats no value of the client. */
function isDefaultMessage({ type, params, message }: ValidationError): boolean {
  if (!params) return false
  const { label, path } = params
  if (type === 'typeError')
    return /^ (must be a `|must match the configured type)/.test(message.slice(String(label ?? path ?? 'this').length))
  return templates.some((template) => ValidationError.formatError(template, params) === message)
}
