import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { run } from '@prismapi/cli/run'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { useApi, users } from '../support/api.ts'

const root = path.resolve(import.meta.dirname, '../..')
const folder = mkdtempSync(path.join(tmpdir(), 'coverage-'))
const file = path.join(folder, 'decisions.jsonl')

// Before the application starts.
beforeAll(() => void vi.stubEnv('POLICY_COVERAGE', file))
afterAll(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true })
})
const api = useApi()
beforeEach(() => writeFileSync(file, ''))

/** `npx prismapi policies coverage …`, in this process. */
async function coverage(...args: readonly string[]) {
  const [said, complained]: [string[], string[]] = [[], []]
  const paint = (_: unknown, text: string) => text
  const terminal = {
    say: (line: string) => void said.push(line),
    complain: (line: string) => void complained.push(line),
    paint,
  }
  const status = await run(['policies', 'coverage', file, ...args], root, terminal)
  return { status, said: said.join('\n'), complained }
}

test('rules and methods that decided are counted, and those that never did are named', async () => {
  const member = api.as(users.member3)
  await member.get('/tags')
  await member.post('/tags', { body: { data: { type: 'tags', attributes: { name: 'own' } } } })
  await member.patch('/users/4', { body: { data: { type: 'users', id: '4', attributes: { name: 'No' } } } })
  await api.as(users.admin).post('/tags', { body: { data: { type: 'tags', attributes: { name: 'new' } } } })
  expect(
    readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual([
    { policy: 'Tag', text: 'can(*reads)', allowed: true },
    { policy: 'User', text: 'can(update, { id: … })', allowed: false },
    { policy: 'Tag', text: 'can([create, *writes])', allowed: true },
  ])
  const { status, said } = await coverage('--json')
  const { rules, never } = JSON.parse(said)
  expect({ status, tag: rules.filter((rule: { policy: string }) => rule.policy === 'Tag') }).toEqual({
    status: 0,
    tag: [
      { policy: 'Tag', rule: 1, text: 'can(*reads)', allowed: 1, denied: 0 },
      { policy: 'Tag', rule: 2, text: 'can([create, *writes])', allowed: 1, denied: 0 },
    ],
  })
  expect(never).toContainEqual({ policy: 'Post', rule: 'attachTags', text: 'attachTags()', allowed: 0, denied: 0 })
  expect(never.length).toBe(rules.length - 3)
})

test('rules about fields decide where a field is shown, hidden or written', async () => {
  const member = api.as(users.member3)
  const [shown, hides] = ['can(view, [email], { id: … })', 'cannot([view, update], [email])']
  const counted = async (...texts: readonly string[]) => {
    const { rules } = JSON.parse((await coverage('--json')).said)
    return texts.map((text) => {
      const { allowed, denied } = rules.find((rule: { readonly text: string }) => rule.text === text)
      return { allowed, denied }
    })
  }
  await member.get('/users/3')
  await member.get('/users/4')
  // The own row is seen by it, and its field.
  expect(await counted(shown, hides)).toEqual([
    { allowed: 2, denied: 0 },
    { allowed: 0, denied: 1 },
  ])
  const attributes = { email: 'new@example.com' }
  await member.patch('/users/3', { body: { data: { type: 'users', id: '3', attributes } } })
  expect(await counted(hides)).toEqual([{ allowed: 0, denied: 2 }])
})

test('less than was asked for is status 1', async () => {
  await api.as(users.member3).get('/tags')
  const { status, complained } = await coverage('--at-least=90')
  expect({ status, complained }).toEqual({
    status: 1,
    complained: [expect.stringMatching(/^error \d+ % of the rules and methods decided, and not 90 %\.$/)],
  })
})
