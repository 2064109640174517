import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { prismapi } from '../support/prismapi-command.ts'

const root = resolve(import.meta.dirname, '../..')
const command = '--command=node --conditions=prismapi/source --import tsx --test'
const scratch = mkdtempSync(join(tmpdir(), 'mutate-'))
afterAll(() => rmSync(scratch, { recursive: true }))
const mutate = (...args: readonly string[]) => prismapi(['policies', 'mutate', ...args], { env: { TMPDIR: scratch } })

const survivors = [
  { policy: 'Tag', rule: 2, change: 'can([create, *writes]) is dropped' },
  { policy: 'Tag', rule: 2, change: 'can([create, *writes]) is flipped to cannot' },
]

test('changes of rules that no test notices are named, and no file is changed', async () => {
  const policy = readFileSync(join(root, 'policies/tag.policy.ts'), 'utf8')
  const { code, stdout, stderr } = await mutate(
    ...['test/support/node-test/tags.test.ts', '--policy=Tag', command, '--json'],
  )
  expect({ code, stderr, found: JSON.parse(stdout) }).toEqual({
    ...{ code: 0, stderr: '' },
    found: { mutants: 4, killed: 2, survived: survivors },
  })
  expect(readFileSync(join(root, 'policies/tag.policy.ts'), 'utf8')).toBe(policy)
  expect(readdirSync(scratch).filter((name) => name.startsWith('prismapi-mutate-'))).toEqual([])
})

test('each change is told as it is tried, and the status is 1 where too few are noticed', async () => {
  expect(await mutate('test/support/node-test/tags.test.ts', '--policy=Tag', command, '--at-least=90')).toEqual({
    code: 1,
    stdout: `noticed   Tag 1: can(*reads) is dropped
noticed   Tag 1: can(*reads) is flipped to cannot
${survivors.map(({ change }) => `survived  Tag 2: ${change}\n`).join('')}2 of 4 changes were noticed.
`,
    stderr: 'error 50 % of the changes were noticed, and not 90 %.\n',
  })
})

test('tests that fail by themselves prove nothing: the file is named, with what it says', async () => {
  const { code, stdout, stderr } = await mutate('test/support/node-test/failing.test.ts', command)
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toContain('error test/support/node-test/failing.test.ts fails without any change of a policy:\n')
  expect(stderr).toContain('data.attributes.title: found "One", expected "Two"')
})

test('an interrupt ends the tests that run, and leaves nothing behind', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mutate-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const hanging = '--command=node -e setTimeout(()=>{},600000)'
  const args = ['--conditions=prismapi/source', '--import', 'tsx', 'packages/cli/src/main.ts', 'policies', 'mutate']
  const env = { ...process.env, TMPDIR: folder, NO_COLOR: '1' }
  const child = spawn(process.execPath, [...args, 'test/unit/fuzz', hanging], { cwd: root, env })
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const ended = new Promise((done) => child.on('close', done))
  await expect.poll(() => readdirSync(folder).filter((name) => name.startsWith('prismapi-mutate-'))).toHaveLength(1)
  child.kill('SIGINT')
  expect({
    code: await ended,
    stderr,
    left: readdirSync(folder).filter((name) => name.startsWith('prismapi-')),
  }).toEqual({
    ...{ code: 1, stderr: 'error Stopped. No file of the application was changed.\n' },
    left: [],
  })
})

test.each([
  [['test/nowhere'], 'There is no test/nowhere. Say where the tests are: prismapi policies mutate test/api'],
  [['policies'], 'policies: there is no file named *.test.* or *.spec.*'],
  [['test/unit/fuzz', '--policy=Tags'], 'There is no policy of "Tags". Did you mean Tag?'],
  [['test/unit/fuzz', '--at-least=most'], '--at-least=most is no percentage.'],
  [['test/unit/fuzz', '--command=no-such-runner'], 'no-such-runner cannot be started: spawn no-such-runner ENOENT'],
])('mutate %j is refused, and says what is wrong', async (args, message) => {
  expect(await mutate(...args)).toEqual({ code: 1, stdout: '', stderr: `error ${message}\n` })
})
