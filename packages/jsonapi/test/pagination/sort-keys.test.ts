import { expect, test } from 'vitest'
import { resources, resourcesOf } from '../../../../test/support/schemas.ts'
import type { OrderTerm } from '../../src/condition/order-term.ts'
import type { ColumnMeta, Provider } from '../../src/model/meta.ts'
import { sortKeys } from '../../src/pagination/ordered-list.ts'

const model = resources.models.Post as NonNullable<(typeof resources.models)[string]>
const order = (...terms: string[]): OrderTerm[] =>
  terms.map((term) => ({ path: term.replace('-', '').split('.'), direction: term.startsWith('-') ? 'desc' : 'asc' }))
const keysOn = (provider: Provider, ...terms: string[]) =>
  sortKeys(order(...terms), { model, resources: resourcesOf(provider) })

test('a column without nulls is compared as it is', () => {
  expect(keysOn('sqlite', '-slug', 'id')).toEqual([
    { column: 'slug', direction: 'desc', nulls: null, placesNulls: false, values: null },
    { column: 'id', direction: 'asc', nulls: null, placesNulls: false, values: null },
  ])
})

test.each<[Provider, string, string]>([
  ['sqlite', 'first', 'last'],
  ['mysql', 'first', 'last'],
  ['sqlserver', 'first', 'last'],
  ['cockroachdb', 'first', 'last'],
  ['postgresql', 'last', 'first'],
])('rows without a value stand where %s puts them', (provider, ascending, descending) => {
  expect(keysOn(provider, 'title', '-views')?.map(({ nulls }) => nulls)).toEqual([ascending, descending])
})

test('a boolean has two values', () => {
  expect(keysOn('postgresql', 'featured')?.[0]?.values).toEqual([false, true])
})

test('an enum is ordered as its database does it, where that is known', () => {
  const stored = { name: 'Status', values: ['DRAFT', 'LIVE', 'OLD'], stored: { DRAFT: 'x-draft' } }
  const valuesOn = (provider: Provider) =>
    sortKeys(order('status'), { model, resources: { provider, enums: { Status: stored } } })?.[0]?.values
  expect({ sqlite: valuesOn('sqlite'), mysql: valuesOn('mysql'), postgresql: valuesOn('postgresql') }).toEqual({
    sqlite: ['LIVE', 'OLD', 'DRAFT'],
    mysql: ['DRAFT', 'LIVE', 'OLD'],
    postgresql: undefined,
  })
})

test.each([['author.name'], ['comments._count'], ['labels'], ['meta'], ['cover'], ['nothing']])(
  'there are no pages by %s',
  (term) => expect(keysOn('sqlite', term, 'id')).toBeNull(),
)

test('nor by a date that is finer than those of JavaScript', () => {
  const fine = { ...(model.columns.publishedAt as ColumnMeta), native: ['Timestamptz', '6'] }
  const finer = { ...model, columns: { ...model.columns, publishedAt: fine } }
  const keysOf = (of: typeof model) => sortKeys(order('publishedAt'), { model: of, resources })
  expect({ coarse: keysOf(model) !== null, fine: keysOf(finer) }).toEqual({ coarse: true, fine: null })
})
