// What clients have noticed of a failover.

export interface Answered {
  /** Which of the servers was asked. */
  readonly server: number
  /** A guest's read, which a replica may answer; a read that needs the primary; or a write. */
  readonly kind: 'guest' | 'read' | 'write'
  readonly sentAt: number
  readonly answeredAt: number
  /** Null where no answer came. */
  readonly status: number | null
  readonly hasRetryAfter: boolean
}

/** All in milliseconds of one clock. */
export interface Failover {
  readonly how: 'killed' | 'held still'
  readonly brokenAt: number
  /** When a commit was acknowledged by who had been promoted. */
  readonly promotedAt: number
  /** When the cluster had all of its servers again, and clients had written for a while. */
  readonly wholeAt: number
}

export interface Noticed {
  readonly how: Failover['how']
  /** Until the database took commits again. */
  readonly failoverMilliseconds: number
  /** From then on, until each of the servers had acknowledged a write that it was asked for after it had refused one. */
  readonly recoveryMilliseconds: number
  /** Writes and reads of the primary that were answered by 503. */
  readonly refused: number
  readonly guestReads: number
  readonly guestReadsRefused: number
  /** The longest time in which a server answered no guest, although one asked. */
  readonly longestWithoutGuests: number
  /** The longest that anybody waited for an answer. */
  readonly slowest: number
}

const isSuccess = ({ status }: Answered): boolean => status === 200 || status === 201

/** What the clients of the servers noticed between the failure and the end of the failover. */
export function noticed(answers: readonly Answered[], servers: number, failover: Failover): Noticed {
  const { how, brokenAt, promotedAt, wholeAt } = failover
  const within = answers.filter(({ answeredAt }) => answeredAt >= brokenAt && answeredAt <= wholeAt)
  const guests = within.filter(({ kind }) => kind === 'guest')
  const each = Array.from({ length: servers }, (_, server) => server)
  const recoveries = each.map((server) => recoveredAt(within.filter((answer) => answer.server === server)) - promotedAt)
  return {
    how,
    failoverMilliseconds: Math.round(promotedAt - brokenAt),
    recoveryMilliseconds: Math.round(Math.max(0, ...recoveries)),
    refused: within.filter(({ kind, status }) => kind !== 'guest' && status === 503).length,
    guestReads: guests.length,
    guestReadsRefused: guests.filter((answer) => !isSuccess(answer)).length,
    longestWithoutGuests: Math.round(
      Math.max(
        0,
        ...each.map((server) =>
          longestGap(
            guests.filter((answer) => answer.server === server),
            brokenAt,
            wholeAt,
          ),
        ),
      ),
    ),
    slowest: Math.round(Math.max(0, ...within.map(({ sentAt, answeredAt }) => answeredAt - sentAt))),
  }
}

/** When a server has done a write that it was asked for after its last refusal; infinity where it has done none. */
function recoveredAt(answers: readonly Answered[]): number {
  const writes = answers.filter(({ kind }) => kind === 'write')
  const firstRefusal = Math.min(...writes.filter(({ status }) => status === 503).map(({ answeredAt }) => answeredAt))
  if (firstRefusal === Number.POSITIVE_INFINITY) return Number.NEGATIVE_INFINITY
  const after = writes.filter((answer) => isSuccess(answer) && answer.sentAt >= firstRefusal)
  return Math.min(...after.map(({ answeredAt }) => answeredAt))
}

function longestGap(answers: readonly Answered[], from: number, to: number): number {
  const times = [
    from,
    ...answers
      .filter(isSuccess)
      .map(({ answeredAt }) => answeredAt)
      .sort((a, b) => a - b),
    to,
  ]
  return Math.max(...times.slice(1).map((time, n) => time - (times[n] as number)))
}

/** What is wrong with a history of acknowledged comments, as the database has them. */
export function wrongWith(found: readonly string[], acknowledged: readonly string[]) {
  const counts = new Map<string, number>()
  for (const content of found) counts.set(content, (counts.get(content) ?? 0) + 1)
  return {
    lost: acknowledged.filter((content) => !counts.has(content)),
    twice: [...counts].filter(([, count]) => count > 1).map(([content]) => content),
  }
}
