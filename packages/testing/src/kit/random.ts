/** Mulberry32: enough of a random number, and the same ones again for the same seed. */
export function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** So many of the items, picked by chance and left in their order. */
export function sampleOf<T>(items: readonly T[], count: number, seed: number): readonly T[] {
  if (items.length <= count) return items
  const random = randomFrom(seed)
  const ranked = items.map((item, at) => ({ item, at, rank: random() })).sort((a, b) => a.rank - b.rank)
  return ranked
    .slice(0, count)
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item)
}
