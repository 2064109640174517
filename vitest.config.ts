import { defineConfig } from 'vitest/config'

const report = process.env.TEST_REPORT
// Starts processes, and waits for them.
const patience = { testTimeout: 120_000, hookTimeout: 120_000 }

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
      { extends: true, test: { name: 'unit', include: ['test/unit/**/*.test.ts'] } },
      {
        extends: true,
        test: {
          name: 'api',
          include: ['test/{api,spec}/**/*.test.ts'],
          globalSetup: 'test/support/global-setup.ts',
        },
      },
      { extends: true, test: { name: 'package', include: ['test/package/**/*.test.ts'], ...patience } },
    ],
  },
})
