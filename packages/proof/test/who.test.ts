import { notFound } from '@prismapi/jsonapi/document/errors'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ManyUser, openManyUsers } from '../../../test/support/proof/many-users.ts'

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
    ...{ reasons: new Map(), faults: new Map(), by: [] },
    code: action === 'update' ? ['publish of Post is code, which may change Post'] : [],
  })
  // The policies themselves, asked of some of them; npm run nightly -- who asks them of all.
  for (const user of many.users.filter(({ id, role }) => id < 20 || role === 'ADMIN'))
    expect(answer.users.includes(`${user.id}`)).toBe(await many.decide(action, user))
})

test('an action on the type is asked without a row', async () => {
  const answer = await many.ask('create', null)
  const users = many.users.map(({ id }) => `${id}`)
  expect(answer).toEqual({
    guest: false,
    users,
    undecided: [],
    reasons: new Map(),
    faults: new Map(),
    by: [],
    code: [],
  })
})

test('a method is asked of each user, up to a limit; what it cannot say without a request is undecided', async () => {
  const { guest, users: may, undecided, reasons, faults } = await many.ask('attachTags')
  expect({ guest, may: may.length, undecided, faults }).toEqual({
    guest: false,
    may: many.users.filter(({ role }) => role !== 'MEMBER').length,
    undecided: ['7'],
    faults: new Map(),
  })
  expect(Object.fromEntries(reasons)).toEqual({
    'policies/post.policy.ts, attachTags: it reads the document of the request': 1,
  })
})

test('an error of the code is told as its fault, and one that it throws for the client is a no', async () => {
  // The draft is there for the seventh user, for editors and for administrators.
  const attachTags = ({ id, role }: ManyUser) => {
    if (id === 7) throw new TypeError('no tags today')
    if (id === 51) throw notFound()
    return role === 'EDITOR'
  }
  const answer = await many.askOf({
    abilities() {},
    attachTags: (user: ManyUser | null) => user !== null && attachTags(user),
  } as never)
  expect(answer).toEqual({
    guest: false,
    users: many.users.filter(({ id, role }) => role === 'EDITOR' && id !== 51).map(({ id }) => `${id}`),
    undecided: ['7'],
    reasons: new Map(),
    faults: new Map([['policies/post.policy.ts, attachTags: no tags today', 1]]),
    ...{ by: [], code: [] },
  })
})
