import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { Job } from '../../scripts/nightly/job.ts'
import { runNight } from '../../scripts/nightly/run-night.ts'

const root = mkdtempSync(path.join(tmpdir(), 'prismapi-nightly-'))
afterAll(() => rmSync(root, { recursive: true }))

const job = (name: string, script: string, more: Partial<Job> = {}): Job => ({
  name,
  purpose: `Shows ${name}.`,
  command: [process.execPath, '-e', script],
  minutes: 1,
  ...more,
})

const night = { began: new Date(), seed: 1, commit: 'abc1234', cores: 2 }

/** What became of the jobs, `name: result, reason`, and the page. */
async function run(jobs: readonly Job[], ended?: AbortSignal) {
  const folder = mkdtempSync(path.join(root, 'report-'))
  const place = { root, folder, graceMilliseconds: 300, ...(ended && { ended }) }
  const { isGood, file, outcomes } = await runNight(jobs, { ...place, night, tell: () => {} })
  return {
    isGood,
    folder,
    page: readFileSync(file, 'utf8'),
    outcomes,
    became: outcomes.map(({ job, result, reason }) => `${job.name}: ${result}, ${reason}`),
  }
}

/** A zombie is not: it does nothing any more. */
const isAlive = (pid: number): boolean =>
  /^[^Z\s]/.test(spawnSync('ps', ['-o', 'stat=', '-p', `${pid}`]).stdout.toString())

test('all jobs have their turn, whatever became of those before', async () => {
  const { isGood, became, outcomes, folder, page } = await run([
    job('good', 'console.log("acknowledged: 5"); console.error("Seed 9")'),
    job('bad', 'console.log("lost: 1"); process.exit(3)'),
    job('killed', 'process.kill(process.pid, "SIGKILL")'),
    job('missing', '', { command: ['no-such-program'] }),
    job('elsewhere', '', { lacks: () => 'this machine has no such thing' }),
    job('last', 'console.log("done")'),
  ])
  expect(became).toEqual([
    'good: passed, exit code 0',
    'bad: failed, exit code 3',
    'killed: failed, ended by SIGKILL',
    'missing: failed, spawn no-such-program ENOENT',
    'elsewhere: left out, this machine has no such thing',
    'last: passed, exit code 0',
  ])
  expect(isGood).toBe(false)
  expect(readFileSync(path.join(folder, 'good.log'), 'utf8')).toBe('acknowledged: 5\nSeed 9\n')
  expect(outcomes[0]?.told).toEqual({ tests: null, seeds: ['Seed 9'], end: 'acknowledged: 5\nSeed 9' })
  expect(page).toContain('3 failed (bad, killed, missing); 1 left out (elsewhere); 2 passed')
})

test('a night of which some jobs were left out, and none failed, is a good one', async () => {
  const jobs = [job('good', ''), job('elsewhere', '', { lacks: () => 'it is not there' })]
  expect((await run(jobs)).isGood).toBe(true)
})

test('a job over its budget is ended with all that it started, asked first and then not any more', async () => {
  const child = `process.on('SIGTERM', () => console.log('asked')); setInterval(() => {}, 1000)`
  const parent = `
    const { spawn } = require('node:child_process')
    const child = spawn(process.execPath, ['-e', ${JSON.stringify(child)}], { stdio: 'inherit' })
    require('node:fs').writeFileSync('pid', String(child.pid))
    ${child}`
  const { isGood, became, outcomes } = await run([job('endless', parent, { minutes: 10 / 60 }), job('last', '')])
  expect(became).toEqual([`endless: over its budget, ended after ${10 / 60} minutes`, 'last: passed, exit code 0'])
  expect(isGood).toBe(false)
  expect(outcomes[0]?.told.end).toBe('asked\nasked')
  expect(isAlive(Number(readFileSync(path.join(root, 'pid'), 'utf8')))).toBe(false)
})

test('nothing that a job has left behind goes on', async () => {
  const script = `
    const { spawn } = require('node:child_process')
    const child = spawn('sleep', ['600'], { stdio: 'inherit' })
    require('node:fs').writeFileSync('left', String(child.pid))
    process.exit(0)`
  expect((await run([job('careless', script)])).became).toEqual(['careless: passed, exit code 0'])
  const pid = Number(readFileSync(path.join(root, 'left'), 'utf8'))
  await expect.poll(() => isAlive(pid)).toBe(false)
})

test('who ends the night ends the job that runs, and gets a report', async () => {
  const ended = new AbortController()
  const script = `require('node:fs').writeFileSync('runs', ''); setInterval(() => {}, 1000)`
  const running = run([job('long', script), job('next', '')], ended.signal)
  await expect.poll(() => existsSync(path.join(root, 'runs')), { timeout: 120_000 }).toBe(true)
  ended.abort()
  expect((await running).became).toEqual([
    'long: failed, ended by SIGTERM',
    'next: left out, the night was ended before',
  ])
})
