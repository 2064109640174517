import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { prismapi } from '../support/prismapi-command.ts'

const root = resolve(import.meta.dirname, '../..')
const folders: string[] = []
afterAll(() => folders.forEach((folder) => void rmSync(folder, { recursive: true })))

/** The example on PostgreSQL, inside of the package, so that its files find it. */
function example(): string {
  const folder = mkdtempSync(join(import.meta.dirname, '../.tmp-rls-'))
  folders.push(folder)
  for (const part of ['policies', 'requests', 'src/app'])
    cpSync(join(root, part), join(folder, part), { recursive: true })
  cpSync(join(root, 'prisma/postgresql'), join(folder, 'prisma'), { recursive: true })
  symlinkSync(join(root, 'prisma/generated'), join(folder, 'prisma/generated'))
  return folder
}

function edit(folder: string, file: string, was: string, is: string): void {
  const text = readFileSync(join(folder, file), 'utf8')
  expect(text).toContain(was)
  writeFileSync(join(folder, file), text.replace(was, is))
}

const left = ['updateTags', 'attachTags'].map(
  (action) =>
    `left to the framework policies/post.policy.ts: ${action} for MEMBER: ${action}() of its policy is code\n`,
)

test('the example’s rules become policies of its tables, for each command and with FORCE', async () => {
  const { code, stdout, stderr } = await prismapi(['rls', '--schema=prisma/postgresql/schema.prisma'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: left.join('') })
  expect(stdout.split('\n')[0]).toMatch(/^-- prismapi rls [\w-]{22}$/)
  const tables = ['User', 'Profile', 'Post', 'Tag', 'Video', 'Comment', '_PostToTag', '_TagToVideo']
  for (const table of tables) {
    expect(stdout).toContain(`ALTER TABLE "${table}" ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;`)
    for (const command of ['SELECT', 'INSERT', 'DELETE'])
      expect(stdout).toContain(`ON "${table}" FOR ${command} TO prismapi_guarded`)
  }
  expect(stdout).toContain('CREATE ROLE prismapi_guarded NOLOGIN NOINHERIT NOBYPASSRLS;')
  for (const own of ['Change', 'IdempotencyKey']) {
    expect(stdout).toContain(`REVOKE ALL ON "${own}" FROM prismapi_guarded;`)
    expect(stdout).not.toContain(`ON "${own}" FOR`)
  }
  const [, comments] = /FOR DELETE TO prismapi_guarded\n {2}USING \((.*"Comment".*)\);/.exec(stdout) ?? []
  expect(comments).toBe(
    `(((SELECT prismapi_caller() @> '{"user":{"role":"MEMBER"}}') AND "Comment"."authorId" = (SELECT prismapi_claim('id')::integer)) OR (SELECT (prismapi_caller() @> '{"user":{"role":"EDITOR"}}' OR prismapi_caller() @> '{"user":{"role":"ADMIN"}}')))`,
  )
})

test('a rule that only code can tell fails it, with its file, and nothing is written', async () => {
  const folder = example()
  edit(
    folder,
    'policies/profile.policy.ts',
    '  override abilities',
    '  override update(user: User | null, profile: { userId: number }) {\n    return profile.userId === user?.id\n  }\n\n  override abilities',
  )
  expect(await prismapi(['rls', '--out=rls.sql'], { cwd: folder })).toEqual({
    code: 1,
    stdout: '',
    stderr: ['guest', 'MEMBER', 'EDITOR', 'ADMIN']
      .map((who) => `error policies/profile.policy.ts: update for ${who}: update() of its policy is code\n`)
      .join(''),
  })
})

test('doctor tells that the rules have changed since', async () => {
  const folder = example()
  const guardLines = async () => {
    const { stdout } = await prismapi(['doctor', '--json'], { cwd: folder })
    return JSON.parse(stdout).warnings.filter((line: string) => line.startsWith('The database guards'))
  }
  expect(await guardLines()).toEqual([])
  const out = 'prisma/migrations/20270101000000_rls/migration.sql'
  expect(await prismapi(['rls', `--out=${out}`], { cwd: folder })).toMatchObject({
    code: 0,
    stdout: `written ${out}\n`,
  })
  expect(await guardLines()).toEqual([])
  edit(folder, 'policies/profile.policy.ts', "can('update', { userId: user.id })", "can('update')")
  expect(await guardLines()).toEqual([
    'The database guards other rules: policies, scopes or models have changed since its migration was made. Run prisma migrate dev --create-only, and prismapi rls --out=<its migration.sql>.',
  ])
})

test('it is PostgreSQL’s', async () => {
  expect(await prismapi(['rls'])).toEqual({
    code: 1,
    stdout: '',
    stderr: "error Row level security is PostgreSQL's, and the Prisma schema is for sqlite.\n",
  })
})
