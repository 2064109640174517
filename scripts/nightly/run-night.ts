import { writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Job, Outcome } from './job.ts'
import { type Night, reportOf } from './report.ts'
import { type Place, runJob } from './run-job.ts'

interface Run extends Place {
  readonly night: Night
  readonly tell: (line: string) => void
}

/**
 * One job after the other, each whatever became of those before it. The report is written after each: a machine that goes down in the
 * night leaves what was seen before.
 *
 * @returns whether none has failed, and where the report is.
 */
export async function runNight(jobs: readonly Job[], run: Run) {
  const file = path.join(run.folder, 'index.html')
  const outcomes: Outcome[] = []
  for (const job of jobs) {
    run.tell(`== ${job.name}: ${job.purpose}`)
    const outcome = await runJob(job, run)
    outcomes.push(outcome)
    run.tell(`   ${outcome.result}, ${outcome.reason}, ${outcome.seconds} s`)
    writeFileSync(file, reportOf(run.night, outcomes, jobs.slice(outcomes.length)))
  }
  const isGood = outcomes.every(({ result }) => result === 'passed' || result === 'left out')
  return { isGood, file, outcomes }
}
