import { describe, expect, test } from 'vitest'
import { equals } from '../../../src/condition/build.ts'
import type { Condition } from '../../../src/condition/condition.ts'
import type { SingleStatementWriter } from '../../../src/database/store.ts'
import { keepStored } from '../../../src/database/stored-rows.ts'
import type { Row } from '../../../src/model/where.ts'
import type { ResourceSchema } from '../../../src/schema/resource-schema.ts'
import type { WriteEvent } from '../../../src/write/hooks.ts'
import {
  insertInOneStatement,
  removeInOneStatement,
  updateInOneStatement,
} from '../../../src/write/single-statement.ts'
import { schemaOfModel } from '../../support/schemas.ts'
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
    finish: async (works: readonly (() => unknown)[]) => {
      asked.push(['finished', works.length])
    },
  } as unknown as SingleStatementWriter
  const { subject } = world({ ...given, single, tables: { User: [{ id: 1 }] } })
  return { asked, post: subject('Post') }
}

const shownBy = ({ mayFail }: Given) => ({ columns: ['id', 'title'], mayFail: mayFail ?? null })

const where = equals(schemaOfModel('Post').model, 'id', 5)
const versioned = [schemaOfModel('Post', { version: { kind: 'counter', column: 'views' } } as Partial<ResourceSchema>)]

describe('a new row is one statement', () => {
  const insert = async (given: Given, ...filled: Parameters<typeof input>) => {
    const { asked, post } = writing(given)
    return [await insertInOneStatement(post, input(...filled), shownBy(given)), ...asked]
  }
  const plan = (data: Row) => ['insert', { model: 'Post', data, returning: ['id'] }]

  test('with its own columns', async () => {
    expect(await insert({}, { title: 'T' }, { author: toOne('users', 1), tags: [], comments: [] })).toEqual([
      { key: { id: 9 }, shown: null },
      plan({ title: 'T', authorId: 1 }),
      ['finished', 0],
    ])
    expect(await insert({ schemas: versioned }, { title: 'T' })).toEqual([
      { key: { id: 9 }, shown: null },
      plan({ views: 1, title: 'T' }),
      ['finished', 0],
    ])
  })

  test('as hooks fill it, with work for after the commit', async () => {
    const hooks: Hooks = {
      'Post:creating': (_, { afterCommit, input, action }: WriteEvent) => {
        afterCommit(() => {})
        return { slug: `${action} ${input.title}` }
      },
      'Post:saving': ({ slug }) => ({ title: `${slug}!` }),
    }
    expect(await insert({ hooks }, { title: 'T' })).toEqual([
      { key: { id: 9 }, shown: null },
      plan({ slug: 'create T', title: 'create T!' }),
      ['finished', 1],
    ])
    expect(await insert({ hooks, answer: null }, { title: 'T' })).toEqual([
      null,
      plan({ slug: 'create T', title: 'create T!' }),
    ])
  })

  test('not where it takes a transaction', async () => {
    const declined = (reason: string) => [null, ['declined', 'Post', reason]]
    expect(await insert({}, {}, { tags: to('tags', 1) })).toEqual(declined('the relation tags'))
    expect(await insert({ hooks: { 'Post:created': () => {} } })).toEqual(declined('the hook created'))
    expect(await insert({ hooks: { 'Post:saved': () => {} } })).toEqual(declined('the hook saved'))
    expect(await insert({ reasonAgainstInsert: 'triggers' })).toEqual(declined('triggers'))
    expect(await insert({ hooks: { 'Post:updated': () => {}, 'Tag:created': () => {} } })).toHaveLength(3)
  })

  test('not where a hook asks for the transaction, even if it says nothing, or fails', async () => {
    const reading = [null, ['declined', 'Post', 'a hook reads or writes rows']]
    expect(await insert({ hooks: { 'Post:creating': (_, { db }: WriteEvent) => void db } })).toEqual(reading)
    const counting = async (_: Row, event: WriteEvent) => {
      await event.count('Post' as never)
    }
    expect(await insert({ hooks: { 'Post:saving': counting as never } })).toEqual(reading)
    const catching = (_: Row, event: WriteEvent) => {
      try {
        void event.db
      } catch {}
    }
    expect(await insert({ hooks: { 'Post:creating': catching as never } })).toEqual(reading)
    const failing = () => {
      throw new Error('Oh.')
    }
    expect(await insert({ hooks: { 'Post:creating': failing } })).toEqual([
      null,
      ['declined', 'Post', 'a hook or a column failed'],
    ])
  })

  test('and no transaction is there afterwards', async () => {
    let kept: WriteEvent | null = null
    const keep = (_: Row, event: WriteEvent) => {
      kept = event
    }
    await insert({ hooks: { 'Post:creating': keep as never } })
    expect(() => (kept as WriteEvent | null)?.db).toThrow(/transaction/)
    expect(() => (kept as WriteEvent | null)?.db).not.toThrow(/no transaction for this hook yet/)
  })

  test('not without a connection for statements', async () => {
    expect(await insertInOneStatement(world().subject('Post'), input(), shownBy({}))).toBe(null)
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
    return [await updateInOneStatement(post, row, { input: input(...filled), shown: shownBy(given) }), ...asked]
  }
  const plan = (data: Row) => [
    'update',
    { model: 'Post', data, where, row: { title: 'S', views: 3 }, stored: { title: 'raw' } },
  ]

  test('of a row that is still what was judged', async () => {
    expect(await update({}, { title: 'T' }, { author: toOne('users', 1) })).toEqual([
      changed,
      plan({ title: 'T', authorId: 1 }),
      ['finished', 0],
    ])
    expect(await update({ answer: null }, { title: 'T' })).toEqual([null, plan({ title: 'T' })])
  })

  test('with its next version, where anything changes', async () => {
    expect(await update({ schemas: versioned }, { title: 'T' })).toEqual([
      changed,
      plan({ title: 'T', views: 4 }),
      ['finished', 0],
    ])
    expect(await update({ schemas: versioned })).toEqual([changed, plan({}), ['finished', 0]])
  })

  test('as hooks fill it, which are told of the row and its relation', async () => {
    const hooks: Hooks = {
      'Post:updating': (_, { row, action, relation, identifiers }: WriteEvent) => ({
        slug: `${action} ${row?.title} ${relation} ${identifiers.length}`,
      }),
      'Post:saving': ({ slug }) => ({ title: `${slug}!` }),
    }
    expect(await update({ hooks }, {}, { author: toOne('users', 1) })).toEqual([
      changed,
      plan({ authorId: 1, slug: 'update S author 1', title: 'update S author 1!' }),
      ['finished', 0],
    ])
  })

  test('not where it takes a transaction', async () => {
    const declined = (reason: string) => [null, ['declined', 'Post', reason]]
    expect(await update({}, {}, { tags: [] })).toEqual(declined('the relation tags'))
    expect(await update({ mayFail: 'the answer shows other rows' })).toEqual(declined('the answer shows other rows'))
    expect(await update({ hooks: { 'Post:updated': () => {} } })).toEqual(declined('the hook updated'))
    expect(await update({ hooks: { 'Post:saved': () => {} } })).toEqual(declined('the hook saved'))
    expect(await update({ hooks: { 'Post:updating': (_, { db }: WriteEvent) => void db } })).toEqual(
      declined('a hook reads or writes rows'),
    )
    expect(await update({ hooks: { 'Post:created': () => {} }, reasonAgainstInsert: 'triggers' })).toHaveLength(3)
    expect(await updateInOneStatement(world().subject('Post'), row, { input: input(), shown: shownBy({}) })).toBe(null)
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
