/**
 * For each item that is wanted the place of one that was found, no two of them the same and as many as there can be;
 * null where none is left.
 */
export function pairs<F, W>(
  found: readonly F[],
  wanted: readonly W[],
  isRight: (found: F, wanted: W) => boolean,
): readonly (number | null)[] {
  const known: boolean[][] = wanted.map(() => [])
  const fits = (taker: number, place: number): boolean => {
    const row = known[taker] as boolean[]
    row[place] ??= isRight(found[place] as F, wanted[taker] as W)
    return row[place]
  }
  const takers = new Map<number, number>()
  // An item takes a place from another item if that one finds another place (augmenting paths of a bipartite matching).
  const take = (taker: number, tried: Set<number>): boolean =>
    found.some((_, i) => {
      // Its own place first: lists of one order are soon through.
      const place = (taker + i) % found.length
      if (tried.has(place) || !fits(taker, place)) return false
      tried.add(place)
      const other = takers.get(place)
      if (other !== undefined && !take(other, tried)) return false
      takers.set(place, taker)
      return true
    })
  for (const taker of wanted.keys()) take(taker, new Set())
  const places = new Map([...takers].map(([place, taker]) => [taker, place]))
  return wanted.map((_, taker) => places.get(taker) ?? null)
}
