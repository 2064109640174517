import { conflict, type Serving } from 'prismapi'
import { beforeEach, describe, expect, test } from 'vitest'
import V2 from '../../../src/app/v2/server.ts'
import { atomic, inOperation, jsonapi, newPost, path } from '../../support/operations.ts'
import { identifier } from '../../support/row-documents.ts'
import { exampleWith, useServers } from '../../support/servers.ts'
import { snapshot } from '../../support/snapshot.ts'

const told: string[] = []
let servings = 0

class Listening extends V2 {
  override serving(phase: Serving): void {
    super.serving(phase)
    servings++
    told.push(`serving ${phase.method} ${phase.url.pathname}`)
    phase.creating('Tag', ({ name }) => void told.push(`creating ${name}`))
    phase.created('Tag', async (row, { db, afterCommit }) => {
      told.push(`created ${row.name} as one of ${await db.tag.count({ where: { name: { startsWith: 'hook' } } })}`)
      afterCommit(() => void told.push(`committed ${row.name}`))
      if (row.name === 'hook refused') throw conflict('Not this one.')
      if (row.name === 'hook broken') throw new Error('a bug')
    })
    phase.updating('Tag', (_, { row }) => void told.push(`updating ${row?.name}`))
    phase.deleted('Tag', (row) => void told.push(`deleted ${row.name}`))
    phase.attached('Post', (_, { identifiers }) => void told.push(`attached ${identifiers.map(({ type }) => type)}`))
  }
}

const api = useServers(() => exampleWith(Listening))
const as =
  (user: number) =>
  (...operations: readonly unknown[]) =>
    api.as(user)('POST', path, { headers: { 'Content-Type': atomic }, body: { 'atomic:operations': operations } })
const admin = (...operations: readonly unknown[]) => as(1)(...operations)
const addTag = (name: string) => ({ op: 'add', data: { type: 'tags', attributes: { name } } })
const renameTag = (id: number, name: string) => ({
  op: 'update',
  data: { ...identifier('tags', id), attributes: { name } },
})

beforeEach(() => {
  told.length = 0
  servings = 0
})

/** Everything that came before the operation that fails is undone. */
async function expectUndone(operations: readonly unknown[], status: number, error: object) {
  const before = await snapshot(api.db)
  const answer = await admin(...operations)
  expect({ status: answer.status, body: answer.body }).toEqual({ status, body: { jsonapi, errors: [error] } })
  expect(await snapshot(api.db)).toEqual(before)
}

const taken = (n: number) => ({
  ...inOperation(
    n,
    { status: '422', code: 'unique', title: 'Unprocessable Entity', detail: 'The name has already been taken.' },
    '/data/attributes/name',
  ),
})

describe('one that fails undoes all before it', () => {
  const first = [addTag('hook first'), renameTag(5, 'hook fifth'), { op: 'remove', ref: identifier('tags', 12) }]

  test('by a rule', () =>
    expectUndone([...first, addTag('')], 422, {
      ...inOperation(
        3,
        { status: '422', code: 'required', title: 'Unprocessable Entity', detail: 'The name field is required.' },
        '/data/attributes/name',
      ),
    }))

  test('by a value that a row has', () => expectUndone([...first, addTag('staff-pick')], 422, taken(3)))

  test('by a value that an operation before it has added', () =>
    expectUndone([...first, addTag('hook first')], 422, taken(3)))

  test('by a value that its neighbour has added, and no hook is told of what is not written', async () => {
    await expectUndone([...first, addTag('hook twin'), addTag('hook twin')], 422, taken(4))
    expect(told.filter((line) => line === 'creating hook twin')).toHaveLength(1)
  })

  test('by a value that an operation before it has changed to', () =>
    expectUndone([...first, addTag('hook fifth')], 422, taken(3)))

  test('by a hook that refuses', () =>
    expectUndone([...first, addTag('hook refused')], 409, {
      status: '409',
      title: 'Conflict',
      detail: 'Not this one.',
      source: { pointer: '/atomic:operations/3' },
    }))

  test('by a hook that is broken, which is nobody’s operation', () =>
    expectUndone([...first, addTag('hook broken')], 500, {
      id: expect.any(String),
      status: '500',
      title: 'Internal Server Error',
    }))

  test('by the database', async () => {
    const author = { op: 'remove', ref: identifier('users', 3) }
    await expectUndone([...first, author], 409, {
      status: '409',
      title: 'Conflict',
      code: 'constraint',
      detail: expect.any(String),
      source: { pointer: '/atomic:operations/3' },
    })
  })

  test('and nothing is done after a commit that did not come', () => {
    expect(told.filter((line) => line.startsWith('committed'))).toEqual([])
  })
})

test('what is free again by then may be taken', async () => {
  const { status } = await admin(
    renameTag(6, 'hook sixth'),
    addTag('hook other'),
    renameTag(6, 'hook again'),
    addTag('hook sixth'),
  )
  expect(status).toBe(200)
})

test('hooks are called for each operation as it comes, and after the commit once it is there', async () => {
  const { status } = await admin(
    addTag('hook one'),
    addTag('hook two'),
    renameTag(7, 'hook seven'),
    { op: 'add', ref: { ...identifier('posts', 1), relationship: 'tags' }, data: [identifier('tags', 7)] },
    { op: 'remove', ref: identifier('tags', 7) },
  )
  expect(status).toBe(200)
  const count = Number(/one of (\d+)/.exec(told[2] ?? '')?.[1])
  expect(told).toEqual([
    'serving POST /api/v2/operations',
    'creating hook one',
    `created hook one as one of ${count}`,
    'creating hook two',
    `created hook two as one of ${count + 1}`,
    expect.stringMatching(/^updating /),
    'attached tags',
    'deleted hook seven',
    'committed hook one',
    'committed hook two',
  ])
})

test('the serving phase is one for all operations', async () => {
  await admin(addTag('hook a'), addTag('hook b'), renameTag(8, 'hook eight'))
  expect(servings).toBe(1)
})

test('of two requests that want the same at once one has all of it, and the other nothing', async () => {
  const request = (n: number) =>
    admin(addTag(`hook own ${n}`), addTag('hook contested'), renameTag(9, `hook ninth ${n}`))
  const answers = await Promise.all([1, 2, 3, 4].map(request))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422])
  const winner = answers.findIndex(({ status }) => status === 200) + 1
  const own = await api.db.tag.findMany({ where: { name: { startsWith: 'hook own' } } })
  expect(own.map(({ name }) => name)).toEqual([`hook own ${winner}`])
  expect((await api.db.tag.findUniqueOrThrow({ where: { id: 9 } })).name).toBe(`hook ninth ${winner}`)
})

test('a resource that is changed by other requests at once keeps the changes of all', async () => {
  const { id } = await api.db.post.create({ data: { title: 'T', slug: 'many-changes', content: 'C', authorId: 4 } })
  const change = (attributes: object) => as(4)({ op: 'update', data: { ...identifier('posts', id), attributes } })
  const answers = await Promise.all([{ title: 'New' }, { body: 'New' }, { synopsis: 'New' }].map(change))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(await api.db.post.findUniqueOrThrow({ where: { id } })).toMatchObject({
    title: 'New',
    content: 'New',
    synopsis: 'New',
  })
})

test('what is added by an operation is judged by what those before it have done', async () => {
  // The post has a comment by then, and so it stays.
  const { status, body } = await as(4)(
    { op: 'add', data: { type: 'posts', lid: 'p', attributes: newPost() } },
    {
      op: 'add',
      data: {
        type: 'comments',
        attributes: { content: 'C' },
        relationships: { commentable: { data: { type: 'posts', lid: 'p' } } },
      },
    },
    { op: 'remove', ref: { type: 'posts', lid: 'p' } },
  )
  expect({ status, body }).toEqual({
    status: 422,
    body: {
      jsonapi,
      errors: [
        inOperation(2, {
          status: '422',
          code: 'max',
          title: 'Not Deletable',
          detail: 'A post with comments cannot be deleted.',
        }),
      ],
    },
  })
})
