import { expect } from 'vitest'
import type { PrismaClient } from '../../prisma/generated/client/client.ts'
import { type Answer, type Caller, mediaType } from './api.ts'
import { snapshot } from './snapshot.ts'

// Atomic requests to the example's second server, and what is expected of their answers.

const extension = 'https://jsonapi.org/ext/atomic'
export const atomic = `${mediaType};ext="${extension}"`
export const jsonapi = { version: '1.1', ext: [extension] }
export const path = '/api/v2/operations'

/** Sends a document, whatever it is. */
export const sendAtomic = (caller: Caller, body: unknown, query = ''): Promise<Answer> =>
  caller.post(path + query, { headers: { 'Content-Type': atomic }, body })

export const operate = (caller: Caller, ...operations: readonly unknown[]): Promise<Answer> =>
  sendAtomic(caller, { 'atomic:operations': operations })

/** The whole answer: the results, and the extension in its media type. */
export function expectResults(answer: Answer, ...results: readonly object[]): void {
  const type = answer.headers.get('Content-Type')
  expect({ status: answer.status, type, body: answer.body }).toEqual({
    status: 200,
    type: atomic,
    body: { jsonapi, 'atomic:results': results },
  })
}

/** An error of the operation with that number; `at` leads on inside of it. */
export const inOperation = <T extends object>(n: number, error: T, at = '') => ({
  ...error,
  source: { pointer: `/atomic:operations/${n}${at}` },
})

/** The whole answer is these errors, and nothing was written. */
export async function expectRefused(
  db: PrismaClient,
  send: () => Promise<Answer>,
  { status, errors }: { readonly status: number; readonly errors: readonly object[] },
): Promise<void> {
  const before = await snapshot(db)
  const answer = await send()
  const type = answer.headers.get('Content-Type')
  expect({ status: answer.status, type, body: answer.body }).toEqual({
    status,
    type: atomic,
    body: { jsonapi, errors },
  })
  expect(await snapshot(db)).toEqual(before)
}

let made = 0
/** Attributes of a post that no other has. */
export const newPost = (more: object = {}) => ({ title: 'A post', slug: `atomic-${++made}`, body: 'Text', ...more })
