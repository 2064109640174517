import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { prismapi } from '../support/prismapi-command.ts'

// Sentences about agents: docs/agents.md.

const root = resolve(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'prismapi-agents-'))
afterAll(() => rmSync(folder, { recursive: true }))
for (const part of ['package.json', 'policies', 'requests', 'src/app', 'prisma/schema.prisma', 'prisma/generated'])
  cpSync(join(root, part), join(folder, part), { recursive: true })
for (const part of ['node_modules', 'tsconfig.json']) symlinkSync(join(root, part), join(folder, part))
const assert = (sentence: string) => prismapi(['policies', 'assert', sentence], { cwd: folder })

test('a sentence about an agent is proven, and a hole in its policy is found', async () => {
  const sentence = 'agent:reader never update Post'
  expect(await assert(sentence)).toEqual({ code: 0, stderr: '', stdout: `holds    ${sentence}\n` })
  writeFileSync(
    join(folder, 'policies/agents/reader.ts'),
    "export const reader = { '*': ['reads'], Post: ['update'] }\n",
  )
  const broken = await assert(sentence)
  expect(broken).toMatchObject({ code: 1, stderr: 'error 1 of 1 does not hold.\n' })
  expect(broken.stdout).toMatch(/^broken {3}agent:reader never update Post\n {9}.*who \{/s)
  expect(await assert('agent:reader never delete Post')).toMatchObject({ code: 0 })
})

test('an agent that nobody declares is refused', async () => {
  expect(await assert('agent:raeder never update Post')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('There is no limit "agent:raeder". Did you mean agent:reader?'),
  })
})
