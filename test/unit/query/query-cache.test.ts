import { describe, expect, test } from 'vitest'
import type { Where } from '../../../src/model/where.ts'
import { checkQuery } from '../../../src/query/check-query.ts'
import type { ResourceSchema } from '../../../src/schema/resource-schema.ts'
import { requestContext } from '../../support/query-context.ts'
import { registryOf, schemaOfModel } from '../../support/schemas.ts'
import { refusals } from './query-errors.ts'

const post = schemaOfModel('Post', { defaultSort: '-publishedAt' })
const registry = registryOf(post)
const hidden: ReadonlyMap<string, Where> = new Map([['User', { name: { not: 'Ann' } }]])

const ask = (search: string, scopes: ReadonlyMap<string, Where> = new Map(), schema: ResourceSchema = post) =>
  checkQuery(requestContext(search, { registry, scopes }), {
    schemas: [schema],
    isCollection: true,
    relation: null,
    isRelationship: false,
  })

describe('a query that means the same to everybody', () => {
  test.each(['', '?sort=title,-publishedAt', '?include=author,tags&fields[posts]=title&fields[users]=name'])(
    'is checked once: %s',
    (search) => {
      expect(ask(search, hidden)).toBe(ask(search))
    },
  )

  test('is not taken for another', () => {
    expect(ask('?sort=title').order).toEqual([{ path: ['title'], direction: 'asc' }])
    expect(ask('?sort=-title').order).toEqual([{ path: ['title'], direction: 'desc' }])
  })

  test('is refused as often as it is asked', () => {
    for (let times = 0; times < 2; times++)
      expect(refusals(() => ask('?sort=nothing'))).toEqual([['sort', 'Sort parameter nothing is not allowed.']])
  })
})

describe('a query whose meaning depends on the scopes', () => {
  test('of a filter across a relation is checked for each request', () => {
    const search = '?filter[author.name]=Bo'
    const open = ask(search).filter
    const scoped = ask(search, hidden).filter
    expect(scoped).not.toEqual(open)
    expect(JSON.stringify(scoped)).toContain('"operator":"not","value":"Ann"')
    expect(ask(search).filter).toEqual(open)
  })

  test('of a filter across a relation is kept for all whom no scope of its target concerns', () => {
    const search = '?filter[author.name]=Cy'
    expect(ask(search, new Map([['Comment', { id: 1 }]]))).toBe(ask(search))
    expect(ask(search, hidden)).not.toBe(ask(search))
  })

  test('of a sort across a relation is checked for each request', () => {
    expect(ask('?sort=author.name').order).toEqual([{ path: ['author', 'name'], direction: 'asc' }])
    expect(refusals(() => ask('?sort=author.name', hidden))).toEqual([
      ['sort', 'Sort parameter author.name is not allowed.'],
    ])
    expect(ask('?sort=author.name').order).toEqual([{ path: ['author', 'name'], direction: 'asc' }])
  })
})
