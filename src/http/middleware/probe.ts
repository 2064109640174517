/** True while what it asks for is well; never rejects. */
export type Probe = () => Promise<boolean>

interface ProbeTimes {
  readonly timeoutMilliseconds: number
  readonly maxAgeMilliseconds: number
}

/** Asks at most once in `maxAgeMilliseconds`, for everybody who wants to know meanwhile. */
export function probe(
  check: () => PromiseLike<unknown>,
  { timeoutMilliseconds, maxAgeMilliseconds }: ProbeTimes,
): Probe {
  let result: Promise<boolean> | null = null
  const forget = () => {
    result = null
  }
  return () => {
    if (result === null) {
      result = isInTime(check, timeoutMilliseconds)
      // From the answer on: a slow one must not be old when it comes.
      void result.then(() => setTimeout(forget, maxAgeMilliseconds).unref())
    }
    return result
  }
}

/** A check that takes too long is left alone: it ends by itself, or with the connection that it waits for. */
async function isInTime(check: () => PromiseLike<unknown>, milliseconds: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), milliseconds)
  })
  const well = async () => {
    await check()
    return true
  }
  return Promise.race([well().catch(() => false), late]).finally(() => clearTimeout(timer))
}
