import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { defineConfig } from 'vitest/config'
import { FailedFiles } from './failed-files.ts'
import { endThread, WarmThread } from './warm-thread.ts'

type Exports = Readonly<Record<string, string | Readonly<Record<string, string>>>>
const packages = path.resolve(import.meta.dirname, '../../packages')

/** The sources of the packages in Stryker's copy: `node_modules` leads to those that are not changed. */
const alias = readdirSync(packages).flatMap((folder) => {
  const { name, exports } = JSON.parse(readFileSync(path.join(packages, folder, 'package.json'), 'utf8')) as Manifest
  const entries = Object.entries(exports)
  return entries.flatMap(([entry, to]) => {
    const source = typeof to === 'string' ? undefined : to['prismapi/source']
    if (source === undefined) return []
    const find = new RegExp(`^${path.posix.join(name, entry).replace('*', '(.+)')}$`)
    return [{ find, replacement: path.join(packages, folder, source.replace('*', '$1')) }]
  })
})

interface Manifest {
  readonly name: string
  readonly exports: Exports
}

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
  resolve: { alias },
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
