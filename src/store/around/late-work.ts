import type { AfterCommit } from '../store.ts'

/**
 * Does the work for after a commit. The write is done and acknowledged: what goes wrong behind it is the application's to
 * know, not the client's.
 */
export async function doLate(works: readonly AfterCommit[], onFailure: (error: unknown) => void): Promise<void> {
  for (const work of works) {
    try {
      await work()
    } catch (error) {
      onFailure(error)
    }
  }
}
