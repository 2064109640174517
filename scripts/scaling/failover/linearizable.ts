// Whether a history of operations on one object could be that of an object which does one operation after the other, each
// at an instant between its call and its return: Wing and Gong's search, made just in time and with its configurations
// remembered, as by Lowe (Testing for linearizability, 2017) and in Knossos.

/** An operation as its client saw it. */
export interface Timed<O> {
  readonly what: O
  readonly calledAt: number
  /** Null where the client never learnt what came of it: it may take effect at any time from its call on, or never. */
  readonly returnedAt: number | null
}

/** An object that does one operation after the other. */
export interface Model<O> {
  readonly initial: string
  /** The state behind the operation; null where the operation cannot have gone as it did in that state. */
  step(state: string, what: O): string | null
}

export interface Verdict<O> {
  readonly isLinearizable: boolean
  /** The first operation behind which no order explains what all have seen; null where there is none. */
  readonly contradiction: Timed<O> | null
  /** The most configurations that were possible at one time. */
  readonly widest: number
}

/** An order that is possible so far: where it leads, and which of the operations under way are in it. */
interface Configuration {
  readonly state: string
  readonly done: readonly number[]
}

const mostConfigurations = 100_000

/** @throws {Error} where too many orders are possible to look at all of them. */
export function checkLinearizable<O>(history: readonly Timed<O>[], model: Model<O>): Verdict<O> {
  let possible = remembered([{ state: model.initial, done: [] }])
  let widest = 1
  const underWay = new Set<number>()
  for (const { kind, n } of eventsOf(history)) {
    if (kind === 'call') {
      underWay.add(n)
      continue
    }
    const { reached, looked } = upTo(n, { history, model, underWay, possible })
    widest = Math.max(widest, looked)
    if (reached.size === 0) return { isLinearizable: false, contradiction: history[n] as Timed<O>, widest }
    underWay.delete(n)
    possible = reached
  }
  return { isLinearizable: true, contradiction: null, widest }
}

interface Search<O> {
  readonly history: readonly Timed<O>[]
  readonly model: Model<O>
  readonly underWay: ReadonlySet<number>
  readonly possible: ReadonlyMap<string, Configuration>
}

/** All configurations in which the operation that returns is done: before it, in any order, what was called before it returned. */
function upTo<O>(returning: number, { history, model, underWay, possible }: Search<O>) {
  const seen = new Map(possible)
  const reached: Configuration[] = []
  // A map's iteration goes on with what is added meanwhile.
  for (const configuration of seen.values()) {
    const { state, done } = configuration
    if (done.includes(returning)) {
      reached.push({ state, done: done.filter((n) => n !== returning) })
      continue
    }
    for (const n of underWay) {
      if (done.includes(n)) continue
      const next = model.step(state, (history[n] as Timed<O>).what)
      if (next !== null) remember(seen, { state: next, done: [...done, n].sort((a, b) => a - b) })
    }
    if (seen.size > mostConfigurations) throw new Error(`More than ${mostConfigurations} orders are possible at once.`)
  }
  return { reached: remembered(reached), looked: seen.size }
}

function remembered(configurations: readonly Configuration[]): ReadonlyMap<string, Configuration> {
  const all = new Map<string, Configuration>()
  for (const each of configurations) remember(all, each)
  return all
}

function remember(all: Map<string, Configuration>, each: Configuration): void {
  const key = `${each.done.join()} ${each.state}`
  if (!all.has(key)) all.set(key, each)
}

/** Calls and returns in their order. Those of one instant overlap. */
function eventsOf(history: readonly Timed<unknown>[]) {
  const events = history.flatMap(({ calledAt, returnedAt }, n) => [
    { kind: 'call' as const, n, at: calledAt },
    ...(returnedAt === null ? [] : [{ kind: 'return' as const, n, at: returnedAt }]),
  ])
  return events.sort((a, b) => a.at - b.at || a.kind.localeCompare(b.kind))
}
