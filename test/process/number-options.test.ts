import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')

/** How a script of the repository ends that is told a word where a number stands. */
async function refusal(file: string, args: readonly string[]) {
  const flags = ['--conditions=prismapi/source', '--import', 'tsx', file, ...args]
  const run = promisify(execFile)(process.execPath, flags, { cwd: root })
  const { code, stdout, stderr } = await run.then((said) => ({ code: 0, ...said })).catch((error) => error)
  return { code, stdout, stderr }
}

test.each([
  ['scripts/seed.ts', ['--posts', 'many'], '--posts must be a whole number from 1 to 10000000, not "many".'],
  [
    'scripts/reliability/main.ts',
    ['soak', '--seconds', 'long'],
    '--seconds must be a whole number from 1 on, not "long".',
  ],
  ['scripts/reliability/main.ts', ['fuzz', '--part', '31/30'], '--part must be a whole number from 1 to 30, not "31".'],
  ['scripts/reliability/main.ts', ['fuzz', '--part', '3'], '--part must be two numbers such as 3/30, not "3".'],
  ['scripts/reliability/main.ts', ['fuzz', '--runs', '1e3'], '--runs must be a whole number from 1 on, not "1e3".'],
  ['scripts/reliability/main.ts', ['soak', '--load', 'all'], '--load must be a number from 0 on, not "all".'],
  ['scripts/scaling/main.ts', ['--seconds', ''], '--seconds must be a whole number from 1 on, not "".'],
  [
    'scripts/scaling/main.ts',
    ['--failover', '--failures', '0'],
    '--failures must be a whole number from 1 to 100, not "0".',
  ],
  ['scripts/nightly/main.ts', ['--list', '--seed', 'x'], '--seed must be a whole number from 0 on, not "x".'],
  ['scripts/nightly/policy-pairs.ts', ['few'], 'The number of pairs must be a whole number from 1 on, not "few".'],
  ['scripts/bench/main.ts', ['--rounds', 'two'], '--rounds must be a whole number from 1 on, not "two".'],
  ['scripts/bench/price.ts', ['--queries', 'all'], '--queries must be a whole number from 1 on, not "all".'],
  ['tools/fuzz/main.ts', ['--seconds', '5s'], '--seconds must be a whole number from 1 on, not "5s".'],
])('%s %j ends with one sentence', async (file, args, sentence) => {
  expect(await refusal(file, args)).toEqual({ code: 1, stdout: '', stderr: `${sentence}\n` })
})
