import { defineConfig } from 'vitest/config'
import { FailedFiles } from './failed-files.ts'
import { endThread, WarmThread } from './warm-thread.ts'

// What Stryker runs, in its copy of the repository: the tests of one room, which main.ts names.
export default defineConfig({
  plugins: [
    {
      name: 'warm-thread',
      buildEnd: endThread,
      configureVitest({ project }) {
        Object.assign(project.config, {
          pool: 'warm',
          poolRunner: { name: 'warm', createPoolWorker: (options: never) => new WarmThread(options) },
        })
      },
    },
  ],
  ssr: { resolve: { conditions: ['prismapi/source'], externalConditions: ['prismapi/source'] } },
  test: {
    include: JSON.parse(process.env.MUTATION_TESTS ?? '[]'),
    // Modules are shared by the files of a run; reset.ts says which of them the next run has, too.
    isolate: false,
    setupFiles: 'tools/mutation/reset.ts',
    reporters: [new FailedFiles()],
    testTimeout: 120_000,
    hookTimeout: 300_000,
  },
})
