import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readApplication } from '../../../src/cli/policies/application.ts'
import type { ModelMeta } from '../../../src/model/meta.ts'
import { decideReally } from '../../../src/proof/confirm/real-decision.ts'
import type { Scratch } from '../../../src/proof/confirm/scratch.ts'
import { Prover } from '../../../src/proof/prover.ts'
import { whoMay } from '../../../src/proof/who.ts'

const app = await readApplication(path.resolve(import.meta.dirname, '../../..'))
const prover = new Prover(app)
const policies = await prover.model()

const roles = ['MEMBER', 'EDITOR', 'ADMIN'] as const
const users = Array.from({ length: 10_000 }, (_, i) => ({
  ...{ id: i + 1, name: `User ${i + 1}`, email: `${i + 1}@example.com`, passwordHash: '', createdAt: new Date() },
  ...{
    role: i % 50 === 0 ? 'EDITOR' : i % 501 === 0 ? 'ADMIN' : ('MEMBER' as (typeof roles)[number]),
    updatedAt: new Date(),
  },
}))
const post = {
  ...{ id: 1, title: 'A post', slug: 'a-post', content: '', synopsis: null, publishedAt: null, deletedAt: null },
  ...{ authorId: 7, createdAt: new Date(), updatedAt: new Date() },
}

let scratch: Scratch
beforeAll(async () => {
  scratch = await app.openScratch()
  const model = app.resources.models.Post as ModelMeta
  await scratch.fill({
    root: post,
    model,
    rows: new Map<string, object[]>([
      ['User', users],
      ['Post', [post]],
    ]) as never,
    joined: [],
  })
})
afterAll(async () => {
  await scratch.close()
  await prover.close()
})

const server = app.servers.find(({ name }) => name === 'v1') as (typeof app.servers)[number]
const schema = server.schemas.byModel.get('Post') as NonNullable<ReturnType<typeof server.schemas.byModel.get>>
const asked = (action: string, row: object | null = post) => ({
  ...{ app, personas: prover.personas, reader: scratch.reader, now: Date.now(), row: row as never },
  entries: policies.filter((entry) => entry.server === 'v1' && entry.model === 'Post' && entry.action === action),
})

test.each([
  ['view', (user: (typeof users)[number]) => user.role !== 'MEMBER' || user.id === 7],
  ['update', (user: (typeof users)[number]) => user.role !== 'MEMBER' || user.id === 7],
  ['updateAuthor', (user: (typeof users)[number]) => user.role === 'ADMIN'],
] as const)('who may %s a draft is what each of 10,000 users would be answered', async (action, may) => {
  const answer = await whoMay(asked(action))
  expect(answer).toEqual({ guest: false, users: users.filter(may).map(({ id }) => `${id}`), undecided: [] })
  // The policies themselves, asked of some of them.
  for (const user of users.filter(({ id, role }) => id < 20 || role === 'ADMIN')) {
    const isAllowed = await decideReally({ server, schema, action, user, row: post, reader: scratch.reader })
    expect(answer.users.includes(`${user.id}`)).toBe(isAllowed)
  }
})

test('an action on the type is asked without a row', async () => {
  const answer = await whoMay(asked('create', null))
  expect(answer).toEqual({ guest: false, users: users.map(({ id }) => `${id}`), undecided: [] })
})

test('a method is asked of each user, up to a limit; what it cannot say without a request is undecided', async () => {
  const { guest, users: may, undecided } = await whoMay(asked('attachTags'))
  expect({ guest, may: may.length }).toEqual({
    guest: false,
    may: users.filter(({ role }) => role !== 'MEMBER').length,
  })
  expect(undecided).toContain('7')
})
