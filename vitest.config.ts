import { existsSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig, type TestProjectConfiguration } from 'vitest/config'
import { hasTurn } from './scripts/has-turn.ts'

const report = process.env.TEST_REPORT
// Who has taken out the tests of the example, as the guide does, has none.
const repeatDraws = 'test/support/repeat-draws.ts'
// They start processes, and wait for them.
const patience = { testTimeout: 600_000, hookTimeout: 600_000 }
// Nothing of ours keeps state in a module, so test files can share what they import: a third of the time.
const shared = { isolate: false }
// Pages, guides, languages and tools say the same whatever the database is, and so does what compares streams.
const sameOnAll = [
  'test/spec/{browse,documentation,languages,testing}/**',
  'test/exhaustive/{kit,languages,openapi}/**',
  'test/exhaustive/live/planted.test.ts',
]
// On other databases than SQLite, the long walks are for the night.
const walks = ['test/exhaustive/{pagination,statistics}/**', 'test/exhaustive/scope*.test.ts']
const notInCi = process.env.LEAK_WALK === undefined ? walks : []

const isCi = process.env.CI !== undefined && process.env.LEAK_WALK === undefined

/** CI has thirty minutes: of tests that take long it asks one file in so many, others for each commit. Everybody else asks all. */
const allButOneIn = (share: number, ...folders: readonly string[]): string[] =>
  folders.flatMap((folder) => {
    const files = readdirSync(`test/${folder}`, { recursive: true }).map((file) => `test/${folder}/${file}`)
    return files
      .filter((file) => file.endsWith('.test.ts'))
      .sort()
      .filter((_, i) => isCi && !hasTurn(i, share))
  })

/** They hand in clients of their own, which are not guarded. */
const ofPlainClients = ['test/spec/readers/which-reader.test.ts', 'test/spec/serializable.test.ts']

const testsIn = (folders: string): string[] => [`test/${folders}/**/*.test.ts`]
const specOf = (name: string): string => `test/spec/${name}.test.ts`
const inPart = (folder: string, share: number) => ({ include: testsIn(folder), exclude: allButOneIn(share, folder) })

/** They install applications, beside each Prisma of the range and by the tutorial, for many minutes: the night does. */
const installing = isCi ? ['test/process/prisma-versions.test.ts', 'test/process/tutorial.test.ts'] : []
const inProcess = { include: testsIn('process'), exclude: [...installing, ...allButOneIn(10, 'process')] }

const generatedFor = (provider: string): string =>
  fileURLToPath(new URL(`prisma/generated/tests/${provider}`, import.meta.url))

/** The tests of the example again, with the client and the resources that were generated for another database. */
const onDatabase = (
  provider: 'postgresql' | 'mysql',
  name: string,
  folders: string,
  env: Readonly<Record<string, string>> = {},
): TestProjectConfiguration => ({
  extends: true,
  resolve: { alias: [{ find: /^(?:\.\.?\/)+(?:prisma\/)?generated/, replacement: generatedFor(provider) }] },
  test: {
    name,
    include: testsIn(folders),
    exclude: [...sameOnAll, ...notInCi, ...(env.TEST_GUARDED ? ofPlainClients : allButOneIn(6, 'spec', 'exhaustive'))],
    globalSetup: 'test/support/global-setup.ts',
    env: { TEST_DATABASE: provider, ...env },
    ...shared,
  },
})

/** Tests that need packages which `npm ci` of the repository does not bring. */
const withPackages = (name: string, options: object): TestProjectConfiguration => ({
  extends: true,
  test: { name, include: testsIn(name), globalSetup: 'test/support/install-packages.ts', ...options },
})

const pictures = process.env.PICTURES
  ? []
  : ['pictures', 'moving-picture'].map((name) => `test/browser/${name}.test.ts`)
/** They look at every page as everybody: the night does. */
const browserWalks = isCi ? ['test/browser/{language,pages}.test.ts'] : []

// `npm test`, `npx vitest` and `npx vitest --changed` have the quick ones; who names projects or files can name all.
const namesProjects = process.argv.some((word) => word.startsWith('--project'))
const namesFiles = process.argv.some((word) => word.includes('test/'))

/** They wait, for streams, faults and the ends of times, or ask much: `npm test` takes four minutes without them. */
const patient = [
  ...['faults', 'live'].map((folder) => `test/spec/${folder}/**`),
  ...['lost-writes', 'two-spellings', 'update-unread', 'links/shapes', 'security/hidden-sizes'].map(specOf),
  ...['servers/interleaved', 'servers/nothing-through-another'].map(specOf),
]
const inApi = { include: testsIn('{api,features,spec}'), exclude: namesProjects || namesFiles ? [] : patient }

/** The tests of `npm test`: on SQLite, and all but without other processes. */
const quick: TestProjectConfiguration[] = [
  { extends: true, test: { name: 'unit', include: ['packages/*/test/**/*.test.ts', ...testsIn('unit')], ...shared } },
  { extends: true, test: { name: 'api', ...inApi, ...shared } },
  { extends: true, test: { name: 'package', include: testsIn('package'), ...shared, ...patience } },
]

/** What `npm run test:all` adds, where there is a browser and where the databases answer. */
const slow: TestProjectConfiguration[] = [
  { extends: true, test: { name: 'exhaustive', ...inPart('exhaustive', 5), ...shared, ...patience } },
  { extends: true, test: { name: 'schemas', include: testsIn('schemas'), ...shared, ...patience } },
  withPackages('documentation', {
    ...shared,
    ...patience,
    exclude: allButOneIn(4, 'documentation/cookbook', 'documentation/helpdesk'),
  }),
  withPackages('clients', shared),
  { extends: true, test: { name: 'prisma', include: testsIn('prisma'), ...patience } },
  { extends: true, test: { name: 'process', ...inProcess, ...patience } },
  withPackages('browser', { ...patience, exclude: [...pictures, ...browserWalks, ...allButOneIn(6, 'browser')] }),
  { extends: true, test: { name: 'postgres-only', ...inPart('postgres', 8), ...patience } },
  onDatabase('postgresql', 'postgres', '{api,features,spec,exhaustive}'),
  onDatabase('mysql', 'mariadb', 'api'),
  onDatabase('postgresql', 'postgres-guarded', '{api,spec,guarded}', { TEST_GUARDED: '1' }),
]

export default defineConfig({
  // Under `resolve.conditions` alone, vitest would silently test a stale `dist/`.
  ssr: { resolve: { conditions: ['prismapi/source'], externalConditions: ['prismapi/source'] } },
  // Global set-ups are resolved by these.
  environments: {
    __vitest__: { resolve: { conditions: ['prismapi/source'], externalConditions: ['prismapi/source'] } },
  },
  test: {
    // What was compiled is kept in node_modules from one run to the next.
    experimental: { fsModuleCache: true },
    // They end what hangs: a machine that is busy makes no test fail.
    testTimeout: 120_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 100_000 } },
    // Left to itself, vitest keeps one core free.
    maxWorkers: '100%',
    setupFiles: existsSync(repeatDraws) ? [repeatDraws] : [],
    reporters: [
      'default',
      ...(report ? [['json', { outputFile: report }] as [string, Record<string, unknown>]] : []),
      ...(process.env.TEST_SECONDS ? ['./scripts/tests/seconds-by-project.ts'] : []),
    ],
    projects: [...quick, ...(namesProjects ? slow : [])],
  },
})
