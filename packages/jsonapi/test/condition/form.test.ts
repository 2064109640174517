import {
  all,
  any,
  columnsOf,
  compare,
  equals,
  everything,
  not,
  related,
  relationOf,
} from '@prismapi/jsonapi/condition/build'
import type { Condition } from '@prismapi/jsonapi/condition/condition'
import { conditionForm } from '@prismapi/jsonapi/condition/form'
import type { ColumnMeta, ModelMeta } from '@prismapi/jsonapi/model/meta'
import { expect, test } from 'vitest'
import { resources } from '../../../../test/support/schemas.ts'

const post = resources.models.Post as ModelMeta
const [authorId, title, publishedAt, id] = columnsOf(post, ['authorId', 'title', 'publishedAt', 'id']) as Columns
type Columns = readonly [ColumnMeta, ColumnMeta, ColumnMeta, ColumnMeta]
const behind = (value: number) => all(compare(id, 'lte', value), not(all(equals(post, 'id', value), byFive)))
const byFive = compare(authorId, 'gte', 5)

test('conditions that differ in values alone have one form, and tell what differs', () => {
  const [one, other] = [conditionForm(behind(1)), conditionForm(behind(2))]
  expect(one?.text).toBe(other?.text)
  expect(one?.comparisons.map(({ value }) => value)).toEqual([1, 1, 5])
  expect(other?.comparisons).toContain(byFive)
})

test.each<[string, Condition, Condition]>([
  ['an operator', compare(id, 'lt', 1), compare(id, 'lte', 1)],
  ['a column', compare(id, 'equals', 1), compare(authorId, 'equals', 1)],
  ['a value, and none', compare(publishedAt, 'equals', new Date(0)), compare(publishedAt, 'equals', null)],
  ['not', compare(id, 'equals', 1), not(compare(id, 'equals', 1))],
  ['all, and any', all(byFive, equals(post, 'id', 1)), any([byFive, equals(post, 'id', 1)])],
  [
    'where one ends',
    all(any([byFive, equals(post, 'id', 1)]), equals(post, 'id', 2)),
    any([all(byFive, equals(post, 'id', 1)), equals(post, 'id', 2)]),
  ],
])('two that differ by %s have two', (_, one, other) => {
  expect(conditionForm(one)?.text).not.toBe(conditionForm(other)?.text)
})

test('a value that decides the statement, or lies behind a relation, has none', () => {
  expect(conditionForm(compare(id, 'in', [1, 2]))).toBeNull()
  expect(conditionForm(compare(title, 'contains', 'a%'))).toBeNull()
  expect(conditionForm(compare(title, 'equals', 'a', 'insensitive'))).toBeNull()
  expect(conditionForm(not(related(relationOf(post, 'author'), 'is', everything)))).toBeNull()
  expect(conditionForm(all(byFive, compare(id, 'notIn', [1])))).toBeNull()
})
