import type { AfterCommit } from '../store.ts'

/** Does the work for after a commit. The write succeeded: what fails behind it is told to the application, not to the client. */
export async function runAfterCommit(
  works: readonly AfterCommit[],
  onFailure: (error: unknown) => void,
): Promise<void> {
  for (const work of works) {
    try {
      await work()
    } catch (error) {
      onFailure(error)
    }
  }
}
