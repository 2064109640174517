import { hasTurn } from '../../scripts/has-turn.ts'

/** The night sets `LEAK_WALK`: walks that ask much ask all then, and only a part of it in CI. */
export const isNight = process.env.LEAK_WALK !== undefined

/** All of them in the night; in CI each `share`-th, other ones for each commit. */
export const partOf = <T>(all: readonly T[], share = 3): readonly T[] =>
  isNight ? all : all.filter((_, i) => hasTurn(i, share))
