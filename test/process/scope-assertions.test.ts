import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { prismapi } from '../support/prismapi-command.ts'

// Sentences about scopes of tokens: docs/authentication.md.

const root = resolve(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'prismapi-scopes-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** The example, which declares scopes of tokens. */
for (const part of ['package.json', 'policies', 'requests', 'src/app', 'prisma/schema.prisma', 'prisma/generated'])
  cpSync(join(root, part), join(folder, part), { recursive: true })
for (const part of ['node_modules', 'tsconfig.json']) symlinkSync(join(root, part), join(folder, part))
writeFileSync(
  join(folder, 'src/app/features.ts'),
  `import { tokenScopes } from '@prismapi/auth'

export const scopes = tokenScopes({ read: { '*': ['reads'] }, edit: { '*': ['reads'], Post: ['update'] } })

export default [scopes]
`,
)
const assert = (sentence: string) => prismapi(['policies', 'assert', sentence], { cwd: folder })

test('a sentence about the scope of a token holds, or is broken by a row', async () => {
  expect(await assert('user with scope read never update Post')).toEqual({
    ...{ code: 0, stderr: '' },
    stdout: 'holds    user with scope read never update Post\n',
  })
  const broken = await assert('user with scope edit never update Post')
  expect(broken).toMatchObject({ code: 1, stderr: 'error 1 of 1 does not hold.\n' })
  expect(broken.stdout).toMatch(/^broken {3}user with scope edit never update Post\n {9}.*who \{/s)
  expect(await assert('user with scope edit never delete Post')).toMatchObject({ code: 0 })
})

test('a scope that nobody declares is refused', async () => {
  expect(await assert('user with scope reed never update Post')).toMatchObject({
    code: 1,
    stderr: 'error user with scope reed never update Post: There is no limit "scope reed". Did you mean scope read?\n',
  })
})
