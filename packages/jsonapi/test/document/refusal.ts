import { expect } from 'vitest'
import { JsonApiError } from '../../src/document/error.ts'

export interface Refusal {
  readonly status: number
  readonly errors: readonly object[]
}

/** What `act` throws, as the client sees it; fails when it throws nothing or something else. */
export function refusalOf(act: () => unknown): Refusal {
  try {
    act()
  } catch (error) {
    if (!(error instanceof JsonApiError)) throw error
    return { status: error.status, errors: error.errors }
  }
  return expect.unreachable('nothing was refused')
}

/** An error of D5: 400 and non-compliant, unless the row says otherwise. */
export const row = (detail: string, at: string, status = 400, title = 'Non-Compliant JSON:API Document') => ({
  status: String(status),
  title,
  detail,
  source: { pointer: at },
})
