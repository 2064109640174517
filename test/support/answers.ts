import { expect } from 'vitest'
import { type Answer, mediaType } from './api.ts'
import { jsonapi } from './row-documents.ts'

/** The status, the whole document, and the media type that goes with there being one. */
export function expectAnswer({ status, headers, body }: Answer, expected: number, document?: object): void {
  const type = document === undefined ? null : mediaType
  expect({ status, type: headers.get('Content-Type'), body }).toEqual({ status: expected, type, body: document })
}

/** An answer without a document. */
export const expectNothing = (answer: Answer): void => expectAnswer(answer, 204)

/** An error document that has these errors and no others, under the status of the first. */
export function expectErrors(answer: Answer, ...errors: readonly ErrorOf[]): void {
  expectAnswer(answer, Number(errors[0]?.status), { jsonapi, errors })
}

/** The same of a server that declares JSON:API 1.1. */
export function expectErrorsOf11(answer: Answer, ...errors: readonly ErrorOf[]): void {
  expectAnswer(answer, Number(errors[0]?.status), { jsonapi: { version: '1.1' }, errors })
}

/** `Allow` is a set: its order means nothing. */
export function expectNotAllowed(answer: Answer, allow: readonly string[]): void {
  expectErrors(answer, { status: '405', title: 'Method Not Allowed', detail: expect.any(String) })
  expect(allowOf(answer)).toEqual([...allow].sort())
}

/** Without QUERY, which stands wherever GET does: `features/query-method` asks for it. */
export const allowOf = ({ headers }: Answer): readonly string[] =>
  (headers.get('Allow') ?? '')
    .split(', ')
    .filter((method) => method !== '' && method !== 'QUERY')
    .sort()

export interface ErrorOf {
  readonly status: string
  readonly title: string
  readonly [member: string]: unknown
}

/** What is absent and what is hidden look the same. */
export const notFound: ErrorOf = { status: '404', title: 'Not Found' }

/** Without a message of the policy the wording is the server's own. */
export const forbidden = (detail: unknown = expect.any(String)): ErrorOf => ({
  status: '403',
  title: 'Forbidden',
  detail,
})

export const invalid = (code: string, detail: string, pointer: string): ErrorOf => ({
  status: '422',
  code,
  title: 'Unprocessable Entity',
  detail,
  source: { pointer },
})

/** `required`, of a field that is not in the document. */
export const missing = (field: string, words = field): ErrorOf => ({
  ...invalid('required', `The ${words} field is required.`, '/data'),
  meta: { field },
})

export const relatedNotFound = (pointer: string): ErrorOf => ({
  status: '404',
  title: 'Not Found',
  detail: 'The related resource does not exist.',
  source: { pointer },
})

export const badParameter = (parameter: string, detail: unknown = expect.any(String)): ErrorOf => ({
  status: '400',
  title: 'Invalid Query Parameter',
  detail,
  source: { parameter },
})

export const nonCompliant = (detail: string, pointer: string): ErrorOf => ({
  status: '400',
  title: 'Non-Compliant JSON:API Document',
  detail,
  source: { pointer },
})

/** Something else stands in the way. */
export const conflict: ErrorOf = { status: '409', title: 'Conflict', detail: expect.any(String) }

/** What a foreign key refuses. PostgreSQL says its name, which an answer has outside of production. */
export const constrained: ErrorOf = {
  ...conflict,
  code: 'constraint',
  ...(process.env.TEST_DATABASE === 'postgresql' && { meta: { constraint: expect.any(String) } }),
}

/** All of them, each once, in whatever order. */
export const inAnyOrder = (items: readonly object[]): object =>
  expect.toSatisfy(
    (found: readonly object[]) =>
      found.length === items.length && items.every((item) => found.some((each) => equals(each, item))),
    `be ${JSON.stringify(items)} in any order`,
  )

function equals(a: object, b: object): boolean {
  try {
    expect(a).toEqual(b)
    return true
  } catch {
    return false
  }
}
