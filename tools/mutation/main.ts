// `npm run mutation -- condition auth`: changes what these rooms say, one place at a time, and has their tests notice it.
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import type { LogLevel, MutantResult } from '@stryker-mutator/api/core'
import { Stryker } from '@stryker-mutator/core'
import { numberOption } from '../../scripts/number-option.ts'
import { rooms } from './rooms.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { cores: { type: 'string' }, fresh: { type: 'boolean', default: false } },
})
const cores = numberOption('--cores', values.cores, { otherwise: 2 })
const least = 85
const folder = 'reports/mutation'

async function run(name: string): Promise<void> {
  const room = rooms.find((each) => each.name === name)
  if (!room) throw new Error(`There is no room ${name}. Say one of ${rooms.map((each) => each.name).join(', ')}.`)
  // vitest.config.ts reads it, in the processes that Stryker starts.
  process.env.MUTATION_TESTS = JSON.stringify(room.tests)
  const began = performance.now()
  const stryker = new Stryker({
    mutate: [`packages/${room.package}/src/${name}/**/*.ts`],
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'tools/mutation/vitest.config.ts', related: false },
    coverageAnalysis: 'perTest',
    concurrency: cores,
    incremental: true,
    incrementalFile: path.join(folder, `${name}.incremental.json`),
    force: values.fresh,
    // The tests are TypeScript that Node and vite strip of its types.
    disableTypeChecks: false,
    reporters: ['html', 'progress-append-only'],
    htmlReporter: { fileName: path.join(folder, `${name}.html`) },
    tempDirName: path.join(folder, 'copies'),
    ignorePatterns: ['/packages/*/dist', '/reports', '/docs'],
    allowConsoleColors: false,
    // An enum that only the compiler has.
    logLevel: 'warn' as LogLevel,
  })
  tell(name, await stryker.runMutationTest(), (performance.now() - began) / 60_000)
}

const noticed: ReadonlySet<string> = new Set(['Killed', 'Timeout'])
const missed: ReadonlySet<string> = new Set(['Survived', 'NoCoverage'])

function tell(name: string, mutants: readonly MutantResult[], minutes: number): void {
  const of = (statuses: ReadonlySet<string>) => mutants.filter(({ status }) => statuses.has(status))
  const survivors = of(missed)
  const all = of(noticed).length + survivors.length
  for (const { fileName, location, status, mutatorName, replacement = '' } of survivors) {
    const place = `${path.relative('.', fileName)}:${location.start.line}:${location.start.column}`
    console.log(`${place} ${mutatorName}${status === 'Survived' ? '' : ', in no test'}: ${replacement.split('\n')[0]}`)
  }
  const score = (100 * of(noticed).length) / all
  console.log(`${name}: ${score.toFixed(1)} % of ${all} changes were noticed, in ${minutes.toFixed(0)} min`)
  if (!(score >= least)) process.exitCode = 1
}

mkdirSync(folder, { recursive: true })
for (const name of positionals.length > 0 ? positionals : rooms.map((each) => each.name)) await run(name)
