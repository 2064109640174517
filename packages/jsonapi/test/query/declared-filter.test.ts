import { describe, expect, test } from 'vitest'
import { asWhere } from '../../../../test/support/conditions.ts'
import { checkContext } from '../../../../test/support/query-context.ts'
import { resources, schemaOfModel } from '../../../../test/support/schemas.ts'
import type { Where } from '../../src/model/where.ts'
import { checkFilter } from '../../src/query/filter.ts'
import { parseQuery } from '../../src/query/parse.ts'
import type { DeclaredFilter, FilterKind } from '../../src/schema/filters.ts'
import { refusals } from './query-errors.ts'

const declared = (more: Partial<DeclaredFilter>): DeclaredFilter => ({
  name: 'about',
  kind: 'string',
  values: null,
  rule: null,
  isList: false,
  description: null,
  deprecation: null,
  where: (value) => ({ title: value }) as Where,
  ...more,
})

function filter(search: string, more: Partial<DeclaredFilter> = {}, context = checkContext()) {
  const schema = schemaOfModel('Post', { filters: new Map([['about', declared(more)]]) })
  const { condition } = checkFilter(parseQuery({ search }, context.limits).filter, schema, context)
  return condition && asWhere(condition, 'Post', resources)
}

describe('a filter of the schema class', () => {
  test('says what its text is about', () => {
    expect(filter('filter[about]=x')).toEqual({ title: 'x' })
    expect(filter('filter[about]=a\\,b')).toEqual({ title: 'a,b' })
    expect(filter('filter[not][0][about]=x')).toEqual({ NOT: { title: 'x' } })
    expect(filter('filter[about]=x', { where: () => null })).toBe(null)
  })

  test('is told of the request', () => {
    const check = checkContext()
    const asked: unknown[] = []
    const where: DeclaredFilter['where'] = (...given) => {
      asked.push(given)
      return null
    }
    filter('filter[about]=x', { where }, check)
    expect(asked).toEqual([['x', check.request]])
  })

  test.each<[FilterKind, string, unknown]>([
    ['string', 'x', 'x'],
    ['integer', '7', 7],
    ['bigint', '9007199254740993', 9007199254740993n],
    ['float', '1.5e3', 1500],
    ['decimal', '1.50', '1.50'],
    ['boolean', 'true', true],
    ['datetime', '2025-01-31T09:30:00Z', new Date('2025-01-31T09:30:00Z')],
  ])('of the kind %s gets a value of it', (kind, text, value) => {
    const values: unknown[] = []
    const where = (given: unknown) => {
      values.push(given)
      return {}
    }
    filter(`filter[about]=${text}`, { kind, where })
    filter(`filter[about]=${text}`, { kind, where, isList: true })
    filter(`filter[about][]=${text}&filter[about][]=${text}`, { kind, where, isList: true })
    expect(values).toEqual([value, [value], [value, value]])
  })

  test('takes a list where it says so', () => {
    expect(
      filter('filter[about]=a,b', { isList: true, where: (value) => ({ title: { in: value } }) as Where }),
    ).toEqual({
      title: { in: ['a', 'b'] },
    })
    expect(refusals(() => filter('filter[about][]=a'))).toEqual([
      ['filter[about][]', 'Filter parameter filter[about][] takes one value.'],
    ])
  })

  test('refuses what does not fit, and operators', () => {
    expect(refusals(() => filter('filter[about]=x', { kind: 'boolean' }))).toEqual([
      ['filter[about]', 'The value of filter[about] must be true or false.'],
    ])
    expect(refusals(() => filter('filter[about]=c', { values: ['a', 'b'] }))).toEqual([
      ['filter[about]', 'The value of filter[about] must be one of a, b.'],
    ])
    expect(filter('filter[about]=b', { values: ['a', 'b'] })).toEqual({ title: 'b' })
    expect(refusals(() => filter('filter[about][not]=x'))).toEqual([
      ['filter[about][not]', 'Filter parameter about[not] is not allowed.'],
    ])
  })

  test('finds none but visible rows, whose texts are no patterns', () => {
    const scopes = new Map([['User', { active: true }]])
    const where = (value: unknown) => ({ author: { name: { contains: value } } }) as Where
    expect(filter('filter[about]=%25', { where }, checkContext({ scopes }))).toEqual({
      author: { is: { active: true, name: { contains: '\\%' } } },
    })
  })

  test('that is no condition is a fault of the application, which is told where', () => {
    expect(() => filter('filter[about]=x', { where: () => ({ titel: 'x' }) as Where })).toThrow(
      'filter(\'about\') of Post: the model Post has no field "titel". Did you mean "title"?',
    )
  })
})
