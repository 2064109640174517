import type { LookUpPlan, RowsPlan } from '@prismapi/core/database/reader'
import { equals, everything } from '@prismapi/jsonapi/condition/build'
import type { Condition } from '@prismapi/jsonapi/condition/condition'
import { prismaWhere } from '@prismapi/jsonapi/condition/prisma'
import { unavailable } from '@prismapi/jsonapi/document/errors'
import type { ColumnMeta, ModelMeta } from '@prismapi/jsonapi/model/meta'
import type { Row, Where } from '@prismapi/jsonapi/model/where'
import { describe, expect, test } from 'vitest'
import { batchingLoader } from '../src/batching-loader.ts'

const rows: readonly Row[] = [1, 2, 3].map((id) => ({ id, name: `row ${id}` }))
const thing = {
  name: 'Thing',
  columns: Object.fromEntries(['id', 'name', 'authorId'].map((name) => [name, { name } as ColumnMeta])),
  relations: {},
} as unknown as ModelMeta
const by = (authorId: number) => equals(thing, 'authorId', authorId)

const lookUp = (value: unknown, rest: Condition = everything): LookUpPlan => ({
  kind: 'lookUp',
  model: 'Thing',
  columns: ['id', 'name'],
  key: [equals(thing, 'id', value)],
  rest,
})

function gathering(answer: (plan: RowsPlan) => readonly Row[]) {
  const asked: Where[] = []
  const read = batchingLoader(
    async (plan) => {
      asked.push(prismaWhere(plan.where, thing))
      return answer(plan)
    },
    ({ columns, where }) => JSON.stringify([columns, where]),
  )
  return { read, asked }
}

/** Finds what the `in` of a gathered query names, or the one value of a query alone. */
function byId({ where }: RowsPlan): readonly Row[] {
  const { id } = prismaWhere(where, thing)
  const wanted = typeof id === 'object' ? (id as { in: unknown[] }).in : [id]
  return rows.filter((row) => wanted.includes(row.id))
}

describe('look-ups of one turn', () => {
  test('are one query, and each has its own row, or none', async () => {
    const { read, asked } = gathering(byId)
    expect(await Promise.all([1, 2, 9].map((id) => read(lookUp(id))))).toEqual([rows[0], rows[1], null])
    // Whoever has none may have spelled it another way than the database does.
    expect(asked).toEqual([{ id: { in: [1, 2, 9] } }, { id: 9 }])
  })

  test('are of one query only where all else that they ask for is the same', async () => {
    const { read, asked } = gathering(byId)
    const mine = by(7)
    const answers = await Promise.all([
      read(lookUp(1, mine)),
      read(lookUp(2, mine)),
      read(lookUp(3, by(8))),
      read({ ...lookUp(1), columns: ['id'] }),
    ])
    expect(answers).toEqual([rows[0], rows[1], rows[2], rows[0]])
    expect(asked).toEqual([{ id: { in: [1, 2] }, authorId: 7 }, { id: 3, authorId: 8 }, { id: 1 }])
  })

  test('of the same rows are several queries: no two requests share a row', async () => {
    const { read, asked } = gathering((plan) => byId(plan))
    await Promise.all([1, 2, 1, 2, 1].map((id) => read(lookUp(id))))
    expect(asked).toEqual([{ id: { in: [1, 2] } }, { id: { in: [1, 2] } }, { id: 1 }])
  })

  test('of one row are asked by themselves', async () => {
    const { read, asked } = gathering((plan) => byId(plan).map((row) => ({ ...row })))
    const [one, other] = await Promise.all([read(lookUp(1)), read(lookUp(1))])
    expect([one, other]).toEqual([rows[0], rows[0]])
    expect(one).not.toBe(other)
    expect(asked).toHaveLength(2)
  })

  test('of the next turn are another query', async () => {
    const { read, asked } = gathering(byId)
    await read(lookUp(1))
    await read(lookUp(2))
    expect(asked).toHaveLength(2)
  })

  test('begin anew by themselves where one of them makes the query fail', async () => {
    const { read, asked } = gathering((plan) => {
      if (JSON.stringify(plan.where).includes('bad')) throw new Error('no such value')
      return byId(plan)
    })
    const results = await Promise.allSettled([read(lookUp(1)), read(lookUp('bad')), read(lookUp(2))])
    expect(results).toEqual([
      { status: 'fulfilled', value: rows[0] },
      { status: 'rejected', reason: new Error('no such value') },
      { status: 'fulfilled', value: rows[1] },
    ])
    expect(asked).toHaveLength(4)
  })

  test('find rows whose key is another text for the same value, as in a column that knows no case', async () => {
    const ann = { id: 'ann', name: 'Ann' }
    const { read } = gathering(({ where }) => (/ann/i.test(JSON.stringify(where)) ? [ann] : []))
    expect(await Promise.all(['ANN', 'ann', 'bob'].map((id) => read(lookUp(id))))).toEqual([ann, ann, null])
  })

  test('of a database that is away fail together, and nobody asks it again', async () => {
    const { read, asked } = gathering(() => {
      throw unavailable(1)
    })
    const results = await Promise.allSettled([1, 2, 3].map((id) => read(lookUp(id))))
    expect(results.map((result) => result.status === 'rejected' && result.reason.status)).toEqual([503, 503, 503])
    expect(asked).toHaveLength(1)
  })

  test('that nobody knows a text for are left to who knows', async () => {
    const read = batchingLoader(
      async () => [ann],
      () => {
        throw new Error('not in SQL')
      },
    )
    const ann = { id: 1 }
    expect(await read(lookUp(1))).toEqual(ann)
  })
})
