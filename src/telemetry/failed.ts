import { SpanStatusCode } from '@opentelemetry/api'
import { JsonApiError } from '../document/error.ts'

/** The status of a span whose work failed. Without a message: that of an error may quote a value. */
export const failed = Object.freeze({ code: SpanStatusCode.ERROR })

/** What kind of error it is: the status of an answer, the code of a driver, or the name of a class. */
export function errorType(error: unknown): string {
  if (error instanceof JsonApiError) return String(error.status)
  const { code, name } = (error ?? {}) as { readonly code?: unknown; readonly name?: unknown }
  return [code, name].find((each): each is string => typeof each === 'string' && /^\w{1,64}$/.test(each)) ?? '_OTHER'
}

/** A refusal is an answer like others; an error that is none of ours, or what the server could not do, is a failure. */
export const isFailure = (error: unknown): boolean => !(error instanceof JsonApiError) || error.status >= 500
