import { execFile } from 'node:child_process'
import path from 'node:path'
import { expect, test } from 'vitest'
import { patience } from '../support/clone.ts'

// `@prismapi/testing` in the other test runner: files of node:test, each a process of its own.

const root = path.resolve(import.meta.dirname, '../..')

function run(file: string): Promise<{ readonly status: number; readonly output: string }> {
  const flags = ['--conditions=prismapi/source', '--import', 'tsx', '--test-reporter=tap']
  const args = [...flags, `test/support/node-test/${file}`]
  const env = { ...process.env, NODE_ENV: 'test' }
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: root, env, timeout: patience }, (error, stdout, stderr) =>
      resolve({ status: Number(error?.code ?? (error ? 1 : 0)), output: stdout + stderr }),
    )
  })
}

test('a file of node:test passes', async () => {
  const { status, output } = await run('passing.test.ts')
  expect(output).toContain('ok 1 - a guest reads what is published')
  expect({ status, counts: output.match(/^# (pass|fail) \d+$/gm) }).toEqual({
    status: 0,
    counts: ['# pass 3', '# fail 0'],
  })
})

test('a file of node:test fails, says why, and ends though its server was not closed', async () => {
  const { status, output } = await run('failing.test.ts')
  expect({ status, counts: output.match(/^# (pass|fail) \d+$/gm) }).toEqual({
    status: 1,
    counts: ['# pass 0', '# fail 2'],
  })
  expect(output).toContain('data.attributes.title: found "One", expected "Two"')
  expect(output).toMatch(/data: posts \d+ is missing/)
  expect(output).toContain("name: 'AssertionError'")
})
