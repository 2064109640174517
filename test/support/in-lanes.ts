/** Does all of the work, so much of it at a time, and says how each of it ended, in its order. */
export async function inLanes<T>(
  lanes: number,
  works: readonly (() => Promise<T>)[],
): Promise<readonly PromiseSettledResult<T>[]> {
  const results: PromiseSettledResult<T>[] = []
  const lane = async (first: number) => {
    for (let i = first; i < works.length; i += lanes)
      results[i] = (await Promise.allSettled([Promise.resolve().then(works[i])]))[0] as PromiseSettledResult<T>
  }
  await Promise.all(Array.from({ length: lanes }, (_, first) => lane(first)))
  return results
}
