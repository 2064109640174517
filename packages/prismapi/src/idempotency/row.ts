import { randomUUID } from 'node:crypto'
import type { Reader } from '@prismapi/core/database/reader'
import { equals, everything } from '@prismapi/jsonapi/condition/build'
import type { ModelMeta } from '@prismapi/jsonapi/model/meta'
import type { IdempotencyOptions } from '@prismapi/jsonapi/request/features'
import { ownerWith } from './guest-token.ts'

/** An answer whose document is a text. */
export interface TextAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Null for an answer without a body. */
  readonly body: string | null
}

export interface Keyed {
  readonly id: string
  /** Of the request that the key was sent with. */
  readonly fingerprint: string
  /** By which its sender has the answer again; null where the key says who that is. */
  readonly token: string | null
}

/** A key that is taken: by a kept response, by a request that is running, or by a different request. */
export type TakenKey =
  | { readonly kind: 'answered'; readonly answer: TextAnswer; readonly owner: string }
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
  const { status, headers, body, owner } = row
  if (status !== null)
    return { kind: 'answered', answer: { status, headers: JSON.parse(headers ?? '{}'), body }, owner }
  return row.lockedUntil > now ? { kind: 'running' } : null
}

/** A key that was taken just now. */
export function takenKey(
  { fingerprint, token }: Pick<Keyed, 'fingerprint' | 'token'>,
  { keptSeconds, leaseSeconds }: Pick<IdempotencyOptions, 'keptSeconds' | 'leaseSeconds'>,
): KeyRow {
  const now = Date.now()
  return {
    fingerprint,
    owner: ownerWith(randomUUID(), token),
    lockedUntil: new Date(now + leaseSeconds * 1000),
    expiresAt: new Date(now + keptSeconds * 1000),
    status: null,
    headers: null,
    body: null,
  }
}
