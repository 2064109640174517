import { expect, test } from 'vitest'
import { CursorPagination } from '../../src/pagination/cursor-pagination.ts'
import { MultiPagination } from '../../src/pagination/multi-pagination.ts'
import { PagePagination } from '../../src/pagination/page-pagination.ts'
import type { PageParams } from '../../src/pagination/paginator.ts'
import { memorySource, numbered } from './memory-source.ts'
import { limits, readPage, refusals } from './requests.ts'

const both = new MultiPagination([new PagePagination(), new CursorPagination()])
const first = async (params: PageParams, paginator = both) =>
  (await readPage(paginator, memorySource(numbered(5)), params)).links.first

test.each<[PageParams, object]>([
  [{}, { number: 1, size: 15 }],
  [{ number: '2' }, { number: 1, size: 15 }],
  [{ size: '2' }, { number: 1, size: 2 }],
  [{ limit: '2' }, { limit: 2 }],
  [{ after: '3' }, { limit: 15 }],
  [{ limit: '2', before: '3' }, { limit: 2 }],
])('%j chooses the strategy that has all of these keys', async (params, expected) => {
  expect(await first(params)).toEqual(expected)
})

test('a key that two strategies have is read by the first, unless another key decides', async () => {
  const shared = new MultiPagination([new PagePagination(), new CursorPagination().withLimitKey('size')])
  expect(shared.keys).toEqual(['number', 'size', 'after', 'before'])
  expect(await first({ size: '2' }, shared)).toEqual({ number: 1, size: 2 })
  expect(await first({ size: '2', after: '3' }, shared)).toEqual({ size: 2 })
})

test.each([
  [{ number: '1', after: '3' }, 'after'],
  [{ number: '1', limit: '2', after: '3' }, 'number'],
  [{ foo: '1' }, 'foo'],
  [{ limit: '2', foo: '1' }, 'foo'],
])('%j: the strategy that has most of the keys refuses the others', async (params, refused) => {
  expect(await refusals(both, params)).toEqual([[`page[${refused}]`, `Page parameter ${refused} is not allowed.`]])
})

test('the order is the client’s on pages by number, and the cursor’s on its own pages', () => {
  expect(both.order).toBeNull()
  expect(both.parse({ number: '1' }, limits).order).toBeUndefined()
  expect(both.parse({ limit: '1' }, limits).order).toEqual([{ path: ['createdAt'], direction: 'desc' }])
})

test('where every strategy imposes an order, sort is nobody’s', () => {
  const cursors = new MultiPagination([new CursorPagination(), new CursorPagination().withLimitKey('size')])
  expect(cursors.order).toEqual([{ path: ['createdAt'], direction: 'desc' }])
})

test('an empty list is a mistake', () => {
  expect(() => new MultiPagination([])).toThrow(new Error('new MultiPagination([]): pass at least one paginator.'))
})
