/** The night sets `LEAK_WALK`: walks that ask much ask all then, and only a part of it in CI. */
export const isNight = process.env.LEAK_WALK !== undefined

/** Which part is asked: CI names one for each commit, so that its run can be repeated. `TEST_TURN=all` asks all. */
const turn = process.env.TEST_TURN ?? String(Date.now())

/** Is it the turn of the nth of them, where one in so many is asked? */
export const hasTurn = (n: number, share: number): boolean =>
  isNight || turn === 'all' || (n + Number(turn)) % share === 0

/** All of them in the night; in CI each `share`-th, other ones for each commit. */
export const partOf = <T>(all: readonly T[], share = 3): readonly T[] => all.filter((_, i) => hasTurn(i, share))
