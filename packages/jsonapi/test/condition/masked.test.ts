import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { columnOf, compare, everything, json, not, nothing, related, relationOf } from '../../src/condition/build.ts'
import type { Condition } from '../../src/condition/condition.ts'
import { prismaWhere } from '../../src/condition/prisma.ts'
import { decide, maskColumns, maskCrossing, maskTest } from '../../src/condition/two-valued.ts'
import { AnyNull, DbNull } from '../../src/model/prisma-values.ts'
import { conditions, crossings, onColumns, type Post, postModel, rows, truthOf } from './truth.ts'

const column = (name: string) => columnOf(postModel, name)
const asked = (condition: Condition) => prismaWhere(condition, postModel)
const isSeen = compare(column('featured'), 'equals', true)

describe('a condition on columns that some rows hide', () => {
  test('says of a row what it says of the row with null for what is hidden', () => {
    fc.assert(
      fc.property(onColumns, conditions, conditions, rows, (condition, seesTitle, seesOthers, row) => {
        const seenOf = (name: string) => (name === 'title' ? seesTitle : seesOthers)
        const shown = shownOf(row, seenOf)
        const found = maskColumns(condition, seenOf)
        expect(truthOf(found, row)).toBe(truthOf(condition, shown))
        expect(truthOf(decide(found), row) === true).toBe(truthOf(condition, shown) === true)
      }),
      { numRuns: 1000 },
    )
  })

  function shownOf(row: Post, seenOf: (name: string) => Condition): Post {
    const shown = <Name extends 'title' | 'slug' | 'meta'>(name: Name): Post[Name] | null =>
      truthOf(seenOf(name), row) === true ? row[name] : null
    return { ...row, title: shown('title'), slug: shown('slug'), meta: shown('meta') }
  }

  test('stays as it is where every row shows them', () => {
    for (const test of [
      compare(column('title'), 'equals', null),
      json(column('meta'), ['a'], { operator: 'equals', value: 1 }),
    ])
      expect(maskTest(test, everything)).toBe(test)
  })

  test('does not ask a column that is never null whether it is', () => {
    expect(asked(maskTest(compare(column('slug'), 'equals', null), isSeen))).toEqual({ NOT: { featured: true } })
    expect(asked(maskTest(compare(column('slug'), 'not', null), isSeen))).toEqual({ featured: true })
  })

  test('asks a whole Json column whether it is null, by either of its nulls', () => {
    for (const value of [DbNull, AnyNull]) {
      const where = { meta: { equals: value } }
      expect(asked(maskTest(json(column('meta'), null, { operator: 'equals', value }), isSeen))).toEqual({
        OR: [{ NOT: { featured: true } }, where],
      })
    }
    const required = { ...column('meta'), isNullable: false }
    expect(asked(maskTest(json(required, null, { operator: 'not', value: DbNull }), isSeen))).toEqual({
      featured: true,
    })
  })

  test('asks whether a path leads to a value, even in a column that is never null', () => {
    const required = { ...column('meta'), isNullable: false }
    const inside = (operator: 'equals' | 'not') => json(required, ['a'], { operator, value: AnyNull })
    expect(asked(maskTest(inside('equals'), isSeen))).toEqual({
      OR: [{ NOT: { featured: true } }, { meta: { path: ['a'], equals: AnyNull } }],
    })
    expect(asked(maskTest(inside('not'), isSeen))).toEqual({ featured: true, meta: { path: ['a'], not: AnyNull } })
  })

  test('takes the empty list of another operator for a value', () => {
    const labels = compare(column('labels'), 'hasEvery', [])
    expect(asked(decide(not(maskTest(labels, isSeen))))).toEqual({
      AND: [{ OR: [{ NOT: { featured: true } }, { NOT: { labels: { hasEvery: [] } } }] }, { featured: true }],
    })
  })
})

describe('a relation that leads nowhere where it is hidden', () => {
  test('is asked as if it had no rows there', () => {
    fc.assert(
      fc.property(crossings, conditions, rows, (across, seen, row) => {
        const shown = truthOf(seen, row) === true ? row : { ...row, author: null, comments: [] }
        expect(truthOf(maskCrossing(across, across.quantifier, seen), row)).toBe(truthOf(across, shown))
      }),
    )
  })

  test('is asked as before where every row shows it', () => {
    const across = related(relationOf(postModel, 'comments'), 'some', everything)
    expect(maskCrossing(across, 'some', everything)).toBe(across)
    expect(maskCrossing(across, 'some', nothing)).toBe(nothing)
    expect(maskCrossing(across, 'none', nothing)).toBe(everything)
  })
})
