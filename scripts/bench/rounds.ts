/**
 * The median times of each piece of work, in milliseconds. A round does all of them, so that a busy moment is everybody's;
 * each begins with another, so that none always comes after the dearest.
 */
export async function mediansOf(works: readonly (() => unknown)[], rounds: number): Promise<readonly number[]> {
  const times: number[][] = works.map(() => [])
  const warmUp = Math.ceil(rounds / 10)
  for (let round = 0; round < warmUp + rounds; round++) {
    for (let turn = 0; turn < works.length; turn++) {
      const index = orderOf(round, turn, works.length)
      const start = performance.now()
      await works[index]?.()
      if (round >= warmUp) times[index]?.push(performance.now() - start)
    }
  }
  return times.map(median)
}

// Forwards and backwards by turns, each time from another one.
const orderOf = (round: number, turn: number, count: number): number =>
  (round + (round % 2 === 0 ? turn : count - turn)) % count

const median = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[times.length >> 1] as number
