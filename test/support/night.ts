/** The night sets `LEAK_WALK`: walks that ask much ask all then, and only a part of it in CI. */
export const isNight = process.env.LEAK_WALK !== undefined

const turn = Date.now()

/** All of them in the night; in CI each `share`-th, other ones each time. */
export const partOf = <T>(all: readonly T[], share = 3): readonly T[] =>
  isNight ? all : all.filter((_, i) => (i + turn) % share === 0)
