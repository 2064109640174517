import { expect, test } from 'vitest'
import { schemaOfModel } from '../../../../test/support/schemas.ts'
import { checkCounts, refuseCounts } from '../../src/query/check-query.ts'
import type { Relation } from '../../src/schema/relation-kinds.ts'
import { refusals } from './query-errors.ts'

const countable = (model: string, ...names: readonly string[]) => {
  const schema = schemaOfModel(model)
  const relations = [...schema.relations].map(([name, relation]): [string, Relation] => [
    name,
    names.includes(name) ? ({ ...relation, isCountable: true } as Relation) : relation,
  ])
  return { ...schema, relations: new Map(relations) }
}
const post = countable('Post', 'comments', 'tags', 'author')
const user = countable('User', 'posts')

test('names are a set', () => {
  expect(checkCounts('comments,tags,comments', [post])).toEqual(new Set(['comments', 'tags']))
})

test('nothing sent, or nothing named, counts nothing', () => {
  for (const sent of [null, '']) expect(checkCounts(sent, [post])).toEqual(new Set())
  expect(refuseCounts(null)).toEqual(new Set())
})

test('one of several types is enough, as it is for an include', () => {
  expect(checkCounts('posts', [post, user])).toEqual(new Set(['posts']))
})

test('whatever cannot be counted is named', () => {
  expect(refusals(() => checkCounts('author,tags,seats,,title', [post]))).toEqual(
    ['author', 'seats', '', 'title'].map((name) => ['withCount', `Field ${name} is not countable.`]),
  )
  expect(refusals(() => refuseCounts(''))).toEqual([['withCount', 'Parameter withCount is not allowed.']])
})
