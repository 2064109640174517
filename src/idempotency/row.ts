import { randomUUID } from 'node:crypto'
import { equals, everything } from '../condition/build.ts'
import type { Reader } from '../database/reader.ts'
import type { TextAnswer } from '../http/response/respond.ts'
import type { ModelMeta } from '../model/meta.ts'
import type { IdempotencyOptions } from '../request/idempotency.ts'

export interface Keyed {
  readonly id: string
  /** Of the request that the key was sent with. */
  readonly fingerprint: string
}

/** What is known of a key that is not free: the answer, that another request works on it, or that it belongs to another request. */
export type TakenKey =
  | { readonly kind: 'answered'; readonly answer: TextAnswer }
  | { readonly kind: 'running' | 'different' }

export interface KeyRow {
  readonly fingerprint: string
  readonly owner: string
  readonly lockedUntil: Date
  readonly expiresAt: Date
  /** Null while there is no answer. */
  readonly status: number | null
  readonly headers: string | null
  readonly body: string | null
}

const columns = ['fingerprint', 'owner', 'lockedUntil', 'expiresAt', 'status', 'headers', 'body']

export async function findKey(reader: Reader, model: ModelMeta, id: string): Promise<KeyRow | null> {
  const key = [equals(model, 'id', id)]
  const row = await reader.read({ kind: 'lookUp', model: model.name, columns, key, rest: everything })
  return row as KeyRow | null
}

/** What a key that is there means to a request; null where it may be taken again. */
export function knownOf(row: KeyRow, fingerprint: string): TakenKey | null {
  const now = new Date()
  if (row.expiresAt <= now) return null
  if (row.fingerprint !== fingerprint) return { kind: 'different' }
  const { status, headers, body } = row
  if (status !== null) return { kind: 'answered', answer: { status, headers: JSON.parse(headers ?? '{}'), body } }
  return row.lockedUntil > now ? { kind: 'running' } : null
}

/** A key that was taken just now. */
export function takenKey(
  fingerprint: string,
  { keptSeconds, leaseSeconds }: Pick<IdempotencyOptions, 'keptSeconds' | 'leaseSeconds'>,
): KeyRow {
  const now = Date.now()
  return {
    fingerprint,
    owner: randomUUID(),
    lockedUntil: new Date(now + leaseSeconds * 1000),
    expiresAt: new Date(now + keptSeconds * 1000),
    status: null,
    headers: null,
    body: null,
  }
}
