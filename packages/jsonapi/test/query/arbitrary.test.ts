import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fakePaginator, requestContext } from '../../../../test/support/query-context.ts'
import { registryOf, schemaOfModel } from '../../../../test/support/schemas.ts'
import { JsonApiError } from '../../src/document/error.ts'
import { checkQuery } from '../../src/query/check-query.ts'
import { requestedAt } from '../../src/request/hook-context.ts'

const post = schemaOfModel('Post', { paginator: fakePaginator(), singularFilters: new Set(['slug']) })
const registry = registryOf(post)
const scopes = new Map([['User', { NOT: { OR: [{ active: null }, { name: 'x' }] } }]])

/** Whether the query is accepted; anything but a query or a 400 that names its parameters fails the test. */
function isAccepted(search: string): boolean {
  const ctx = requestContext('', { registry, scopes })
  try {
    const at = requestedAt(Object.assign(new URL(ctx.at.url), { search }))
    checkQuery({ ...ctx, at }, { schemas: [post], isCollection: true, relation: null, isRelationship: false })
    return true
  } catch (error) {
    if (!(error instanceof JsonApiError)) throw error
    expect(error.status).toBe(400)
    for (const { source, detail } of error.errors) {
      expect(source).toEqual({ parameter: expect.any(String) })
      expect(detail).toMatch(/\S/)
    }
    return false
  }
}

const names = [
  'title',
  'slug',
  'views',
  'labels',
  'status',
  'author',
  'comments',
  'tags',
  'id',
  'commentable',
  'some',
  'none',
  'every',
]
const operators = [
  'equals',
  'in',
  'contains',
  'isNull',
  'exists',
  'has',
  'gt',
  'or',
  'and',
  'not',
  '0',
  '1',
  '',
  '__proto__',
  'constructor',
  'toString',
]
const segment = fc.oneof(
  fc
    .array(fc.constantFrom(...names, 'name', 'profile', 'posts'), { minLength: 1, maxLength: 4 })
    .map((path) => path.join('.')),
  fc.constantFrom(...operators),
  fc.string({ maxLength: 4, unit: 'binary' }),
)
const family = fc.constantFrom('filter', 'filter', 'filter', 'include', 'sort', 'fields', 'page', 'prototype')
const key = fc
  .tuple(family, fc.array(segment, { maxLength: 5 }))
  .map(([name, path]) => name + path.map((part) => `[${part}]`).join(''))
const value = fc.oneof(
  segment,
  fc.constantFrom('1', '1,2', 'true', 'a\\,b', '%', '_', '{"id":[1]}', '2025-01-31T09:30:00Z', '\u0000'),
  fc.json({ maxDepth: 2 }),
)
const parameters = fc
  .array(fc.tuple(key, value), { maxLength: 6 })
  .map(
    (pairs) => `?${pairs.map(([name, text]) => `${encodeURIComponent(name)}=${encodeURIComponent(text)}`).join('&')}`,
  )

test('a query string made of real words and hostile ones is a query, or a 400 that names its parameters', () => {
  let accepted = 0
  fc.assert(
    fc.property(parameters, (search) => {
      if (isAccepted(search)) accepted += 1
    }),
    { numRuns: 3000 },
  )
  expect(accepted).toBeGreaterThan(50)
})

test('so is any text at all', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
      isAccepted(`?${text.toWellFormed()}`)
    }),
    { numRuns: 2000 },
  )
})

test('keys of prototypes are unknown parameters everywhere', () => {
  for (const name of ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty']) {
    const searches = [
      '%=1',
      'filter[%]=1',
      'filter[author][%]=1',
      'filter[title][%]=1',
      'filter[%][0][title]=1',
      'page[%]=1',
      'fields[%]=a',
      'fields[posts]=%',
      'include=%',
      'sort=%',
    ]
    for (const search of searches) expect(isAccepted(`?${search.replace('%', name)}`)).toBe(false)
  }
})
