const workers = 6

/** Works on all of them, a few at the same time. */
export async function eachOf<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = items.values()
  const run = async () => {
    for (const item of left) await work(item)
  }
  await Promise.all(Array.from({ length: workers }, run))
}
