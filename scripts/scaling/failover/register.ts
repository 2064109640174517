import type { Model, Timed } from './linearizable.ts'

// One resource, read and changed with `If-Match`, as an object that does one operation after the other: a register whose
// every write makes a new version, and names the version that it replaces.

/** One request for the resource, as its client saw it. Writes write values that no other write has. */
export interface Exchange {
  readonly method: 'GET' | 'PATCH'
  readonly sentAt: number
  readonly answeredAt: number
  /** Null where no answer came. */
  readonly status: number | null
  /** The version that a PATCH named. */
  readonly expected?: string
  /** The value that a PATCH wrote. */
  readonly written?: string
  /** What a success showed. */
  readonly shown?: { readonly version: string; readonly value: string }
}

export type RegisterOperation =
  | { readonly kind: 'read'; readonly version: string; readonly value: string }
  | { readonly kind: 'write'; readonly expected: string; readonly version: string; readonly value: string }
  /** A write that was told that the version is another one. */
  | { readonly kind: 'refused'; readonly expected: string }

/** The version in a strong entity tag: `"7/Xk3…"` is 7. */
export function versionIn(tag: string): string {
  const found = /^"(.+)\/[^/]*"$/.exec(tag)
  if (!found) throw new Error(`${tag} is no entity tag with a version.`)
  return found[1] as string
}

/**
 * What the exchanges did, as far as it is known: a write without an answer, or with 503, may have been done or not. What was read
 * tells its version.
 *
 * @throws {Error} where two values had one version, or a value two
 */
export function historyOf(exchanges: readonly Exchange[]): readonly Timed<RegisterOperation>[] {
  const versions = versionsSeen(exchanges)
  return exchanges.flatMap((each, n): readonly Timed<RegisterOperation>[] => {
    const { method, sentAt: calledAt, answeredAt, status, shown, expected = '', written: value = '' } = each
    if (method === 'GET') return shown ? [{ what: { kind: 'read', ...shown }, calledAt, returnedAt: answeredAt }] : []
    if (status === 412) return [{ what: { kind: 'refused', expected }, calledAt, returnedAt: answeredAt }]
    const version = versions.get(value) ?? `that nobody saw, of ${n}`
    const returnedAt = status === 200 ? answeredAt : null
    const write = { what: { kind: 'write', expected, value, version }, calledAt, returnedAt } as const
    // The answer is read behind the write. By then another one may have come.
    return shown && shown.value !== value
      ? [write, { what: { kind: 'read', ...shown }, calledAt, returnedAt }]
      : [write]
  })
}

/** The version of each value that anybody was shown. */
function versionsSeen(exchanges: readonly Exchange[]): ReadonlyMap<string, string> {
  const versions = new Map<string, string>()
  const values = new Map<string, string>()
  for (const { shown } of exchanges) {
    if (!shown) continue
    const { version, value } = shown
    if ((versions.get(value) ?? version) !== version || (values.get(version) ?? value) !== value)
      throw new Error(
        `${value} was shown as the version ${version}, and also: ${versions.get(value) ?? values.get(version)}.`,
      )
    versions.set(value, version)
    values.set(version, value)
  }
  return versions
}

/** Its states are versions. */
export const register = (initialVersion: string): Model<RegisterOperation> => ({
  initial: initialVersion,
  step(state, what) {
    switch (what.kind) {
      case 'read':
        return state === what.version ? state : null
      case 'write':
        return state === what.expected ? what.version : null
      case 'refused':
        return state === what.expected ? null : state
      default:
        return what satisfies never
    }
  },
})
