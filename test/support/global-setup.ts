import type { TestProject } from 'vitest/node'
import { makeTemplate, type Provider } from './database.ts'

/** One migrated and seeded database on the server for the whole run; test files copy it. */
export default (project: TestProject): Promise<() => Promise<void>> =>
  makeTemplate(project.config.env?.TEST_DATABASE as Provider)
