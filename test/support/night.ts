/** The night sets `LEAK_WALK`: walks that ask much ask all then, and only a part of it in CI. */
export const isNight = process.env.LEAK_WALK !== undefined
