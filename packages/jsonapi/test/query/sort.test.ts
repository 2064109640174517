import { describe, expect, test } from 'vitest'
import { checkContext } from '../../../../test/support/query-context.ts'
import { schemaOfModel } from '../../../../test/support/schemas.ts'
import { checkSort } from '../../src/query/sort.ts'
import { refusals } from './query-errors.ts'

const post = schemaOfModel('Post')
const sort = (value: string, check = checkContext()) => checkSort(value, post, check)

test('fields keep their order, a minus turns one round', () => {
  expect(sort('-publishedAt,title,id')).toEqual([
    { path: ['publishedAt'], direction: 'desc' },
    { path: ['title'], direction: 'asc' },
    { path: ['id'], direction: 'asc' },
  ])
})

test('a path leads through to-one relations of both kinds', () => {
  expect(sort('author.name,-author.profile.bio,author.id')).toEqual([
    { path: ['author', 'name'], direction: 'asc' },
    { path: ['author', 'profile', 'bio'], direction: 'desc' },
    { path: ['author', 'id'], direction: 'asc' },
  ])
})

test('an id of several columns is ordered by all of them', () => {
  expect(checkSort('-id', schemaOfModel('Seat'), checkContext())).toEqual([
    { path: ['row'], direction: 'desc' },
    { path: ['place'], direction: 'desc' },
  ])
})

describe('what cannot be sorted by looks like what is not there', () => {
  test.each([
    ['unknown', 'foo'],
    ['hidden', 'secret'],
    ['write-only', 'token'],
    ['a foreign key', 'authorId'],
    ['a list', 'labels'],
    ['Json', 'meta'],
    ['Bytes', 'cover'],
    ['a relation', 'author'],
    ['hidden behind a relation', 'author.passwordHash'],
    ['a to-many path', 'comments.content'],
    ['a path behind an attribute', 'title.foo'],
    ['a prototype member', 'constructor'],
  ])('%s', (_, path) => {
    expect(refusals(() => sort(`-${path}`))).toEqual([['sort', `Sort parameter ${path} is not allowed.`]])
  })

  test.each(['', '-', 'title,', ',title'])('a list with nothing in it: "%s"', (list) => {
    const detail = 'The parameter sort must be a list of fields, with - before those that descend.'
    expect(refusals(() => sort(list))).toEqual([['sort', detail]])
  })

  test('a path through a polymorphic relation', () => {
    const check = checkContext()
    expect(refusals(() => checkSort('commentable.title', schemaOfModel('Comment'), check))).toHaveLength(1)
  })

  test('a path to a type of which this request may not see all', () => {
    const scopes = new Map([['User', { active: true }]])
    expect(refusals(() => sort('author.name', checkContext({ scopes })))).toEqual([
      ['sort', 'Sort parameter author.name is not allowed.'],
    ])
    const ownScope = checkContext({ scopes: new Map([['Post', { featured: true }]]) })
    expect(sort('author.name', ownScope)).toEqual([{ path: ['author', 'name'], direction: 'asc' }])
  })
})

test('every wrong field of a list is named', () => {
  expect(refusals(() => sort('foo,title,-bar')).map(([, detail]) => detail)).toEqual([
    'Sort parameter foo is not allowed.',
    'Sort parameter bar is not allowed.',
  ])
})

test('a field can be sorted by once', () => {
  expect(refusals(() => sort('title,-title'))).toEqual([['sort', 'Sort parameter title is repeated.']])
})

test('as many fields as the limit are allowed, one more is not', () => {
  const check = checkContext({ limits: { sortKeys: 2 } })
  expect(sort('title,slug', check)).toHaveLength(2)
  expect(refusals(() => sort('title,slug,id', check))).toEqual([
    ['sort', 'The parameter sort must not have more than 2 fields.'],
  ])
})
