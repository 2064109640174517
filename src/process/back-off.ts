/** How long a process has to live for its end to be no sign that the next one will end as soon. */
const longLife = 10_000
const first = 100
const longest = 10_000

export interface BackOff {
  /** Milliseconds to wait before another process takes the place of one that lived that long. */
  after(livedMilliseconds: number): number
}

/** The first is replaced at once; those that die young, one after the other, after a time that doubles up to ten seconds. */
export function backOff(): BackOff {
  let diedYoung = 0
  return {
    after(lived) {
      diedYoung = lived < longLife ? diedYoung + 1 : 0
      return diedYoung < 2 ? 0 : Math.min(first * 2 ** (diedYoung - 2), longest)
    },
  }
}
