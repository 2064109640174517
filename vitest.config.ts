import { defineConfig } from 'vitest/config'

const report = process.env.TEST_REPORT
// They start processes, and wait for them.
const patience = { testTimeout: 120_000, hookTimeout: 120_000 }
// Nothing of ours keeps state in a module, so test files can share what they import: a third of the time.
const shared = { isolate: false }
const onPostgres = 'test/package/*-postgres.test.ts'

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
          globalSetup: 'test/support/global-setup.ts',
          ...shared,
        },
      },
      {
        extends: true,
        test: { name: 'package', include: ['test/package/**/*.test.ts'], exclude: [onPostgres], ...patience },
      },
      { extends: true, test: { name: 'postgres', include: [onPostgres], ...patience } },
    ],
  },
})
