import path from 'node:path'
import { tokenScopes } from '@prismapi/auth'
import { readApplication } from '@prismapi/cli/policies/application'
import type { AnyPolicy, PolicyClass } from '@prismapi/core/auth/policy'
import { afterAll, describe, expect, test } from 'vitest'
import { checkAssertion, parseAssertion } from '../src/assertion.ts'
import { type Proved, Prover } from '../src/prover.ts'

// The scopes of a token are a ceiling: what no scope allows holds for every row, whatever the policies say.

const app = await readApplication(path.resolve(import.meta.dirname, '../../..'))
const provers: Prover[] = []
afterAll(() => Promise.all(provers.map((prover) => prover.close())))

const scopes = {
  read: { '*': ['reads'] },
  write: { '*': ['reads', 'writes'] },
  // The hole: somebody took `reads` for a matter of posts, and named what is none.
  careless: { '*': ['reads'], Post: ['update'] },
}
const ceilings = tokenScopes(scopes as never).ceilings ?? []

async function verdictOn(sentence: string, of: Proved = app) {
  const assertion = parseAssertion(sentence)
  const ceiling = ceilings.find(({ name }) => name === assertion.ceiling)
  if (!ceiling) throw new Error(`There is no ${assertion.ceiling}.`)
  const prover = new Prover({ ...of, userType: { ...of.userType, ceiling } })
  provers.push(prover)
  return checkAssertion(prover, await prover.model(), assertion)
}

function withPolicy(model: string, change: (Class: PolicyClass) => PolicyClass): Proved {
  const servers = app.servers.map((each) => {
    const Class = change(each.policies.get(model)?.constructor as PolicyClass)
    return Object.freeze({ ...each, policies: new Map<string, AnyPolicy>([...each.policies, [model, new Class()]]) })
  })
  return { ...app, servers }
}

describe('a scope that only reads', () => {
  test.each([
    'update Post',
    'delete Post',
    'create Post',
    'update User',
    'attachTags Post',
    'publish Post',
    'delete Comment',
  ])('never does %s', async (what) => {
    expect(await verdictOn(`user with scope read never ${what}`)).toEqual({ holds: true })
  })

  test('still reads what the policies allow, and no more', async () => {
    expect(await verdictOn('user with scope read always view User.name')).toEqual({ holds: true })
    expect(await verdictOn('MEMBER with scope read never view User.email where {"id":{"not":{"user":"id"}}}')).toEqual({
      holds: true,
    })
    expect(await verdictOn('MEMBER with scope read never view User.email')).toMatchObject({ holds: false })
  })

  test('never writes by code either, which knows nothing of scopes', async () => {
    const byCode = withPolicy(
      'Post',
      (Class) =>
        class extends Class {
          update() {
            return true
          }
        },
    )
    expect(await verdictOn('user with scope read never update Post', byCode)).toEqual({ holds: true })
    expect((await verdictOn('user with scope write never update Post', byCode)).holds).not.toBe(true)
  })
})

test('a scope that was declared too wide is found, with a row and a caller', async () => {
  const verdict = await verdictOn('user with scope careless never update Post')
  expect(verdict).toMatchObject({ holds: false, row: { id: expect.any(Number) }, who: { role: expect.any(String) } })
  expect(await verdictOn('user with scope careless never delete Post')).toEqual({ holds: true })
})

test('a guest has no token', () => {
  expect(() => parseAssertion('guest with scope read never view Post')).toThrow(
    '"guest with scope read never view Post": a guest has no token, and so no scope read.',
  )
})
