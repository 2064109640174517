import { isDeepStrictEqual } from 'node:util'
import { JsonApiError } from '@prismapi/jsonapi/document/error'
import type { Arbitrary } from 'fast-check'

/** A parser, and what must be true of it whatever it is given. */
export interface Target {
  readonly name: string
  /** Texts that are right or nearly so: what the fuzzer begins with, and returns to. */
  readonly inputs: Arbitrary<string>
  /** What the parser knows by name. */
  readonly words: readonly string[]
  /** Throws what is a finding. */
  check(input: string): void
}

/** What the parser makes of it; undefined where it refuses it with one of these statuses, as it may. */
export function parsedOr<T>(statuses: readonly number[], parse: () => T): T | undefined {
  try {
    return parse()
  } catch (error) {
    if (!(error instanceof JsonApiError)) throw error
    if (!statuses.includes(error.status)) throw new Error(`It is refused with ${error.status}: ${error.message}`)
    for (const { status, detail } of error.errors)
      if (!/^4\d\d$/.test(status) || !detail) throw new Error(`An error says ${status}, ${detail}`)
    return undefined
  }
}

/** @throws {Error} where what was printed is read as something else. */
export function expectSame(read: unknown, again: unknown, printed: string): void {
  if (!isDeepStrictEqual(read, again))
    throw new Error(`${JSON.stringify(printed)} is read as ${textOf(again)}, not ${textOf(read)}`)
}

/** A value as text, whatever it has in it. */
export const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, each) =>
    each instanceof Map ? [...each] : typeof each === 'bigint' ? `${each}n` : each,
  ) ?? 'undefined'
