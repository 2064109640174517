import { expect, test } from 'vitest'
import { checkContext } from '../../../../test/support/query-context.ts'
import { checkFields } from '../../src/query/check-query.ts'
import { refusals } from './query-errors.ts'

const fields = (sent: Record<string, string>) => checkFields(new Map(Object.entries(sent)), checkContext())

test('attributes and relations of any type can be asked for', () => {
  expect(fields({ posts: 'title,author,title', users: 'name' })).toEqual(
    new Map([
      ['posts', new Set(['title', 'author'])],
      ['users', new Set(['name'])],
    ]),
  )
})

test('an empty list leaves no field', () => {
  expect(fields({ posts: '' })).toEqual(new Map([['posts', new Set()]]))
})

test('unknown, hidden and write-only fields, foreign keys and the id are refused, each by name', () => {
  const names = ['foo', 'secret', 'token', 'authorId', 'id', '', 'constructor']
  expect(refusals(() => fields({ posts: names.join(',') }))).toEqual(
    names.map((name) => ['fields[posts]', `Sparse field set posts.${name} is not allowed.`]),
  )
})

test('an unknown type is refused beside unknown fields of others', () => {
  expect(refusals(() => fields({ foo: 'a', posts: 'bar' }))).toEqual([
    ['fields[foo]', 'Resource type foo is not recognised.'],
    ['fields[posts]', 'Sparse field set posts.bar is not allowed.'],
  ])
})

test('a hostile list is answered with no more than a hundred errors', () => {
  const list = Array.from({ length: 4000 }, (_, i) => `f${i}`).join(',')
  expect(refusals(() => fields({ posts: list }))).toHaveLength(100)
})
