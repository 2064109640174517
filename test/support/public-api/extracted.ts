import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { ExtractedEntry } from '../../../tools/api-report/model.ts'
import { root } from '../documentation/pages.ts'

/** What each entry of the package exports. API Extractor is none of the packages that tests have, so it runs in its own process. */
export async function extractedEntries(): Promise<readonly ExtractedEntry[]> {
  const args = ['--import', 'tsx', 'tools/api-report/main.ts', '--json']
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, maxBuffer: 1e8 })
  return JSON.parse(stdout)
}
