import { expect } from 'vitest'
import type { PrismaClient } from '../../prisma/generated/client/client.ts'
import { expectAnswer } from './answers.ts'
import type { Answer } from './api.ts'
import { jsonapi } from './row-documents.ts'
import { snapshot } from './snapshot.ts'

/** A request is refused with the whole of this error document, and nothing was written. */
export async function expectRefusal(
  db: PrismaClient,
  send: () => Promise<Answer>,
  { status, errors }: { readonly status: number; readonly errors: readonly object[] },
): Promise<void> {
  const before = await snapshot(db)
  expectAnswer(await send(), status, { jsonapi, errors })
  expect(await snapshot(db)).toEqual(before)
}

export const notSupported = (status: string, detail: string, pointer: string) => ({
  status,
  title: 'Not Supported',
  detail,
  source: { pointer },
})

/** An identifier is of a type that the server has, but not the relation. */
export const wrongType = (detail: string, pointer: string) => ({
  status: '422',
  title: 'Unprocessable Entity',
  detail,
  source: { pointer },
})
