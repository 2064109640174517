import { onTestFinished, vi } from 'vitest'

/** What the work finds out about the instants of large tables is not asked again for as long as the test runs: no time passes behind it. */
export async function lookedAtOnce(work: () => Promise<unknown>): Promise<void> {
  let now = performance.now()
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => ++now)
  onTestFinished(() => clock.mockRestore())
  await work()
  clock.mockReturnValue(now)
}
