import { AnyNull, DbNull } from '@prisma/client/runtime/client'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseCondition } from '../../../src/condition/parse.ts'
import { prismaWhere } from '../../../src/condition/prisma.ts'
import { twoValued } from '../../../src/condition/two-valued.ts'
import type { ModelMeta } from '../../../src/model/meta.ts'
import type { Where } from '../../../src/model/where.ts'
import { resources } from '../../support/schemas.ts'

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

// SQL's three values, over rows of two nullable columns and one nullable relation.
type Truth = boolean | null
type Row = Readonly<Record<string, unknown>>

const not = (truth: Truth): Truth => (truth === null ? null : !truth)
const and = (truths: readonly Truth[]): Truth => (truths.includes(false) ? false : truths.includes(null) ? null : true)
const or = (truths: readonly Truth[]): Truth => not(and(truths.map(not)))

function judge(where: Where, row: Row | null): Truth {
  return and(
    Object.entries(where).map(([key, value]) => {
      const branches = [value].flat() as Where[]
      if (key === 'AND') return and(branches.map((branch) => judge(branch, row)))
      if (key === 'OR') return or(branches.map((branch) => judge(branch, row)))
      if (key === 'NOT') return and(branches.map((branch) => not(judge(branch, row))))
      const given = row?.[key] ?? null
      // A join: the condition is judged on NULLs where there is no row, and that there is one is asked beside it.
      if (key === 'author') {
        const { is, isNot } = value as { is?: Where; isNot?: Where }
        if (is) return and([judge(is, given as Row | null), given !== null])
        return or([not(judge(isNot as Where, given as Row | null)), given === null])
      }
      if (value === null) return given === null
      if (typeof value === 'string') return given === null ? null : given === value
      const condition = value as { equals?: unknown; not?: unknown; in?: readonly unknown[] }
      if ('not' in condition && condition.not === null) return given !== null
      if (given === null) return null
      if (condition.in) return condition.in.includes(given)
      return 'not' in condition ? given !== condition.not : given === condition.equals
    }),
  )
}

const values = ['a', 'b']
const test1 = fc.oneof(
  fc.constant(null),
  fc.constant({ not: null }),
  fc.record({ equals: fc.constantFrom(...values) }),
  fc.record({ not: fc.constantFrom(...values) }),
  fc.record({ in: fc.subarray(values, { minLength: 1 }) }),
)

const { where } = fc.letrec<{ where: Where; ofUser: Where }>((tie) => ({
  ofUser: fc.oneof(
    { maxDepth: 2 },
    fc.record({ name: test1 }),
    fc.record({ NOT: tie('ofUser') }),
    fc.record({ OR: fc.array(tie('ofUser'), { minLength: 1, maxLength: 2 }) }),
  ),
  where: fc.oneof(
    { maxDepth: 4 },
    fc.record({ title: test1 }),
    fc.record({ title: test1, slug: test1 }),
    fc.record({ author: fc.record({ is: tie('ofUser') }) }),
    fc.record({ author: fc.record({ isNot: tie('ofUser') }) }),
    fc.record({ NOT: fc.oneof(tie('where'), fc.array(tie('where'), { minLength: 1, maxLength: 2 })) }),
    fc.record({ AND: fc.array(tie('where'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ OR: fc.array(tie('where'), { minLength: 1, maxLength: 3 }) }),
  ),
}))

const column = fc.constantFrom(null, ...values)
const row = fc.record({
  title: column,
  slug: fc.constantFrom(...values),
  author: fc.option(fc.record({ name: column })),
})

test('for any condition and row: true where it is true, false where it is false or NULL', () => {
  fc.assert(
    fc.property(where, row, (condition, given) => {
      expect(judge(of(condition), given)).toBe(judge(condition, given) === true)
    }),
    { numRuns: 2000 },
  )
})
