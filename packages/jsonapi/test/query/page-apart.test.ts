import { describe, expect, test } from 'vitest'
import { onlyFamilies, wellFormedParameters } from '../../src/query/parameters.ts'
import { pageApart } from '../../src/query/query-cache.ts'

describe('the page of a query string, apart from the rest', () => {
  test.each([
    ['?page[size]=2', { page: 'page[size]=2', rest: 'page[size]' }],
    ['page[size]=2', { page: 'page[size]=2', rest: 'page[size]' }],
    [
      '?sort=a%20b&page[number]=3&filter[a]=x&page%5Bsize%5d=2',
      { page: 'page[number]=3&page%5Bsize%5d=2', rest: 'sort=a%20b&page[number]&filter[a]=x&page%5Bsize%5d' },
    ],
    ['?page[size]', { page: 'page[size]', rest: 'page[size]' }],
    ['?page[size]=a=b?', { page: 'page[size]=a=b?', rest: 'page[size]' }],
    ['', null],
    ['?sort=a', null],
    ['?page=2', null],
    ['?pages[size]=2', null],
    ['?xpage[size]=2', null],
    ['?page[size]=2&s%6Frt=a', null],
    ['?page[si%7Ae]=2', null],
    ['?page[size]=2&fields[a+b]=c', null],
  ])('%s', (search, expected) => {
    expect(pageApart(search)).toEqual(expected)
  })
})

test('of a string with mistakes, what is well-formed can be read', () => {
  expect(wellFormedParameters({ search: '?a=1&b[=2&%zz=3&c[d][e]=f%20g&&h' })).toEqual([
    { key: 'a', family: 'a', path: [], value: '1' },
    { key: 'c[d][e]', family: 'c', path: ['d', 'e'], value: 'f g' },
    { key: 'h', family: 'h', path: [], value: '' },
  ])
  expect(wellFormedParameters({ search: '' })).toEqual([])
})

test('parameters of some families are kept as they were sent', () => {
  const families = new Set(['sort', 'filter'])
  const search = '?sort=a%20b&page[size]=1&filter%5Ba%5D=1&filter[b=2&filters=3&sort[x]=1&=&other'
  expect(onlyFamilies(search, families)).toBe('sort=a%20b&filter%5Ba%5D=1&filter[b=2&sort[x]=1')
})
