import type { Document } from '../document/types.ts'

/** What an action answers: a status, a document or none, headers of its own. */
export interface ActionResult {
  readonly status: number
  readonly document: Document | null
  readonly headers?: Readonly<Record<string, string>>
  /** The version of the resource that a write of the same URL would change, or null; left out, there is no entity tag. */
  readonly version?: string | null
}

export const ok = (document: Document, version: string | null = null): ActionResult => ({
  status: 200,
  document,
  version,
})
export const noContent: ActionResult = Object.freeze({ status: 204, document: null })
