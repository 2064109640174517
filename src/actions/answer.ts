import type { Document } from '../document/types.ts'

/** What an action answers: a status, a document or none, headers of its own. */
export interface Answer {
  readonly status: number
  readonly document: Document | null
  readonly headers?: Readonly<Record<string, string>>
}

export const ok = (document: Document): Answer => ({ status: 200, document })
export const noContent: Answer = Object.freeze({ status: 204, document: null })
