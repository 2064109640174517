interface FileCounts {
  f: Record<string, number>
  readonly b: Readonly<Record<string, number[]>>
}

/** What the instrumented files have counted. Each branch, in each order of magnitude of its count, is a feature. */
export class Coverage {
  private readonly counters: readonly number[][]
  private readonly seen: Uint8Array
  private found = 0

  /** Of the files that are loaded by now. */
  constructor() {
    const counted = (globalThis as { __coverage__?: Record<string, FileCounts> }).__coverage__ ?? {}
    this.counters = Object.values(counted).flatMap((file) => {
      const functions = Object.values(file.f)
      // An array counts as the object does, and is read faster.
      file.f = functions as unknown as Record<string, number>
      return [functions, ...Object.values(file.b)]
    })
    this.seen = new Uint8Array(this.counters.reduce((sum, { length }) => sum + length, 0))
    if (this.seen.length === 0) throw new Error('Nothing is instrumented: start it by npm run fuzz.')
    this.takesNew()
    this.found = 0
  }

  get size(): number {
    return this.seen.length
  }

  /** How many features there were. */
  get features(): number {
    return this.found
  }

  /** Has the work since the last call taken a branch that was never taken, or more often than ever. Counts anew. */
  takesNew(): boolean {
    const before = this.found
    let at = 0
    for (const counts of this.counters) {
      for (let i = 0; i < counts.length; i++, at++) {
        const count = counts[i] as number
        if (count === 0) continue
        counts[i] = 0
        const bit = 1 << magnitude(count)
        if (((this.seen[at] as number) & bit) !== 0) continue
        this.seen[at] = (this.seen[at] as number) | bit
        this.found++
      }
    }
    return this.found > before
  }
}

/** Once, twice, up to four times, …: eight in all. */
const magnitude = (count: number): number => Math.min(7, 31 - Math.clz32(count))
