import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { prismapi } from '../support/prismapi-command.ts'

const root = resolve(import.meta.dirname, '../..')

const policies = (...args: readonly string[]) => prismapi(['policies', ...args])

const sentences = readFileSync(join(root, 'policies/assertions.txt'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))

test('what the example says of its policies holds', async () => {
  const { code, stdout, stderr } = await policies('assert', '--json')
  expect({ code, stderr, verdicts: JSON.parse(stdout) }).toEqual({
    ...{ code: 0, stderr: '' },
    verdicts: sentences.map(() => ({ holds: true })),
  })
  expect(sentences.length).toBeGreaterThanOrEqual(15)
})

test('a sentence that is broken is answered by a row and a caller, and status 1', async () => {
  const { code, stdout, stderr } = await policies('assert', 'MEMBER never update Post', '--json')
  expect({ code, stderr }).toEqual({ code: 1, stderr: 'error 1 of 1 does not hold.\n' })
  const { holds, who, row } = JSON.parse(stdout)
  expect({ holds, who }).toEqual({ holds: false, who: { role: 'MEMBER', id: row.authorId } })
})

test('what a method decides is unknown, and told with its reason', async () => {
  const { code, stdout } = await policies('assert', 'MEMBER never attachTags Post', '--json')
  expect({ code, verdict: JSON.parse(stdout) }).toEqual({
    code: 1,
    verdict: { holds: null, opaque: ['attachTags() of its policy is code'] },
  })
})

test.each([
  [
    'guest sometimes view Post',
    'error "guest sometimes view Post" is no sentence. Write <who> never|always <action> <Model> [where <json>].',
  ],
  [
    'OWNER never view Post',
    'error OWNER never view Post: There is no caller "OWNER". Known: guest, user, self, MEMBER, EDITOR, ADMIN.',
  ],
  ['guest never view Pots', 'error guest never view Pots: There is no model "Pots". Did you mean Post?'],
  ['guest never updte Post', 'error guest never updte Post: There is no action of Post "updte". Did you mean update?'],
])('"%s" is refused, and says what is wrong', async (sentence, message) => {
  expect(await policies('assert', sentence)).toEqual({ code: 1, stdout: '', stderr: `${message}\n` })
})

const page = readFileSync(join(root, 'docs/policies.md'), 'utf8')
const shown = [...page.matchAll(/```sh\nnpx prismapi policies ([^\n]+)\n```\n\n```text [^\n]+\n([^`]*)\n```/g)]

test.each(shown.map(([, args = '', output = '']) => [args, output]))(
  'policies %s says what its page shows',
  async (args, output) => {
    const { stdout } = await policies(...args.split(' '))
    expect(stdout.trimEnd()).toBe(output)
  },
)

const folders: string[] = []
afterAll(() => folders.forEach((folder) => void rmSync(folder, { recursive: true })))

/** The example as it was, without packages, with other texts in one of its files. */
function checkout(file: string, was: string, is: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'checkout-'))
  folders.push(folder)
  for (const part of ['package.json', 'policies', 'requests', 'src/app', 'prisma/schema.prisma'])
    cpSync(join(root, part), join(folder, part), { recursive: true })
  const text = readFileSync(join(folder, file), 'utf8')
  expect(text).toContain(was)
  writeFileSync(join(folder, file), text.replace(was, is))
  return folder
}

const opaque = ['updateTags', 'attachTags'].map((action) => ({
  ...{ model: 'Post', action },
  reason: `${action}() of its policy is code`,
}))

test('policies that allow the same are told so, with what nobody knows', async () => {
  const other = checkout('policies/profile.policy.ts', 'if (user) can(', 'if (user !== null) can(')
  const { code, stdout, stderr } = await policies('diff', other, '--json')
  expect({ code, stderr, found: JSON.parse(stdout) }).toEqual({ code: 0, stderr: '', found: { changes: [], opaque } })
})

test('a policy that was wider before is told by a row of another user, for each role', async () => {
  const other = checkout('policies/profile.policy.ts', "can('update', { userId: user.id })", "can('update')")
  const { code, stdout, stderr } = await policies('diff', other, '--json')
  expect({ code, stderr }).toEqual({ code: 1, stderr: 'error 3 changes.\n' })
  const { changes } = JSON.parse(stdout)
  const row = { id: expect.any(Number), bio: null, website: null, userId: expect.any(Number) }
  expect(changes).toEqual(
    ['MEMBER', 'EDITOR', 'ADMIN'].map((role) => ({
      ...{ model: 'Profile', action: 'update', was: 'allowed', is: 'denied', row },
      who: { role, id: expect.any(Number) },
    })),
  )
  for (const { who, row: shown } of changes) expect(shown.userId).not.toBe(who.id)
})

test('a scope that changes is told once for each action that it touches', async () => {
  const other = checkout('src/app/serving.ts', '{ publishedAt: { lt: new Date() } }', '{ publishedAt: { not: null } }')
  const { code, stdout } = await policies('diff', other)
  expect({ code, lines: stdout.split('\n').filter((line) => !/^ {2}(who|row) /.test(line)) }).toEqual({
    code: 1,
    lines: [
      '                     guest  MEMBER',
      ...['view', 'viewAuthor', 'viewTags', 'viewComments', 'viewAny'].map(
        (action) => `  Post ${action.padEnd(12)}  -      -`,
      ),
      '',
      'guest loses view, viewAuthor, viewTags, viewComments, viewAny on some Post',
      'MEMBER loses view, viewAuthor, viewTags, viewComments, viewAny on some Post',
      '',
      'not known, because code decides:',
      ...opaque.map(({ action, reason }) => `  Post ${action}: ${reason}`),
      '',
    ],
  })
})
