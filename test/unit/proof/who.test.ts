import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ManyUser, openManyUsers } from '../../support/proof/many-users.ts'

let many: Awaited<ReturnType<typeof openManyUsers>>
beforeAll(async () => {
  many = await openManyUsers()
})
afterAll(() => many.close())

test.each([
  ['view', ({ id, role }: ManyUser) => role !== 'MEMBER' || id === 7],
  ['update', ({ id, role }: ManyUser) => role !== 'MEMBER' || id === 7],
  ['updateAuthor', ({ role }: ManyUser) => role === 'ADMIN'],
] as const)('who may %s a draft is what each of 10,000 users would be answered', async (action, may) => {
  const answer = await many.ask(action)
  expect(answer).toEqual({
    guest: false,
    users: many.users.filter(may).map(({ id }) => `${id}`),
    undecided: [],
    reasons: new Map(),
  })
  // The policies themselves, asked of some of them; npm run nightly -- who asks them of all.
  for (const user of many.users.filter(({ id, role }) => id < 20 || role === 'ADMIN'))
    expect(answer.users.includes(`${user.id}`)).toBe(await many.decide(action, user))
})

test('an action on the type is asked without a row', async () => {
  const answer = await many.ask('create', null)
  const users = many.users.map(({ id }) => `${id}`)
  expect(answer).toEqual({ guest: false, users, undecided: [], reasons: new Map() })
})

test('a method is asked of each user, up to a limit; what it cannot say without a request is undecided', async () => {
  const { guest, users: may, undecided, reasons } = await many.ask('attachTags')
  expect({ guest, may: may.length }).toEqual({
    guest: false,
    may: many.users.filter(({ role }) => role !== 'MEMBER').length,
  })
  expect(undecided).toContain('7')
  // What the code threw is told, so that a fault of it is not taken for a want of the request.
  expect(Object.fromEntries(reasons)).toEqual({
    "policies/post.policy.ts, attachTags: Cannot read properties of undefined (reading 'Symbol(Symbol.asyncIterator)')": 1,
  })
})
