import { createHash, randomUUID } from 'node:crypto'
import type { BytesSeal } from '@prismapi/jsonapi/pagination/bytes-seal'
import type { Versions } from './requests.ts'

/** What an agent has asked for, which its user is asked about. */
export interface Question {
  readonly tool: string
  readonly args: object
  /** Who asks, as text. */
  readonly caller: string
}

/** What the server knew when it asked. */
export interface Confirmed {
  readonly versions: Versions
  /** Carries an action out once, however often the second call comes. */
  readonly key: string
}

const goodForMilliseconds = 600_000

/** A state that only this caller can send back, with this call, for ten minutes. It says nothing to clients. */
export function sealState(seal: BytesSeal, question: Question, versions: Versions): string {
  const state = { until: Date.now() + goodForMilliseconds, key: randomUUID(), versions: [...versions] }
  return seal.seal(boundTo(question), Buffer.from(JSON.stringify(state)))
}

/** Null for what was sealed for another caller, another tool or other arguments, or is over. */
export function openState(seal: BytesSeal, question: Question, sent: string): Confirmed | null {
  const bytes = seal.open(boundTo(question), sent)
  if (bytes === null) return null
  const { until, key, versions } = JSON.parse(bytes.toString())
  return Date.now() < until ? { key, versions: new Map(versions) } : null
}

const boundTo = ({ tool, args, caller }: Question): string =>
  createHash('sha256')
    .update(JSON.stringify([caller, tool, sorted(args)]))
    .digest('base64url')

/** Clients may send members in another order the second time. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(sorted)
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, each]) => [name, sorted(each)])
}
