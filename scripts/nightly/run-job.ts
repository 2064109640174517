import { spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Job, Outcome } from './job.ts'
import { toldBy } from './told.ts'

/** Where and how the jobs of a night run. */
export interface Place {
  /** The folder that they run in. */
  readonly root: string
  /** The folder of the report and the logs. */
  readonly folder: string
  /** Between the signal that asks a job to end and the one that ends it. */
  readonly graceMilliseconds?: number
  /** Aborted when somebody ends the night: the job that runs is ended as well. */
  readonly ended?: AbortSignal
}

interface End {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  /** Why there was no process. */
  readonly error?: Error
}

const nothingTold = { tests: null, seeds: [], end: '' }

/** Runs it, its output in a file. Whatever happens to it is an outcome: the next job has its turn. */
export async function runJob(job: Job, place: Place): Promise<Outcome> {
  const lack = job.lacks?.() ?? null
  const leftOut = place.ended?.aborted ? 'the night was ended before' : lack
  if (leftOut !== null) return { job, result: 'left out', reason: leftOut, seconds: 0, log: null, told: nothingTold }
  const log = `${job.name.replaceAll(/[^\w-]/g, '-')}.log`
  const file = path.join(place.folder, log)
  const began = performance.now()
  const { end, isLate } = await runInGroup(job, file, place)
  const seconds = Math.round((performance.now() - began) / 1000)
  return { job, ...judged(job, end, isLate), seconds, log, told: toldBy(readFileSync(file, 'utf8')) }
}

function judged({ minutes }: Job, { code, signal, error }: End, isLate: boolean): Pick<Outcome, 'result' | 'reason'> {
  if (isLate) return { result: 'over its budget', reason: `ended after ${minutes} minutes` }
  if (error) return { result: 'failed', reason: error.message }
  const reason = signal ? `ended by ${signal}` : `exit code ${code}`
  return { result: code === 0 ? 'passed' : 'failed', reason }
}

/** In a process group of its own, of which nothing is left when it has ended or its time is over. */
async function runInGroup({ command, minutes }: Job, file: string, { root, graceMilliseconds, ended }: Place) {
  const [program, ...args] = command
  const output = openSync(file, 'w')
  const env = { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined }
  const child = spawn(program, args, { cwd: root, stdio: ['ignore', output, output], detached: true, env })
  closeSync(output)
  const signal = (name: NodeJS.Signals) => child.pid !== undefined && signalGroup(child.pid, name)
  let killing: NodeJS.Timeout | undefined
  const stop = () => {
    signal('SIGTERM')
    killing = setTimeout(() => signal('SIGKILL'), graceMilliseconds ?? 10_000)
  }
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    stop()
  }, minutes * 60_000)
  ended?.addEventListener('abort', stop)
  const end = await new Promise<End>((resolve) => {
    child.once('error', (error) => resolve({ code: null, signal: null, error }))
    child.once('exit', (code, name) => resolve({ code, signal: name }))
  })
  ended?.removeEventListener('abort', stop)
  clearTimeout(timer)
  clearTimeout(killing)
  // What it left behind would take the time of the next one.
  signal('SIGKILL')
  return { end, isLate }
}

function signalGroup(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(-pid, name)
  } catch (error) {
    // There is nobody left, or nobody who may be ended: a program that was started as root.
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ESRCH' && code !== 'EPERM') throw error
  }
}
