import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { prismapi } from '../support/prismapi-command.ts'

const root = resolve(import.meta.dirname, '../..')

const policies = (...args: readonly string[]) => prismapi(['policies', ...args])

const sentences = readFileSync(join(root, 'policies/assertions.txt'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))

const folders: string[] = []
afterAll(() => folders.forEach((folder) => void rmSync(folder, { recursive: true })))

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

test('a sentence about a field is broken by a row of which the field is seen', async () => {
  const { code, stdout } = await policies('assert', 'MEMBER never view User.email', '--json')
  const { holds, who, row } = JSON.parse(stdout)
  expect({ code, holds, who }).toEqual({ code: 1, holds: false, who: { role: 'MEMBER', id: row.id } })
  expect(await policies('assert', 'MEMBER always view User.email', '--json')).toMatchObject({ code: 1 })
  expect(await policies('assert', 'MEMBER always view User.name', '--json')).toMatchObject({ code: 0 })
})

test('what nobody sees or sends is never seen and never written', async () => {
  for (const action of ['view', 'update'])
    expect(await policies('assert', `user never ${action} User.passwordHash`)).toMatchObject({ code: 0, stderr: '' })
  expect(await policies('assert', 'ADMIN always view User.passwordHash', '--json')).toMatchObject({ code: 1 })
})

test('of a scope by a claim that is a list, the reason says what to write', async () => {
  const claim =
    "export type AuthUser = Readonly<Pick<User, 'id' | 'name' | 'email' | 'role'>> & { readonly teams: readonly number[] }"
  const folder = checkout(
    'src/app/auth.ts',
    "export type AuthUser = Readonly<Pick<User, 'id' | 'name' | 'email' | 'role'>>",
    claim,
  )
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const server = join(folder, 'src/app/v1/server.ts')
  const scope = `phase.scope('Post', { id: { in: [...((phase.user as never as { teams: number[] } | null)?.teams ?? [])] } })`
  writeFileSync(
    server,
    readFileSync(server, 'utf8').replace('serveExample(phase)', `serveExample(phase)\n    ${scope}`),
  )
  const { stdout, stderr } = await prismapi(['policies', 'assert', 'MEMBER never delete Tag', '--server=v1'], {
    cwd: folder,
  })
  expect({ stdout, stderr }).toEqual({
    stdout: `unknown  MEMBER never delete Tag
         serving(): it reads user.teams, which is a list: no formula can name it. Write the scope as a relation: { organization: { memberships: { some: { userId: user.id } } } }
`,
    stderr: 'error 1 of 1 is not known.\n',
  })
})

test('policies alone names what it does', async () => {
  expect((await policies()).stderr).toMatch(
    /^error Say which: assert, diff, coverage, mutate, who\. See prismapi policies --help\.\n$/,
  )
})

test('what a method decides is unknown, and told with its reason', async () => {
  const { code, stdout, stderr } = await policies('assert', 'MEMBER never attachTags Post', '--json')
  expect({ code, stderr, verdict: JSON.parse(stdout) }).toEqual({
    ...{ code: 1, stderr: 'error 1 of 1 is not known.\n' },
    verdict: { holds: null, opaque: ['attachTags() of its policy is code'] },
  })
})

test.each([
  [
    'guest sometimes view Post',
    'error "guest sometimes view Post" is no sentence. Write <who> [with scope <name>], or agent:<name>, and never|always <action> <Model>[.<field>] [where <json>].',
  ],
  [
    'OWNER never view Post',
    'error OWNER never view Post: There is no caller "OWNER". Known: guest, user, self, MEMBER, EDITOR, ADMIN.',
  ],
  ['guest never view Pots', 'error guest never view Pots: There is no model "Pots". Did you mean Post?'],
  ['guest never updte Post', 'error guest never updte Post: There is no action of Post "updte". Did you mean update?'],
  [
    'guest never view User.emial',
    'error guest never view User.emial: There is no field of User "emial". Did you mean email?',
  ],
  [
    'guest never delete User.email',
    'error guest never delete User.email: delete is about whole rows: leave .email out.',
  ],
])('"%s" is refused, and says what is wrong', async (sentence, message) => {
  expect(await policies('assert', sentence)).toEqual({ code: 1, stdout: '', stderr: `${message}\n` })
})

test('a file that POLICY_COVERAGE did not write is refused', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'coverage-'))
  folders.push(folder)
  const file = join(folder, 'decisions.jsonl')
  writeFileSync(file, '{"policy":"Tag","text":"can(create)","allowed":true}\n{"policy"')
  expect(await policies('coverage', file)).toEqual({
    ...{ code: 1, stdout: '' },
    stderr: `error ${file}, line 2: that is no line of POLICY_COVERAGE. Delete the file and run the tests again.\n`,
  })
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

/** The example as it was, without packages, with other texts in one of its files. */
function checkout(file: string, was: string, is: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'checkout-'))
  folders.push(folder)
  for (const part of [
    'package.json',
    'prisma.config.ts',
    'policies',
    'requests',
    'src/app',
    'prisma/schema.prisma',
    'prisma/generated/resources.ts',
  ])
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

test('what a request class denies is never done by a link either', async () => {
  const authorize = `  override authorize() {
    return this.isUpdating() || this.isModifyingRelationship() ? false : null
  }

  override rules() {`
  const folder = checkout('requests/comment.request.ts', '  override rules() {', authorize)
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const { code, stdout, stderr } = await prismapi(['policies', 'assert', 'user never update Comment.author'], {
    cwd: folder,
  })
  expect({ code, stdout, stderr }).toEqual({
    code: 0,
    stdout: 'holds    user never update Comment.author\n',
    stderr: '',
  })
})

test('policies that allow the same are told so, with what nobody knows', async () => {
  const other = checkout('policies/profile.policy.ts', 'if (user) can(', 'if (user !== null) can(')
  // It borrows packages that its files require, too, as the configuration that `prismapi init` writes does.
  const config = join(other, 'prisma.config.ts')
  writeFileSync(
    config,
    `${readFileSync(config, 'utf8')}\nawait import('node:module').then((all) => all.createRequire(import.meta.url).resolve('koa'))\n`,
  )
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

/** The example with rules about fields behind the others of its users. */
function userPolicy(...rules: readonly string[]): string {
  const file = 'policies/user.policy.ts'
  const text = readFileSync(join(root, file), 'utf8')
  const [, head, end] = /^(.*)(\n {2}}\n}\n)$/s.exec(text) as unknown as string[]
  return checkout(file, text, `${head}\n${rules.join('\n')}${end}`)
}

test('a field that was hidden before is told by a row of another user, for each role', async () => {
  const other = userPolicy("cannot('view', 'name')", "can('view', 'name', { id: user.id })")
  const { code, stdout, stderr } = await policies('diff', other, '--json')
  expect({ code, stderr }).toEqual({ code: 1, stderr: 'error 3 changes.\n' })
  const { changes, opaque: unknown } = JSON.parse(stdout)
  expect(unknown).toEqual(opaque)
  expect(changes).toEqual(
    ['MEMBER', 'EDITOR', 'ADMIN'].map((role) => ({
      ...{ model: 'User', action: 'view', field: 'name', was: 'denied', is: 'allowed' },
      row: expect.objectContaining({ id: expect.any(Number), name: expect.any(String) }),
      who: { role, id: expect.any(Number) },
    })),
  )
  for (const { who, row } of changes) expect(row.id).not.toBe(who.id)
})

test('fields that may be written, and seen, are told in sentences', async () => {
  const other = userPolicy(
    "if (user.role === 'MEMBER') cannot(['view', 'update'], ['name', 'posts'])",
    "cannot('create', 'name')",
  )
  const { code, stdout } = await policies('diff', other)
  expect({ code, lines: stdout.split('\n').filter((line) => !/^ {2}(who|row) /.test(line)) }).toEqual({
    code: 1,
    lines: [
      '                     MEMBER  ADMIN',
      '  User view.name     +',
      '  User view.posts    +',
      '  User update.name   +',
      '  User update.posts  +',
      '  User create.name           +',
      '',
      'MEMBER gains view of name, view of posts on some User',
      'MEMBER gains update of name, update of posts on some User',
      'ADMIN gains create of name on User',
      '',
      'not known, because code decides:',
      ...opaque.map(({ action, reason }) => `  Post ${action}: ${reason}`),
      '',
    ],
  })
})

test('what SQL does not know is listed with its reason', async () => {
  const other = checkout(
    'policies/profile.policy.ts',
    "can('update', { userId: user.id })",
    "can('update', { userId: { not: null } })",
  )
  const { code, stdout, stderr } = await policies('diff', other, '--json')
  expect({ code, stderr, found: JSON.parse(stdout) }).toEqual({
    code: 0,
    stderr: '',
    found: {
      changes: [],
      opaque: [...opaque, { model: 'Profile', action: 'update', reason: 'SQL cannot confirm it: null for userId' }],
    },
  })
})

test('a policy that makes an API is refused, and says what to do', async () => {
  const cwd = checkout(
    'policies/tag.policy.ts',
    'export default',
    "import { createApi } from 'prismapi'\ncreateApi({} as never)\nexport default",
  )
  symlinkSync(join(root, 'node_modules'), join(cwd, 'node_modules'))
  expect(await prismapi(['policies', 'assert', 'guest never create Tag'], { cwd })).toEqual({
    ...{ code: 1, stdout: '' },
    stderr:
      'error prismapi policies loads policies, servers and their classes alone, and one of these files calls createApi(). Call it in a file that they do not import, such as src/app/app.ts.\n',
  })
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

test('a checkout without what Prisma generates is told what to run', async () => {
  const other = checkout('policies/profile.policy.ts', 'if (user) can(', 'if (user !== null) can(')
  rmSync(join(other, 'prisma/generated'), { recursive: true })
  const { code, stdout, stderr } = await policies('diff', other)
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(
    /^error .+: src\/app\/v\d\/\w+(?:\.schema)?\.ts imports prisma\/generated\/resources\.ts, which is not there\. Run "npx prisma generate", or correct the import\.\n$/,
  )
})

test.each([
  ['pots/1', 'view', 'There is no type "pots". Did you mean posts?'],
  ['posts/1', 'updte', 'There is no action of posts on v1 called "updte". Did you mean update?'],
  ['posts/1', 'view', 'There is no server "v3". Did you mean v1?', '--server=v3'],
])('who %s may %s: %s', async (row, action, message, ...options) => {
  const { code, stderr } = await policies('who', action, row, ...options)
  expect({ code, stderr }).toEqual({ code: 1, stderr: `error ${message}\n` })
})

/** The example, where v2 has a policy of its own for profiles: guests do not see them there. */
function differingServers(): string {
  const file = 'policies/profile.policy.ts'
  const text = readFileSync(join(root, file), 'utf8')
  const folder = checkout(file, text, text)
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  mkdirSync(join(folder, 'policies/v2'))
  const own = text.replace('    can(this.reads)', '    if (user) can(this.reads)')
  expect(own).not.toBe(text)
  writeFileSync(join(folder, 'policies/v2/profile.policy.ts'), own)
  writeFileSync(join(folder, 'policies/v2/assertions.txt'), 'guest never view Profile\n')
  writeFileSync(join(folder, 'policies/assertions.txt'), 'guest never create Tag\n')
  return folder
}

const profile = { id: expect.any(Number), bio: null, website: null, userId: expect.any(Number) }
const noServer = 'error There is no server "v3". Did you mean v1?\n'

test('assert --server asks one server alone', async () => {
  const cwd = differingServers()
  const assert = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await prismapi(['policies', 'assert', ...args, '--json'], { cwd })
    return { code, stderr, verdict: JSON.parse(stdout || 'null') }
  }
  const sentence = 'guest never view Profile'
  const broken = { holds: false, who: 'guest', row: profile }
  const doesNot = 'error 1 of 1 does not hold.\n'
  expect(await assert(sentence)).toEqual({ code: 1, stderr: doesNot, verdict: { ...broken, server: 'v1' } })
  expect(await assert(sentence, '--server=v1')).toEqual({ code: 1, stderr: doesNot, verdict: broken })
  expect(await assert(sentence, '--server=v2')).toEqual({ code: 0, stderr: '', verdict: { holds: true } })
  expect(await assert(sentence, '--server=v3')).toEqual({ code: 1, stderr: noServer, verdict: null })
  const lines = async (server: string) => (await prismapi(['policies', 'assert', `--server=${server}`], { cwd })).stdout
  expect(await lines('v1')).toBe('holds    guest never create Tag\n')
  expect(await lines('v2')).toBe('holds    guest never create Tag\nholds    guest never view Profile (on v2)\n')
})

test('diff --server compares one server alone', async () => {
  const cwd = differingServers()
  const diff = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await prismapi(['policies', 'diff', root, ...args, '--json'], { cwd })
    return { code, stderr, changes: stdout === '' ? null : JSON.parse(stdout).changes }
  }
  const lost = ['view', 'viewUser', 'viewAny'].map((action) => ({
    ...{ model: 'Profile', action, who: 'guest', was: 'allowed', is: 'denied', row: profile },
  }))
  const three = 'error 3 changes.\n'
  expect(await diff('--server=v1')).toEqual({ code: 0, stderr: '', changes: [] })
  expect(await diff('--server=v2')).toEqual({ code: 1, stderr: three, changes: lost })
  const named = lost.map((each) => ({ ...each, servers: ['v2'] }))
  expect(await diff()).toEqual({ code: 1, stderr: three, changes: named })
  expect(await diff('--server=v3')).toEqual({ code: 1, stderr: noServer, changes: null })
})
