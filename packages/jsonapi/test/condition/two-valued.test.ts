import fc from 'fast-check'
import { expect, test } from 'vitest'
import { resources } from '../../../../test/support/schemas.ts'
import { columnOf, json, not } from '../../src/condition/build.ts'
import { parseCondition } from '../../src/condition/parse.ts'
import { prismaWhere } from '../../src/condition/prisma.ts'
import { decide, twoValued } from '../../src/condition/two-valued.ts'
import type { ColumnMeta, ModelMeta } from '../../src/model/meta.ts'
import { AnyNull, DbNull } from '../../src/model/prisma-values.ts'
import type { Where } from '../../src/model/where.ts'
import { conditions, holdsUndecided, rows, truthOf } from './truth.ts'

const post = resources.models.Post as ModelMeta
const of = (where: Where) => prismaWhere(twoValued(parseCondition(where, post, resources.models)), post)

test('a nullable column is asked to be there, a required one is not', () => {
  expect(of({ views: { gte: 2 } })).toEqual({ AND: [{ views: { gte: 2 } }, { views: { not: null } }] })
  expect(of({ slug: 'x' })).toEqual({ slug: 'x' })
  expect(of({ views: null })).toEqual({ views: null })
  expect(of({ views: { not: null } })).toEqual({ views: { not: null } })
})

test('a value inside of JSON is asked to be there, whatever its column says', () => {
  const there = { meta: { path: ['a'], not: DbNull } }
  expect(of({ meta: { path: ['a'], equals: 1 } })).toEqual({ AND: [{ meta: { path: ['a'], equals: 1 } }, there] })
  expect(of({ NOT: { meta: { path: ['a'], equals: 1 } } })).toEqual({
    AND: [{ NOT: { meta: { path: ['a'], equals: 1 } } }, there],
  })
  for (const where of [{ meta: { path: ['a'], equals: AnyNull } }, { meta: { equals: AnyNull } }])
    expect(of(where)).toEqual(where)
})

test('a whole Json column is asked to be there where it may be missing', () => {
  const meta = columnOf(post, 'meta')
  const equals = (column: ColumnMeta) => twoValued(json(column, null, { operator: 'equals', value: 1 }))
  expect(prismaWhere(equals(meta), post)).toEqual({ AND: [{ meta: { equals: 1 } }, { meta: { not: DbNull } }] })
  expect(prismaWhere(equals({ ...meta, isNullable: false }), post)).toEqual({ meta: { equals: 1 } })
  const inside = json({ ...meta, isNullable: false }, ['a'], { operator: 'equals', value: 1 })
  expect(prismaWhere(twoValued(inside), post)).toEqual({
    AND: [{ meta: { path: ['a'], equals: 1 } }, { meta: { path: ['a'], not: DbNull } }],
  })
})

test('a denial is not met by NULL', () => {
  expect(of({ NOT: { views: 2 } })).toEqual({ AND: [{ NOT: { views: 2 } }, { views: { not: null } }] })
})

test('to-many conditions stay as they are', () => {
  const where = { comments: { none: { spam: true } } }
  expect(of(where)).toEqual(where)
  expect(of({ NOT: where })).toEqual({ NOT: where })
})

test('to-one conditions are made definite behind the relation', () => {
  const active = { AND: [{ active: true }, { active: { not: null } }] }
  expect(of({ author: { active: true } })).toEqual({ author: { is: active } })
  expect(of({ author: { is: { active: true } } })).toEqual({ author: { is: active } })
  expect(of({ NOT: { author: { isNot: { active: true } } } })).toEqual({ author: { is: active } })
  expect(of({ author: { is: null } })).toEqual({ author: null })
  expect(of({ author: { isNot: { active: true } } })).toEqual({
    OR: [
      { NOT: { author: { is: {} } } },
      { author: { is: { AND: [{ NOT: { active: true } }, { active: { not: null } }] } } },
    ],
  })
})

test('for any condition and row: true where it is true, false where it is false or unknown', () => {
  fc.assert(
    fc.property(conditions, rows, (condition, row) => {
      expect(truthOf(twoValued(condition), row)).toBe(truthOf(condition, row) === true)
      expect(truthOf(twoValued(not(condition)), row)).toBe(truthOf(condition, row) === false)
    }),
    { numRuns: 2000 },
  )
})

test('a condition with an undecided part is one without it for the same rows, and any other stays', () => {
  fc.assert(
    fc.property(conditions, rows, (condition, row) => {
      const asked = decide(condition)
      expect(truthOf(asked, row) === true).toBe(truthOf(condition, row) === true)
      expect(holdsUndecided(asked)).toBe(false)
      if (!holdsUndecided(condition)) expect(asked).toBe(condition)
    }),
    { numRuns: 1000 },
  )
})
