import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { prismapi } from '../support/prismapi-command.ts'

// Users whose policy lets them update themselves, role and all: `prismapi doctor` says so.

const root = resolve(import.meta.dirname, '../..')
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'own-claims-'))
  for (const part of ['package.json', 'policies', 'src/app', 'prisma/schema.prisma', 'prisma/generated'])
    cpSync(join(root, part), join(folder, part), { recursive: true })
  for (const part of ['node_modules', 'tsconfig.json']) symlinkSync(join(root, part), join(folder, part))
})
afterEach(() => rmSync(folder, { recursive: true }))

function replace(file: string, was: string, is: string): void {
  const text = readFileSync(join(folder, file), 'utf8')
  expect(text).toContain(was)
  writeFileSync(join(folder, file), text.replace(was, is))
}

async function claimWarnings(): Promise<readonly string[]> {
  const { stdout } = await prismapi(['doctor', '--json'], { cwd: folder })
  const { warnings } = JSON.parse(stdout) as { readonly warnings: readonly string[] }
  return warnings.filter((each) => each.includes('their own row'))
}

// Without request classes the inferred rules take every field.
test('a role that users give themselves is a warning for each server', async () => {
  expect(await claimWarnings()).toEqual(
    ['v1', 'v2'].map(
      (server) =>
        `Server ${server}: MEMBER, EDITOR may change User.role of their own row, and so what they are allowed. Add cannot('update', 'role') to policies/user.policy.ts for them, or leave role out of their rules in the request class.`,
    ),
  )
})

test('is none with the cure, and none of a user type that cannot be read', async () => {
  const own = `can('update', { id: user.id })`
  replace('policies/user.policy.ts', own, `${own}\n    if (user.role !== 'ADMIN') cannot('update', 'role')`)
  expect(await claimWarnings()).toEqual([])
  replace('policies/user.policy.ts', `cannot('update', 'role')`, `can('viewAny')`)
  replace('src/app/auth.ts', 'user: AuthUser', 'user: ReturnType<typeof unreadable>')
  expect(await claimWarnings()).toEqual([])
})

test('is none of who may change it in every row that there is for them', async () => {
  replace('policies/user.policy.ts', `can('update', { id: user.id })`, `can('update')`)
  for (const server of ['v1', 'v2']) {
    const scoped = `phase.scope('User', { email: { endsWith: '@example.com' } })`
    replace(`src/app/${server}/server.ts`, 'serveExample(phase)', `serveExample(phase)\n    ${scoped}`)
  }
  expect(await claimWarnings()).toEqual([])
})
