import { everything } from '@prismapi/jsonapi/condition/build'
import type { Row } from '@prismapi/jsonapi/model/where'
import { describe, expect, test } from 'vitest'
import { keyedLock, retryOnConflict } from '../../src/database/attempts.ts'
import {
  afterCommitOf,
  fill,
  hasFillHooks,
  hasHooks,
  hasPrepareHooks,
  runHooks,
  writeEvent,
} from '../../src/write/hooks.ts'
import { withPreparedColumns } from '../../src/write/write-row.ts'
import { input, to, toOne, world } from './fixture.ts'

describe('a hook is told', () => {
  const { ctx, transaction, late } = world({ tables: { Post: [{ id: 1 }, { id: 2 }], Tag: [{ id: 3, name: 'n' }] } })
  const event = writeEvent(ctx, transaction, {
    action: 'attach',
    row: { id: 1 },
    relation: 'tags',
    identifiers: to('tags', 3),
  })

  test('of the write, frozen', () => {
    const { action, row, input, relation, identifiers, user, services, db } = event
    expect({ action, row, input, relation, identifiers, user, services }).toEqual({
      action: 'attach',
      row: { id: 1 },
      input: {},
      relation: 'tags',
      identifiers: to('tags', 3),
      user: { id: 7 },
      services: { clock: 1 },
    })
    expect(db).toBe(transaction.client)
    expect(Object.isFrozen(event)).toBe(true)
    const plain = writeEvent(ctx, transaction, { action: 'create', row: null, input: { title: 'T' } })
    expect([plain.relation, plain.identifiers, plain.input]).toEqual([null, [], { title: 'T' }])
  })

  test('of visible rows by its own transaction', async () => {
    expect(await event.count('Post' as never)).toBe(2)
    expect(typeof event.find).toBe('function')
    expect(typeof event.list).toBe('function')
  })

  test('what is committed, afterwards', async () => {
    const seen: unknown[] = []
    event.afterCommit((given) => void seen.push(given))
    expect([seen, late.length]).toEqual([[], 1])
    await late[0]?.()
    expect(seen).toEqual([{ db: { committed: true }, services: { clock: 1 } }])
    expect(Object.isFrozen(seen[0])).toBe(true)
    const works: unknown[] = []
    afterCommitOf(ctx, { afterCommit: (work) => void works.push(work) })(() => {})
    expect(works).toHaveLength(1)
  })
})

test('hooks run in their order, each with what those before it have filled', async () => {
  const seen: unknown[] = []
  const { ctx, transaction } = world({
    hooks: {
      'Post:creating': (data: Row) => ({ b: `${data.a}b` }),
      'Post:saving': async (data: Row) => ({ c: `${data.b}c`, a: 'z' }),
      'Post:created': async (row: Row) => void seen.push(['created', row]),
      'Post:saved': (row: Row, event: unknown) => void seen.push(['saved', row, event]),
    },
  })
  const event = writeEvent(ctx, transaction, { action: 'create', row: null })
  expect(await fill(ctx, 'Post', ['creating', 'saving'], { data: { a: 'a' }, event })).toEqual({
    a: 'z',
    b: 'ab',
    c: 'abc',
  })
  expect(await fill(ctx, 'Tag', ['creating', 'saving'], { data: { a: 'a' }, event })).toEqual({ a: 'a' })
  await runHooks(ctx, 'Post', ['created', 'saved'], { row: { id: 1 }, event })
  expect(seen).toEqual([
    ['created', { id: 1 }],
    ['saved', { id: 1 }, event],
  ])
})

test('it is known which hooks there are', () => {
  const { ctx } = world({ hooks: { 'Post:saved': () => {}, 'Tag:saving': () => {}, 'User:creating': () => {} } })
  expect([
    hasHooks(ctx, 'Post', ['created', 'saved']),
    hasHooks(ctx, 'Post', ['created']),
    hasHooks(ctx, 'Tag', ['saved']),
  ]).toEqual([true, false, false])
  expect(['Post', 'Tag', 'User'].map((model) => hasFillHooks(ctx, model, 'create'))).toEqual([false, true, true])
  expect(['Post', 'Tag', 'User'].map((model) => hasFillHooks(ctx, model, 'update'))).toEqual([false, true, false])
  expect(hasPrepareHooks(ctx, 'Post')).toBe(false)
})

describe('before a transaction', () => {
  const hooks = (seen: unknown[]) => ({
    'Post:preparing': (data: Row, event: unknown) => {
      seen.push(data, event)
      return { slug: 'from afar' }
    },
  })

  test('hooks fill what is to be written, once', async () => {
    const seen: unknown[] = []
    const { subject } = world({ hooks: hooks(seen), tables: { User: [{ id: 1 }] } })
    const post = subject('Post')
    const filled = input({ title: 'T' }, { author: toOne('users', 1) })
    const found = await withPreparedColumns(post, null, filled)
    expect(found).toEqual({ ...filled, columns: { slug: 'from afar' } })
    expect(await withPreparedColumns(post, null, filled)).toEqual(found)
    const event = { action: 'create', row: null, input: { title: 'T' }, user: { id: 7 }, services: { clock: 1 } }
    expect(seen).toEqual([{ title: 'T', authorId: 1 }, event])
    expect(Object.isFrozen(seen[1])).toBe(true)
  })

  test('hooks see the columns that are changed, and not the id that a client gave', async () => {
    const seen: unknown[] = []
    const { subject } = world({ hooks: hooks(seen) })
    await withPreparedColumns(subject('Post'), { id: 5 }, input({ title: 'T' }, {}, '5'))
    expect(seen).toMatchObject([{ title: 'T' }, { action: 'update', row: { id: 5 } }])
    const created: unknown[] = []
    await withPreparedColumns(
      world({ hooks: { 'Seat:preparing': (data) => void created.push(data) } }).subject('Seat'),
      null,
      input({}, {}, '1_a'),
    )
    expect(created).toEqual([{ row: 1, place: 'a' }])
  })

  test('nothing is filled without hooks', async () => {
    const filled = input({ title: 'T' })
    expect(await withPreparedColumns(world().subject('Post'), null, filled)).toBe(filled)
  })

  test('what began inside of one begins again, and nothing else does', async () => {
    const seen: unknown[] = []
    const { subject } = world({ hooks: hooks(seen), isWithin: true })
    const post = subject('Post')
    const request = { store: { lock: keyedLock() }, observer: null }
    let begun = 0
    const found = await retryOnConflict(request, '', async () => {
      begun++
      return withPreparedColumns(post, null, input({ title: 'T' }))
    })
    expect([begun, found.columns, seen.length]).toEqual([2, { slug: 'from afar' }, 2])
    const work = async () => {
      begun++
      throw new Error('Oh.')
    }
    await expect(retryOnConflict(request, '', work)).rejects.toThrow('Oh.')
    expect(begun).toBe(3)
    await expect(
      withPreparedColumns(world({ hooks: hooks([]), isWithin: true }).subject('Post'), null, input()),
    ).rejects.toThrow('preparing hooks have to run before the transaction begins.')
    expect(everything.holds).toBe(true)
  })
})
