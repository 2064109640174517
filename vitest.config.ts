import { fileURLToPath } from 'node:url'
import { defineConfig, type TestProjectConfiguration } from 'vitest/config'

const report = process.env.TEST_REPORT
// They start processes, and wait for them.
const patience = { testTimeout: 120_000, hookTimeout: 120_000 }
// Nothing of ours keeps state in a module, so test files can share what they import: a third of the time.
const shared = { isolate: false }
const migrationsOnPostgres = 'test/package/**/*-postgres.test.ts'
// Pages, guides and tools say the same whatever the database is.
const sameOnAll = 'test/spec/{browse,clients,cookbook,kit,testing}/**'
const globalSetup = 'test/support/global-setup.ts'

/** The tests of the example again, with the client and the resources that were generated for another database. */
const onDatabase = (provider: 'postgresql' | 'mysql', name: string, tests: string): TestProjectConfiguration => ({
  extends: true,
  resolve: { alias: [{ find: /^(?:\.\.?\/)+(?:prisma\/)?generated/, replacement: generatedFor(provider) }] },
  test: {
    name,
    include: [tests],
    exclude: [sameOnAll],
    globalSetup,
    env: { TEST_DATABASE: provider },
    ...shared,
  },
})

const generatedFor = (provider: string): string =>
  fileURLToPath(new URL(`prisma/generated/tests/${provider}`, import.meta.url))

export default defineConfig({
  // Under `resolve.conditions` alone, vitest would silently test a stale `dist/`.
  ssr: { resolve: { conditions: ['prismapi/source'], externalConditions: ['prismapi/source'] } },
  test: {
    testTimeout: 20_000,
    hookTimeout: 60_000,
    // Left to itself, vitest keeps one core free.
    maxWorkers: '100%',
    reporters: report ? ['default', ['json', { outputFile: report }]] : ['default'],
    projects: [
      { extends: true, test: { name: 'unit', include: ['test/unit/**/*.test.ts'], ...shared } },
      {
        extends: true,
        test: {
          name: 'api',
          include: ['test/{api,spec}/**/*.test.ts'],
          globalSetup,
          ...shared,
        },
      },
      {
        extends: true,
        test: { name: 'package', include: ['test/package/**/*.test.ts'], exclude: [migrationsOnPostgres], ...patience },
      },
      { extends: true, test: { name: 'postgres-migrations', include: [migrationsOnPostgres], ...patience } },
      { extends: true, test: { name: 'browser', include: ['test/browser/**/*.test.ts'], globalSetup, ...patience } },
      onDatabase('postgresql', 'postgres', 'test/{api,spec}/**/*.test.ts'),
      onDatabase('mysql', 'mariadb', 'test/api/**/*.test.ts'),
    ],
  },
})
