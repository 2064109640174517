import type { Replica, Replicas } from '@prismapi/core/database/store'

/** How a replica is: read; behind by more than it may be; not answering; or no replica, but a database of its own. */
export type ReplicaState = 'used' | 'late' | 'away' | 'no replica'

/** What is asked of the servers while replicas are watched. Each rejects where its server does not answer in time. */
export interface Watched<R extends Replica> {
  readonly primary: () => Promise<{ readonly written: bigint; readonly flushed: bigint }>
  readonly replicas: readonly {
    readonly replica: R
    /** How much it has of the log; null where it is no replica. */
    readonly replayed: () => Promise<bigint | null>
    /** Its connections are of no use any more. */
    readonly onAway: () => void
    readonly onState: (state: ReplicaState) => void
  }[]
  readonly lagMilliseconds: number
  /** Milliseconds of a clock that only goes forward. */
  readonly now: () => number
}

interface Known<R extends Replica> {
  readonly watched: Watched<R>['replicas'][number]
  /** Null before the first look. */
  state: ReplicaState | null
  replayed: bigint
  /** When the primary was where the replica is now. */
  caughtUpAt: number
  failures: number
  askedAgainAt: number
}

/** Milliseconds between two looks; a replica that is away is left alone for longer and longer. */
export const lookMilliseconds = 500
const longest = 10_000

/**
 * Replicas, and `look`, which asks all of them how far they are: the store that opened them calls it again and again.
 */
export function watchReplicas<R extends Replica>({ primary, replicas, lagMilliseconds, now }: Watched<R>) {
  const known = replicas.map(
    (watched): Known<R> => ({
      watched,
      state: null,
      replayed: 0n,
      caughtUpAt: -Infinity,
      failures: 0,
      askedAgainAt: 0,
    }),
  )
  let samples: { readonly at: number; readonly flushed: bigint }[] = []
  let turn = 0

  const sample = async () => {
    const at = now()
    const { flushed } = await primary()
    samples = [...samples.filter((each) => at - each.at <= lagMilliseconds), { at, flushed }]
  }

  const lookAt = async (each: Known<R>) => {
    if (now() < each.askedAgainAt) return
    const replayed = await each.watched.replayed().catch(() => undefined)
    if (replayed === undefined) {
      each.askedAgainAt = now() + Math.min(lookMilliseconds * 2 ** each.failures++, longest)
      each.watched.onAway()
      return become(each, 'away')
    }
    each.failures = 0
    if (replayed === null) return become(each, 'no replica')
    each.replayed = replayed
    each.caughtUpAt = samples.findLast(({ flushed }) => flushed <= replayed)?.at ?? each.caughtUpAt
    // Not by the clock: while the primary is away nothing is written, and no replica falls behind.
    const last = samples.at(-1)
    become(each, last && last.at - each.caughtUpAt <= lagMilliseconds ? 'used' : 'late')
  }

  return {
    all: replicas.map(({ replica }) => replica),
    lagMilliseconds,
    position: async () => (await primary()).written,
    choose(position: bigint): R | null {
      for (let n = 0; n < known.length; n++) {
        turn = (turn + 1) % known.length
        const { state, replayed, watched } = known[turn] as Known<R>
        if (state === 'used' && replayed >= position) return watched.replica
      }
      return null
    },
    suspect(replica: Replica) {
      const found = known.find(({ watched }) => watched.replica === replica)
      if (found) become(found, 'away')
    },
    async look() {
      await sample().catch(() => {})
      await Promise.all(known.map(lookAt))
    },
  } satisfies Replicas & { look(): Promise<void> }
}

function become<R extends Replica>(known: Known<R>, state: ReplicaState): void {
  if (known.state === state) return
  known.state = state
  known.watched.onState(state)
}
