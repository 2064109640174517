import { expect, test } from 'vitest'
import { type Outcome, shownCommand } from '../../../scripts/nightly/job.ts'
import { reportOf } from '../../../scripts/nightly/report.ts'

const night = { began: new Date('2030-01-02T03:04:05Z'), seed: 42, commit: 'abc1234', cores: 2 }
const told = { tests: null, seeds: [], end: '' }
const job = (name: string, minutes = 2) =>
  ({ name, purpose: `What ${name} shows.`, command: ['npm', 'run', name], minutes }) as const

const outcomes: readonly Outcome[] = [
  {
    job: job('kill'),
    result: 'passed',
    reason: 'exit code 0',
    seconds: 75,
    log: 'kill.log',
    told: { tests: { run: 30, failed: 0 }, seeds: ['Seed 42'], end: '{ "lost": [] }' },
  },
  {
    job: job('fuzz'),
    result: 'failed',
    reason: 'exit code 1',
    seconds: 9,
    log: 'fuzz.log',
    told: { tests: { run: 12, failed: 3 }, seeds: [], end: 'expected <b> & "c"' },
  },
  { job: job('soak'), result: 'over its budget', reason: 'ended after 2 minutes', seconds: 120, log: 'soak.log', told },
  { job: job('scaling'), result: 'left out', reason: 'haproxy is not installed', seconds: 0, log: null, told },
]

const page = reportOf(night, outcomes, [job('bench', 10)])
/** What a reader sees, one space between words. */
const shown = page
  .replace(/<style>.*<\/style>/s, '')
  .replace(/<[^>]+>/g, ' ')
  .replace(/\s+/g, ' ')

test('the page says first what failed, what was left out, and what is still to come', () => {
  expect(shown).toContain('1 failed (fuzz); 1 over its budget (soak); 1 left out (scaling); 1 passed; 1 to come')
  expect(shown).toContain('Commit abc1234')
  expect(shown).toContain('seed 42. 3 min 24 s of a budget of 18 min 0 s.')
})

test('each job has its result, time, budget, tests and log in a row', () => {
  expect(shown).toContain('kill passed 1 min 15 s 2 min 30 0 log fuzz failed 9 s 2 min 12 3 log')
  expect(shown).toContain('soak over its budget 2 min 0 s 2 min log scaling left out 0 s 2 min bench to come 10 min')
})

test('each job has its purpose, the command that repeats it, its seeds, its log and the end of what it said', () => {
  expect(shown).toContain(
    'kill: passed What kill shows. Again: npm run kill exit code 0; kill.log Seed 42 The end of what it said { &quot;lost&quot;: [] }',
  )
  expect(page).toContain('<a href="kill.log">kill.log</a>')
  expect(shown).toContain('scaling: left out What scaling shows. Again: npm run scaling haproxy is not installed')
})

test('what a failed job said is open, what a good one said is not; all of it is text', () => {
  expect(page).toContain(
    '<details open><summary>The end of what it said</summary><pre>expected &lt;b&gt; &amp; &quot;c&quot;</pre>',
  )
  expect(page).toContain('<details><summary>The end of what it said</summary><pre>{ &quot;lost&quot;')
})

test('the page needs no other file', () => {
  expect(page.match(/(?:src|href)="(?!#)[^"]*"/g)).toEqual([
    ...['kill', 'fuzz', 'soak', 'kill', 'fuzz', 'soak'].map((name) => `href="${name}.log"`),
  ])
})

test('a command is shown as a shell takes it', () => {
  const command = [process.execPath, '--import', 'tsx', 'a file.ts', 'FC_SEED=1'] as const
  expect(shownCommand({ ...job('x'), command })).toBe("node --import tsx 'a file.ts' FC_SEED=1")
})
