import type { RunnerTestCase } from 'vitest'
import type { Reporter, Vitest } from 'vitest/node'

/** Stryker looks at tests alone: to it, a file that cannot be loaded has noticed nothing. So it gets one test, which has failed. */
export class FailedFiles implements Reporter {
  private vitest: Vitest | null = null

  onInit(vitest: Vitest): void {
    this.vitest = vitest
  }

  onTestRunEnd(): void {
    for (const file of this.vitest?.state.getFiles() ?? []) {
      const { result } = file
      if (result?.state !== 'fail' || file.tasks.length > 0) continue
      file.tasks.push({
        type: 'test',
        name: 'is loaded',
        mode: 'run',
        file,
        suite: file,
        result,
      } as unknown as RunnerTestCase)
    }
  }
}
