import { all } from '@prismapi/jsonapi/condition/build'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { describe, expect, test } from 'vitest'
import { schemaOfModel } from '../../../../test/support/schemas.ts'
import {
  firstVersion,
  nextVersion,
  nextVersions,
  nextVersionUnread,
  versionOf,
  withVersion,
} from '../../src/write/write-row.ts'
import { world } from './fixture.ts'

const none = schemaOfModel('Post')
const counted = schemaOfModel('Post', { version: { kind: 'counter', column: 'views' } } as Partial<ResourceSchema>)
const dated = schemaOfModel('Post', { version: { kind: 'instant', column: 'publishedAt' } } as Partial<ResourceSchema>)
const later = new Date(Date.now() + 60_000)
const earlier = new Date('2020-01-01T00:00:00Z')

test('the version of a row as text', () => {
  expect(versionOf(none, { views: 3 })).toBe(null)
  expect(versionOf(counted, { views: 3 })).toBe('3')
  expect(versionOf(dated, { publishedAt: earlier })).toBe('2020-01-01T00:00:00.000Z')
})

test('its column is read with others', () => {
  expect([withVersion(none, ['id']), withVersion(counted, ['id']), withVersion(counted, ['views'])]).toEqual([
    ['id'],
    ['id', 'views'],
    ['views'],
  ])
})

test('a new row counts from one, where its database does not say', () => {
  expect([firstVersion(none), firstVersion(dated), firstVersion(counted)]).toEqual([{}, {}, { views: 1 }])
  const columns = { ...counted.model.columns, views: { ...counted.model.columns.views, default: 'value' } }
  expect(firstVersion({ ...counted, model: { ...counted.model, columns } } as ResourceSchema)).toEqual({})
})

describe('the next version of a row', () => {
  test('is one more', () => {
    expect(nextVersion(none, { views: 3 }, { title: 'T' })).toEqual({ title: 'T' })
    expect(nextVersion(none, { views: 3 })).toEqual({})
    expect(nextVersion(counted, { views: 3 }, { title: 'T' })).toEqual({ title: 'T', views: 4 })
    expect(nextVersion(counted, { views: 3 })).toEqual({ views: 4 })
  })

  test('is now, or what is wanted, but never what it was, nor before', () => {
    const before = Date.now()
    const next = nextVersion(dated, { publishedAt: earlier }, { title: 'T' }) as { publishedAt: Date; title: string }
    expect(next.title).toBe('T')
    expect(next.publishedAt.getTime()).toBeGreaterThanOrEqual(before)
    expect(nextVersion(dated, { publishedAt: later })).toEqual({ publishedAt: new Date(later.getTime() + 1) })
    expect(nextVersion(dated, { publishedAt: earlier }, { publishedAt: later })).toEqual({ publishedAt: later })
    expect(nextVersion(dated, { publishedAt: later }, { publishedAt: later })).toEqual({
      publishedAt: new Date(later.getTime() + 1),
    })
    expect(nextVersion(dated, { publishedAt: null }, { publishedAt: earlier })).toEqual({ publishedAt: earlier })
  })

  test('of a row that was not read is one more than it has, or now, if that is later', () => {
    expect(nextVersionUnread(none, { title: 'T' })).toEqual({ data: { title: 'T' }, where: all() })
    expect(nextVersionUnread(counted, { views: 3 })).toBe(null)
    expect(nextVersionUnread(counted, { title: 'T' })).toEqual({
      data: { title: 'T' },
      increment: 'views',
      where: all(),
    })
    const next = nextVersionUnread(dated, {})
    const now = next?.data.publishedAt
    expect(now).toBeInstanceOf(Date)
    expect(next?.where).toMatchObject({ operator: 'lt', value: now })
  })

  test('of several rows is one more for each, or after the latest of them', async () => {
    const rows = [earlier, later, null].map((publishedAt, id) => ({ id, publishedAt }))
    const { transaction } = world({ tables: { Post: rows } })
    expect(await nextVersions(transaction, none, all())).toEqual({})
    expect(await nextVersions(transaction, counted, all())).toEqual({ increment: 'views' })
    expect(await nextVersions(transaction, dated, all())).toEqual({
      data: { publishedAt: new Date(later.getTime() + 1) },
    })
    const { transaction: empty } = world()
    const before = Date.now()
    const { data = {} } = await nextVersions(empty, dated, all())
    expect((data.publishedAt as Date).getTime()).toBeGreaterThanOrEqual(before)
  })
})
