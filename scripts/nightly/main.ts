// `npm run nightly`: the runs that take too long for CI, one after the other, and a report of them in `reports/`.
// `npm run nightly -- soak bench` runs these two, `npm run nightly -- --list` shows what there is.
import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { jobs } from './jobs.ts'

type Job = (typeof jobs)[number]

interface Outcome {
  readonly name: string
  readonly command: string
  readonly result: 'passed' | 'failed' | 'left out'
  /** The exit code, that it took too long, or what the machine lacks. */
  readonly reason: string
  readonly seconds: number
  /** The end of what it said. */
  readonly output: string
}

const root = path.resolve(import.meta.dirname, '../..')
const kept = 20_000

async function outcomeOf(job: Job): Promise<Outcome> {
  const command = job.command.map((word) => (word === process.execPath ? 'node' : word)).join(' ')
  const lack = job.lacks?.() ?? null
  if (lack !== null) return { name: job.name, command, result: 'left out', reason: lack, seconds: 0, output: '' }
  const began = performance.now()
  const { code, output, isLate } = await run(job)
  const reason = isLate ? `It took more than ${job.minutes} minutes.` : `exit code ${code}`
  const result = code === 0 && !isLate ? 'passed' : 'failed'
  return { name: job.name, command, result, reason, seconds: Math.round((performance.now() - began) / 1000), output }
}

/** Runs it in a process group of its own, which ends as a whole where it takes too long. */
function run({ command: [program, ...args], minutes }: Job) {
  const child = spawn(program, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  let output = ''
  let isLate = false
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      process.stdout.write(text)
      output = (output + text).slice(-kept)
    })
  const timer = setTimeout(() => {
    isLate = true
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  }, minutes * 60_000)
  return new Promise<{ code: number | null; output: string; isLate: boolean }>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => {
      clearTimeout(timer)
      resolve({ code, output, isLate })
    })
  })
}

function report(outcomes: readonly Outcome[]): string {
  const rows = outcomes.map(
    ({ name, command, result, reason, seconds }) =>
      `| ${name} | \`${command}\` | ${result} | ${reason} | ${seconds} s |`,
  )
  const said = outcomes
    .filter(({ output }) => output !== '')
    .map(({ name, output }) => `## ${name}\n\n~~~text\n${output.trim()}\n~~~\n`)
  const head = ['| run | command | result | why | time |', '|---|---|---|---|---|']
  return `# Nightly run of ${new Date().toISOString()}\n\nNode ${process.version}\n\n${[...head, ...rows].join('\n')}\n\n${said.join('\n')}`
}

function chosen(): readonly Job[] {
  const { positionals } = parseArgs({ allowPositionals: true, options: { list: { type: 'boolean' } } })
  const unknown = positionals.find((name) => !jobs.some((job) => job.name === name))
  if (unknown !== undefined)
    throw new Error(`nightly: there is no run ${unknown}. Say one of ${jobs.map(({ name }) => name).join(', ')}.`)
  return positionals.length === 0 ? jobs : jobs.filter(({ name }) => positionals.includes(name))
}

async function main(): Promise<void> {
  if (process.argv.includes('--list')) {
    for (const { name, command } of jobs) console.log(`${name}: ${command.slice(1).join(' ')}`)
    return
  }
  const folder = path.join(root, 'reports')
  mkdirSync(folder, { recursive: true })
  const file = path.join(folder, `nightly-${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}.md`)
  const outcomes: Outcome[] = []
  for (const job of chosen()) {
    console.log(`== ${job.name}`)
    outcomes.push(await outcomeOf(job))
    // After each: a machine that goes down in the night leaves what was seen before.
    writeFileSync(file, report(outcomes))
  }
  const failed = outcomes.filter(({ result }) => result === 'failed')
  const leftOut = outcomes.filter(({ result }) => result === 'left out')
  const passed = outcomes.length - failed.length - leftOut.length
  console.log(`${passed} passed, ${failed.length} failed, ${leftOut.length} left out: ${path.relative(root, file)}`)
  if (failed.length > 0) process.exitCode = 1
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})
