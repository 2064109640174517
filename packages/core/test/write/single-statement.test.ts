import { equals } from '@prismapi/jsonapi/condition/build'
import type { Condition } from '@prismapi/jsonapi/condition/condition'
import type { Row } from '@prismapi/jsonapi/model/where'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { describe, expect, test } from 'vitest'
import { schemaOfModel } from '../../../../test/support/schemas.ts'
import { keepStored } from '../../src/database/reader.ts'
import type { SingleStatementWriter } from '../../src/database/store.ts'
import type { WriteEvent } from '../../src/write/hooks.ts'
import type { WriteInput } from '../../src/write/input.ts'
import {
  filledOutside,
  insertInOneStatement,
  removeInOneStatement,
  type ShownOfWritten,
  statementFor,
  updateInOneStatement,
} from '../../src/write/single-statement.ts'
import { insertRow, updateRow } from '../../src/write/write.ts'
import type { Subject } from '../../src/write/write-context.ts'
import { type Hooks, input, to, toOne, world } from './fixture.ts'

interface Given {
  readonly hooks?: Hooks
  readonly schemas?: readonly ResourceSchema[]
  readonly answer?: unknown
  readonly reasonAgainstInsert?: string
  readonly scopes?: ReadonlyMap<string, Condition>
  /** Whether statements tell rows as they are; left out, no. */
  readonly isTold?: boolean
  readonly mayFail?: string
}

/** A writer that remembers what it was asked. */
function writing({ answer, reasonAgainstInsert, isTold = false, ...given }: Given = {}) {
  const asked: unknown[] = []
  const did = (name: string, found: unknown) => async (plan: unknown) => {
    asked.push([name, plan])
    return found
  }
  const single = {
    reasonAgainstInsert: reasonAgainstInsert ?? null,
    returnsRows: () => isTold,
    insert: did('insert', answer === undefined ? { id: 9 } : answer),
    update: did('update', answer === undefined ? {} : answer),
    remove: did('remove', answer ?? true),
    decline: (model: string, reason: string) => void asked.push(['declined', model, reason]),
  } as unknown as SingleStatementWriter
  const { subject } = world({ ...given, single, tables: { User: [{ id: 1 }] } })
  return { asked, post: subject('Post') }
}

const shownBy = ({ mayFail }: Given) => ({ columns: ['id', 'title'], mayFail: mayFail ?? null })

const where = equals(schemaOfModel('Post').model, 'id', 5)
const versioned = [schemaOfModel('Post', { version: { kind: 'counter', column: 'views' } } as Partial<ResourceSchema>)]

/** As the recipe of a create does it. */
async function inserted(post: Subject, sent: WriteInput, shown: ShownOfWritten) {
  const writer = statementFor(post, null, { input: sent, shown })
  if (!writer) return null
  return insertInOneStatement(writer, post, { input: await filledOutside(post, null, sent), shown })
}

/** As the recipe of an update does it. */
async function updated(post: Subject, row: Row, { input: sent, shown }: { input: WriteInput; shown: ShownOfWritten }) {
  const writer = statementFor(post, row, { input: sent, shown })
  if (!writer) return null
  return updateInOneStatement(writer, post, row, { input: await filledOutside(post, row, sent), shown })
}

describe('a new row is one statement', () => {
  const insert = async (given: Given, ...filled: Parameters<typeof input>) => {
    const { asked, post } = writing(given)
    return [await inserted(post, input(...filled), shownBy(given)), ...asked]
  }
  const plan = (data: Row) => ['insert', { model: 'Post', data, returning: ['id'] }]

  test('with its own columns', async () => {
    expect(await insert({}, { title: 'T' }, { author: toOne('users', 1), tags: [], comments: [] })).toEqual([
      { key: { id: 9 }, shown: null },
      plan({ title: 'T', authorId: 1 }),
    ])
    expect(await insert({ schemas: versioned }, { title: 'T' })).toEqual([
      { key: { id: 9 }, shown: null },
      plan({ views: 1, title: 'T' }),
    ])
  })

  test('as hooks fill it that take no event, each of them once', async () => {
    let runs = 0
    const hooks: Hooks = {
      'Post:creating': ({ title }) => ({ slug: `${++runs} ${title}` }),
      'Post:saving': ({ slug }) => ({ title: `${slug}!` }),
    }
    const filled = { slug: '1 T', title: '1 T!' }
    expect(await insert({ hooks }, { title: 'T' })).toEqual([{ key: { id: 9 }, shown: null }, plan(filled)])
    runs = 0
    expect(await insert({ hooks, answer: null }, { title: 'T' })).toEqual([null, plan(filled)])
    expect(runs).toBe(1)
  })

  test('and what they filled is written by the transaction, where the statement was not done', async () => {
    let runs = 0
    const hooks: Hooks = { 'Tag:saving': ({ name }) => ({ name: `${++runs} ${name}` }) }
    const { transaction, subject, tables } = world({ hooks, tables: { Tag: [{ id: 5, name: 'S' }] } })
    const tag = subject('Tag')
    const [row] = tables.Tag as [Row]
    await insertRow(transaction, tag, await filledOutside(tag, null, input({ name: 'T' })))
    await updateRow(transaction, tag, row, await filledOutside(tag, row, input({ name: 'U' })))
    expect([runs, tables.Tag?.map(({ name }) => name)]).toEqual([2, ['2 U', '1 T']])
  })

  test('not where it takes a transaction', async () => {
    const declined = (reason: string) => [null, ['declined', 'Post', reason]]
    expect(await insert({}, {}, { tags: to('tags', 1) })).toEqual(declined('the relation tags'))
    expect(await insert({ hooks: { 'Post:created': () => {} } })).toEqual(declined('the hook created'))
    expect(await insert({ hooks: { 'Post:saved': () => {} } })).toEqual(declined('the hook saved'))
    expect(await insert({ reasonAgainstInsert: 'triggers' })).toEqual(declined('triggers'))
    expect(await insert({ hooks: { 'Post:updated': () => {}, 'Tag:created': () => {} } })).toHaveLength(2)
  })

  test('not where a hook takes the event, whatever it does with it; it does not run for that', async () => {
    let runs = 0
    const hook = (_: Row, __: WriteEvent) => void runs++
    for (const name of ['creating', 'saving'])
      expect(await insert({ hooks: { [`Post:${name}`]: hook } })).toEqual([
        null,
        ['declined', 'Post', `the hook ${name}, which takes the event`],
      ])
    expect(runs).toBe(0)
  })

  test.each([
    ['db', ({ db }: WriteEvent) => db],
    ['find', ({ find }: WriteEvent) => find('Post' as never, 1)],
    ['afterCommit', ({ afterCommit }: WriteEvent) => afterCommit(() => {})],
  ])('where a hook that hides its second parameter is told so when it asks for %s', async (member, ask) => {
    const hook = async (...[, event]: [Row, WriteEvent]) => void (await ask(event))
    await expect(insert({ hooks: { 'Post:creating': hook as never } })).rejects.toThrow(
      `event.${member}: this write has no transaction, because none of its hooks has a second parameter. Give the hook one without a default: phase.creating('…', (data, event) => …).`,
    )
  })

  test('and what a hook throws is thrown', async () => {
    const failing = () => {
      throw new Error('Oh.')
    }
    await expect(insert({ hooks: { 'Post:creating': failing } })).rejects.toThrow('Oh.')
  })

  test('not without a connection for statements', async () => {
    expect(await inserted(world().subject('Post'), input(), shownBy({}))).toBe(null)
  })

  test('which tells the row, where no trigger changes it and its columns can be read', async () => {
    const shown = ['insert', { model: 'Post', data: { title: 'T' }, returning: ['id'], shown: ['id', 'title'] }]
    const answer = { id: 9, title: 'T!' }
    expect((await insert({ isTold: true, answer }, { title: 'T' })).slice(0, 2)).toEqual([
      { key: { id: 9 }, shown: answer },
      shown,
    ])
    expect((await insert({ isTold: true }, { title: 'T' }))[0]).toEqual({ key: { id: 9 }, shown: null })
  })
})

describe('a change is one statement', () => {
  const row = { id: 5, title: 'S', views: 3 }
  keepStored(row, ['title'], ['raw'])
  const changed = { key: row, shown: null }
  const update = async (given: Given, ...filled: Parameters<typeof input>) => {
    const { asked, post } = writing(given)
    return [await updated(post, row, { input: input(...filled), shown: shownBy(given) }), ...asked]
  }
  const plan = (data: Row) => [
    'update',
    { model: 'Post', data, where, row: { title: 'S', views: 3 }, stored: { title: 'raw' } },
  ]

  test('of a row that is still what was judged', async () => {
    expect(await update({}, { title: 'T' }, { author: toOne('users', 1) })).toEqual([
      changed,
      plan({ title: 'T', authorId: 1 }),
    ])
    expect(await update({ answer: null }, { title: 'T' })).toEqual([null, plan({ title: 'T' })])
  })

  test('with its next version, where anything changes', async () => {
    expect(await update({ schemas: versioned }, { title: 'T' })).toEqual([changed, plan({ title: 'T', views: 4 })])
    expect(await update({ schemas: versioned })).toEqual([changed, plan({})])
  })

  test('as hooks fill it that take no event', async () => {
    const hooks: Hooks = {
      'Post:updating': ({ authorId }) => ({ slug: `by ${authorId}` }),
      'Post:saving': ({ slug }) => ({ title: `${slug}!` }),
    }
    expect(await update({ hooks }, {}, { author: toOne('users', 1) })).toEqual([
      changed,
      plan({ authorId: 1, slug: 'by 1', title: 'by 1!' }),
    ])
  })

  test('not where it takes a transaction', async () => {
    const declined = (reason: string) => [null, ['declined', 'Post', reason]]
    expect(await update({}, {}, { tags: [] })).toEqual(declined('the relation tags'))
    expect(await update({ mayFail: 'the answer shows other rows' })).toEqual(declined('the answer shows other rows'))
    expect(await update({ hooks: { 'Post:updated': () => {} } })).toEqual(declined('the hook updated'))
    expect(await update({ hooks: { 'Post:saved': () => {} } })).toEqual(declined('the hook saved'))
    expect(await update({ hooks: { 'Post:updating': (_, { db }: WriteEvent) => void db } })).toEqual(
      declined('the hook updating, which takes the event'),
    )
    expect(await update({ hooks: { 'Post:created': () => {} }, reasonAgainstInsert: 'triggers' })).toHaveLength(2)
    expect(await updated(world().subject('Post'), row, { input: input(), shown: shownBy({}) })).toBe(null)
  })

  test('which tells the row, unless the scope may hide it now', async () => {
    const { model } = schemaOfModel('Post')
    const asked = async (scopes: ReadonlyMap<string, Condition>) => {
      const [written, [, plan]] = (await update(
        { isTold: true, answer: { id: 5, title: 'T' }, scopes },
        { title: 'T' },
      )) as [unknown, [string, { shown?: unknown }]]
      return [written, plan.shown]
    }
    const told = [{ key: row, shown: { id: 5, title: 'T' } }, ['id', 'title']]
    expect(await asked(new Map())).toEqual(told)
    expect(await asked(new Map([['Post', equals(model, 'slug', 'a')]]))).toEqual(told)
    expect((await asked(new Map([['Post', equals(model, 'title', 'T')]])))[1]).toBeUndefined()
  })
})

describe('a removal is one statement', () => {
  const row = { id: 5, publishedAt: null, views: 3 }
  const remove = async (given: Given, given2: Row = row) => {
    const { asked, post } = writing(given)
    return [await removeInOneStatement(post, given2), ...asked]
  }
  const { id: _, ...others } = row

  test('of a row that is still what was judged', async () => {
    const plan = { model: 'Post', where, row: others, stored: null }
    expect(await remove({ isTold: true })).toEqual([true, ['remove', plan]])
    expect(await remove({ isTold: true, answer: false })).toEqual([false, ['remove', plan]])
  })

  test('or of its mark, and then for good', async () => {
    const schemas = [schemaOfModel('Post', { deletedAt: 'publishedAt' })]
    expect(await remove({ isTold: true, schemas })).toEqual([
      true,
      ['update', { model: 'Post', data: { publishedAt: expect.any(Date) }, where, row: others, stored: null }],
    ])
    const marked = { ...row, publishedAt: new Date() }
    expect((await remove({ isTold: true, schemas }, marked))[1]).toEqual(['remove', expect.anything()])
  })

  test('not where a trigger may leave the row, or change it', async () => {
    expect(await remove({})).toEqual([false, ['declined', 'Post', 'a trigger that may change the row']])
  })

  test('not where hooks look at the row', async () => {
    for (const hook of ['deleting', 'deleted'])
      expect(await remove({ hooks: { [`Post:${hook}`]: () => {} } })).toEqual([
        false,
        ['declined', 'Post', `the hook ${hook}`],
      ])
    expect(await removeInOneStatement(world().subject('Post'), row)).toBe(false)
  })
})
