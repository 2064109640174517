import { AssertionError } from 'node:assert'
import type { Answer, TestRequest } from '@prismapi/testing'

// Answers as they would have come from a server, for what is said of them.

const mediaType = 'application/vnd.api+json'

/** An answer to `GET /posts`, unless it is said. */
export function answerOf(status: number, document?: object, asked: Partial<TestRequest> = {}): Answer {
  const text = document === undefined ? '' : JSON.stringify(document)
  const headers = new Headers({ Vary: 'Accept', ...(text && { 'Content-Type': mediaType }) })
  return { request: { method: 'GET', path: '/posts', ...asked }, status, headers, text, document: parsed(text) }
}

const parsed = (text: string) => (text === '' ? undefined : JSON.parse(text))

export const withHeader = (answer: Answer, name: string, value: string): Answer => {
  const headers = new Headers(answer.headers)
  headers.set(name, value)
  return { ...answer, headers }
}

const jsonapi = { version: '1.0' }

export const dataAnswer = (data: unknown, more: object = {}, status = 200): Answer =>
  answerOf(status, { jsonapi, data, ...more })

export const errorAnswer = (status: number, ...errors: readonly object[]): Answer =>
  answerOf(status, { jsonapi, errors }, { method: 'POST', body: '{"data":{"attributes":{"title":""}}}' })

export const post = (id: string, attributes: object = {}) => ({ type: 'posts', id, attributes })

/** What a test reads that fails. */
export function messageOf(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    if (error instanceof AssertionError) return error.message
    throw error
  }
  throw new Error('Nothing was thrown.')
}
