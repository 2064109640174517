// `npm run nightly -- wall`: takes one line out of the wall after the other (wall/faults.ts), and runs the walks that have to notice it
// (wall/walks.ts says which). Fails where one of them stays green. `--fault` and `--walk` name some alone.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import type { FaultName } from './wall/faults.ts'
import { type Walk, walks } from './wall/walks.ts'

const { values } = parseArgs({
  options: { fault: { type: 'string', multiple: true }, walk: { type: 'string', multiple: true } },
})
const root = path.resolve(import.meta.dirname, '../..')
const config = 'scripts/nightly/wall/vitest.config.ts'

interface Report {
  readonly testResults: readonly { readonly assertionResults: readonly Assertion[] }[]
}

interface Assertion {
  readonly status: string
  readonly fullName: string
  readonly failureMessages: readonly string[]
}

/** The first test that notices the fault, and by what; null where none does. */
async function noticing(fault: FaultName, { project, file }: Walk): Promise<string | null> {
  const scratch = mkdtempSync(path.join(tmpdir(), 'prismapi-wall-'))
  const report = path.join(scratch, 'report.json')
  const args = [
    'run',
    '--config',
    config,
    '--project',
    project,
    '--bail',
    '1',
    '--reporter',
    'json',
    '--outputFile',
    report,
  ]
  const env = { ...process.env, WALL_FAULT: fault }
  try {
    const stdio = ['ignore', 'ignore', 'inherit'] as const
    await once(spawn('npx', ['vitest', ...args, file], { cwd: root, env, stdio: [...stdio] }), 'exit')
    const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report
    const tests = testResults.flatMap(({ assertionResults }) => assertionResults)
    // A file that does not even load has noticed nothing.
    if (tests.length === 0) throw new Error(`${file} has run no test.`)
    const failed = tests.find(({ status }) => status === 'failed')
    return failed ? `${failed.fullName}: ${failed.failureMessages[0]?.split('\n')[0]}` : null
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

const isNamed = (names: readonly string[] | undefined, name: string): boolean => names?.includes(name) ?? true

for (const [name, walk] of Object.entries(walks)) {
  if (!isNamed(values.walk, walk.file)) continue
  for (const fault of walk.notices.filter((each) => isNamed(values.fault, each))) {
    const noticed = await noticing(fault, walk)
    console.log(`${fault}: ${name}: ${noticed ?? 'NOT NOTICED'}`)
    if (noticed === null) process.exitCode = 1
  }
}
