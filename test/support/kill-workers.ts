import { expect } from 'vitest'
import { missingTags, writeTags } from './acknowledged-writes.ts'
import { workersOf } from './worker-processes.ts'

interface Supervisor {
  readonly pid: number
  readonly origin: string
  readonly secret: string
  /** What it has logged so far, with LOG_LEVEL=debug. */
  readonly log: () => string
}

/** Kills the workers of a process, one after the other, while clients write; the others have to go on, and nothing is lost. */
export async function killWorkers({ pid, origin, secret, log }: Supervisor): Promise<void> {
  const load = await writeTags(origin, secret)
  const someMore = async () => {
    const before = load.acknowledged.length
    await expect.poll(() => load.acknowledged.length).toBeGreaterThan(before + 20)
  }
  const ready = () => log().match(/A worker is ready/g)?.length ?? 0
  await someMore()
  const killed = workersOf(pid)
  for (const worker of killed) {
    const before = ready()
    process.kill(worker, 'SIGKILL')
    await someMore()
    await expect.poll(ready).toBe(before + 1)
    await someMore()
  }
  const { acknowledged, statuses } = await load.stop()
  expect(workersOf(pid)).toHaveLength(killed.length)
  expect(workersOf(pid).filter((each) => killed.includes(each))).toEqual([])
  expect(Object.keys(statuses).filter((status) => !['201', '503', 'lost'].includes(status))).toEqual([])
  // No more than what the killed ones had at hand, and those that they had not yet accepted.
  expect(statuses.lost ?? 0).toBeLessThanOrEqual(16 * killed.length)
  expect(await missingTags(origin, acknowledged)).toEqual([])
}
