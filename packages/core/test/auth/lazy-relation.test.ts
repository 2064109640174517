import type { Identifier } from '@prismapi/jsonapi/document/types'
import type { Row } from '@prismapi/jsonapi/model/where'
import { describe, expect, test } from 'vitest'
import { type LazyToMany, type LazyToOne, lazyRelation } from '../../src/auth/lazy-relation.ts'
import { author, contextOf, tags } from './fixture.ts'

/** Related rows that know ids 1 to 9, and remember what they were asked. */
function related() {
  const asked: (readonly Identifier[])[] = []
  const find = async (identifiers: readonly Identifier[]): Promise<(Row | null)[]> => {
    asked.push(identifiers)
    return identifiers.map(({ type, id }) => (/^[1-9]$/.test(id) ? { type, id: Number(id) } : null))
  }
  return { asked, find }
}

const toOne = (body: unknown, rows = related()) => lazyRelation(contextOf(), author, body, rows) as LazyToOne
const toMany = (body: unknown, rows = related()) => lazyRelation(contextOf(), tags, body, rows) as LazyToMany
const tag = (id: unknown) => ({ type: 'tags', id })

describe('to-one', () => {
  test('loads nothing until it is read, and then once', async () => {
    const rows = related()
    const value = toOne({ data: { type: 'users', id: '3', meta: { a: 1 } } }, rows)
    expect(rows.asked).toEqual([])
    expect(await Promise.all([value.get(), value.get()])).toEqual([
      { type: 'users', id: 3 },
      { type: 'users', id: 3 },
    ])
    expect(await value.get()).toEqual({ type: 'users', id: 3 })
    expect(rows.asked).toEqual([[{ type: 'users', id: '3' }]])
  })

  test.each<[string, unknown]>([
    ['null', { data: null }],
    ['no body', undefined],
    ['a body that is no object', 'data'],
    ['an array as body', [{ data: { type: 'users', id: '3' } }]],
    ['no data', {}],
    ['inherited data', Object.create({ data: { type: 'users', id: '3' } })],
    ['an array', { data: [{ type: 'users', id: '3' }] }],
    ['a number', { data: 3 }],
    ['no type', { data: { id: '3' } }],
    ['no id', { data: { type: 'users' } }],
    ['an id that is no string', { data: { type: 'users', id: 3 } }],
    ['an empty id', { data: { type: 'users', id: '' } }],
    ['a type of another relation', { data: tag('3') }],
    ['a type of Object.prototype', { data: { type: 'constructor', id: '3' } }],
    ['an id that nothing has', { data: { type: 'users', id: '404' } }],
  ])('is null for %s', async (_what, body) => {
    expect(await toOne(body).get()).toBe(null)
  })
})

describe('to-many', () => {
  test('collects the rows in their order, each once', async () => {
    const value = toMany({ data: [tag('2'), tag('1'), tag('2')] })
    expect(await value.collect()).toEqual([
      { type: 'tags', id: 2 },
      { type: 'tags', id: 1 },
    ])
  })

  test('iterates, and what it loaded is shared with collect()', async () => {
    const rows = related()
    const value = toMany({ data: [tag('2'), tag('1')] }, rows)
    const seen: Row[] = []
    for await (const row of value) seen.push(row)
    expect(seen).toEqual(await value.collect())
    expect(rows.asked).toHaveLength(1)
  })

  test('a caller may keep and change its own array', async () => {
    const value = toMany({ data: [tag('1')] })
    const first = await value.collect()
    first.pop()
    expect(await value.collect()).toEqual([{ type: 'tags', id: 1 }])
  })

  test('skips what is invalid, unknown or of a wrong type', async () => {
    const value = toMany({ data: [null, 1, 'x', [], {}, tag(1), { type: 'users', id: '1' }, tag('2')] })
    expect(await value.collect()).toEqual([])
    expect(await toMany({ data: [tag('404'), { type: 'users', id: '1' }, tag('2')] }).collect()).toEqual([
      { type: 'tags', id: 2 },
    ])
  })

  test.each([[{ data: null }], [{ data: tag('1') }], [{}], [undefined]])('is empty for %o', async (body) => {
    expect(await toMany(body).collect()).toEqual([])
  })

  test('a list beyond the limit is not loaded beyond it', async () => {
    expect(await toMany({ data: ['1', '2', '3', '4'].map(tag) }).collect()).toHaveLength(3)
  })

  test('a failing database is not "nothing"', async () => {
    const value = toMany({ data: [tag('1')] }, { asked: [], find: () => Promise.reject(new Error('gone')) })
    await expect(value.collect()).rejects.toThrow('gone')
  })
})
