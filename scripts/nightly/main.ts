// `npm run nightly`: the runs that take too long for CI, one after the other, in two hours at most, and a page about them in `reports/`.
// `npm run nightly -- soak bench` runs these two, `--seed 7` draws what that night drew, `--list` shows what there is.
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { numberOption } from '../number-option.ts'
import { type Job, shownCommand } from './job.ts'
import { jobsOf } from './jobs.ts'
import { runNight } from './run-night.ts'

const root = path.resolve(import.meta.dirname, '../..')
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { list: { type: 'boolean', default: false }, seed: { type: 'string' } },
})

function chosen(jobs: readonly Job[]): readonly Job[] {
  const unknown = positionals.find((name) => !jobs.some((job) => job.name === name))
  if (unknown !== undefined)
    throw new Error(`nightly: there is no run ${unknown}. Say one of ${jobs.map(({ name }) => name).join(', ')}.`)
  return positionals.length === 0 ? jobs : jobs.filter(({ name }) => positionals.includes(name))
}

async function main(): Promise<void> {
  const began = new Date()
  const seed = numberOption('--seed', values.seed, { otherwise: began.getTime() % 2 ** 31, from: 0 })
  const jobs = chosen(jobsOf(seed))
  if (values.list) {
    for (const job of jobs)
      console.log(`${job.name}, at most ${job.minutes} min: ${job.purpose}\n  ${shownCommand(job)}`)
    return
  }
  const folder = path.join(root, 'reports', `nightly-${began.toISOString().slice(0, 19).replaceAll(':', '-')}`)
  mkdirSync(folder, { recursive: true })
  const ended = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ended.abort())
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim()
  const night = { began, seed, commit, cores: availableParallelism() }
  const { isGood, file } = await runNight(jobs, { root, folder, night, ended: ended.signal, tell: console.log })
  console.log(`The report: ${path.relative(process.cwd(), file)}`)
  if (!isGood || ended.signal.aborted) process.exitCode = 1
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})
