import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { makeTemplate } from './database.ts'

/** One migrated and seeded database for the whole run; test files copy it. */
export default async function setup(): Promise<() => void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'prismapi-template-'))
  const file = path.join(folder, 'template.db')
  await makeTemplate(file)
  process.env.PRISMAPI_TEST_TEMPLATE = file
  return () => rmSync(folder, { recursive: true, force: true })
}
