import { describe, expect, test } from 'vitest'
import { parseQuery } from '../../src/query/parse.ts'
import { defaultLimits } from '../../src/request/limits.ts'
import { refusals } from './query-errors.ts'

const parse = (search: string) => parseQuery({ search }, defaultLimits)

test('no query string is an empty query', () => {
  const empty = {
    include: null,
    fields: new Map(),
    sort: null,
    withCount: null,
    filter: [],
    page: null,
    included: new Map(),
    parameters: [],
  }
  expect(parse('')).toEqual(empty)
  expect(parse('?')).toEqual(empty)
  expect(parse('?&&')).toEqual(empty)
})

test('every family is handed over as it was sent', () => {
  const query = parse('?sort=-title&include=author&fields[posts]=title&page[size]=2&filter[title][contains]=x')
  expect(query.sort).toBe('-title')
  expect(query.include).toBe('author')
  expect(query.fields).toEqual(new Map([['posts', 'title']]))
  expect(query.page).toEqual({ size: '2' })
  expect(query.filter).toEqual([
    { key: 'filter[title][contains]', family: 'filter', path: ['title', 'contains'], value: 'x' },
  ])
  expect(query.parameters.map(({ key }) => key)).toEqual([
    'sort',
    'include',
    'fields[posts]',
    'page[size]',
    'filter[title][contains]',
  ])
})

test('encoded brackets, commas and spaces mean what plain ones mean', () => {
  expect(parse('fields%5Bposts%5D=title%2Cslug').fields).toEqual(parse('fields[posts]=title,slug').fields)
  expect(parse('filter[title]=a+b%20c%2B').filter[0]?.value).toBe('a b c+')
})

test('an empty value, an absent one and equals signs in a value are kept apart from the key', () => {
  expect(parse('include=').include).toBe('')
  expect(parse('include').include).toBe('')
  expect(parse('filter[title]=a=b').filter[0]?.value).toBe('a=b')
})

test('a repeated filter stays repeated', () => {
  expect(parse('filter[id]=1&filter[id]=2').filter.map(({ value }) => value)).toEqual(['1', '2'])
})

describe('what is no legal parameter is refused with its exact key', () => {
  test.each([
    ['foo=1', 'foo', 'Query parameter foo is not allowed.'],
    ['withLikes=tags', 'withLikes', 'Query parameter withLikes is not allowed.'],
    ['withCount[tags]=1', 'withCount[tags]', 'Query parameter withCount[tags] is not allowed.'],
    ['withCount=a&withCount=b', 'withCount', 'Query parameter withCount must not be repeated.'],
    ['ns:include=a', 'ns:include', 'Query parameter ns:include is not allowed.'],
    ['=1', '', 'Query parameter  is not allowed.'],
    ['filter[_]=1', 'filter[_]', 'Query parameter filter[_] is not allowed.'],
    ['page[_]=1', 'page[_]', 'Query parameter page[_] is not allowed.'],
    ['fields[_]=a', 'fields[_]', 'Query parameter fields[_] is not allowed.'],
    ['page[%2B]=1', 'page[+]', 'Query parameter page[+] is not allowed.'],
    ['fields[x=a', 'fields[x', 'Query parameter fields[x is not allowed.'],
    ['fields]x[=a', 'fields]x[', 'Query parameter fields]x[ is not allowed.'],
    ['filter[a]b=1', 'filter[a]b', 'Query parameter filter[a]b is not allowed.'],
    ['filter[[a]]=1', 'filter[[a]]', 'Query parameter filter[[a]] is not allowed.'],
    ['filter[]=1', 'filter[]', 'Query parameter filter[] is not allowed.'],
    ['filter[a..b]=1', 'filter[a..b]', 'Query parameter filter[a..b] is not allowed.'],
    ['filter[a][][b]=1', 'filter[a][][b]', 'Query parameter filter[a][][b] is not allowed.'],
    ['filter[__proto__]=1', 'filter[__proto__]', 'Query parameter filter[__proto__] is not allowed.'],
    ['__proto__[a]=1', '__proto__[a]', 'Query parameter __proto__[a] is not allowed.'],
    ['constructor=1', 'constructor', 'Query parameter constructor is not allowed.'],
    ['include[x]=a', 'include[x]', 'Query parameter include[x] is not allowed.'],
    ['include[]=a', 'include[]', 'Query parameter include[] is not allowed.'],
    ['sort[x]=a', 'sort[x]', 'Query parameter sort[x] is not allowed.'],
    ['page=5', 'page', 'Query parameter page must name a member, as in page[…].'],
    ['fields=title', 'fields', 'Query parameter fields must name a member, as in fields[…].'],
    ['page[size][x]=1', 'page[size][x]', 'Query parameter page[size][x] is not allowed.'],
    ['page[]=1', 'page[]', 'Query parameter page[] is not allowed.'],
    ['page[size]=1&page[size]=2', 'page[size]', 'Query parameter page[size] must not be repeated.'],
    ['sort=a&sort=b', 'sort', 'Query parameter sort must not be repeated.'],
    ['include=a&include=b', 'include', 'Query parameter include must not be repeated.'],
    ['filter[title]=%zz', 'filter[title]', 'Query parameter filter[title] is not percent-encoded UTF-8.'],
    ['filter[title]=%FF', 'filter[title]', 'Query parameter filter[title] is not percent-encoded UTF-8.'],
    ['%zz=1', '%zz', 'Query parameter %zz is not percent-encoded UTF-8.'],
  ])('%s', (search, parameter, detail) => {
    expect(refusals(() => parse(search))).toEqual([[parameter, detail]])
  })
})

test('every refused parameter is named, not only the first', () => {
  expect(refusals(() => parse('foo=1&sort=a&bar=2')).map(([parameter]) => parameter)).toEqual(['foo', 'bar'])
})

test('a further family is allowed by name, and comes as it was sent', () => {
  const query = parseQuery({ search: 'includePage[comments][size]=3' }, defaultLimits, { allow: ['includePage'] })
  expect(query.parameters).toEqual([
    { key: 'includePage[comments][size]', family: 'includePage', path: ['comments', 'size'], value: '3' },
  ])
})

test('as many parameters as the limit are allowed, one more is not', () => {
  const search = (count: number) => Array.from({ length: count }, (_, i) => `filter[f${i}]=1`).join('&')
  expect(parseQuery({ search: search(3) }, { parameters: 3 }).filter).toHaveLength(3)
  expect(refusals(() => parseQuery({ search: search(4) }, { parameters: 3 }))).toEqual([
    ['filter[f3]', 'A query must not have more than 3 parameters.'],
  ])
})

test('page members have no prototype to be confused with', () => {
  const page = parse('page[constructor]=1').page
  expect(Object.getPrototypeOf(page)).toBeNull()
  expect({ ...page }).toEqual({ constructor: '1' })
})
