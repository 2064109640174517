import { describe, expect, test } from 'vitest'
import { schemaOfModel } from '../../../../test/support/schemas.ts'
import { equals, everything, nothing } from '../../src/condition/build.ts'
import type { Condition } from '../../src/condition/condition.ts'
import type { FieldsOf } from '../../src/condition/scopes.ts'
import { parseParameters } from '../../src/query/parameters.ts'
import { checkStats, onlyCount, seenStatistics } from '../../src/query/stats.ts'
import type { Attribute } from '../../src/schema/resource-schema.ts'
import type { Statistics } from '../../src/schema/statistics.ts'
import { refusals } from './query-errors.ts'

const { attributes } = schemaOfModel('Post')
const names = ['views', 'rating', 'publishedAt', 'title', 'reads', 'rank']
const aggregated = new Map(names.map((name) => [name, attributes.get(name) as Attribute]))
const statistics: Statistics = { aggregated, grouped: aggregated, minimumGroup: 3 }

const figures = (search: string) => checkStats(parseParameters({ search }, { parameters: 100 }), statistics)
const views = aggregated.get('views')

describe('figures', () => {
  test('of rows and of attributes, in the order sent', () => {
    expect(figures('withStats[views]=max,avg&withStats[*]=count&withStats[publishedAt]=min')).toEqual([
      { name: 'views', attribute: views, functions: ['max', 'avg'] },
      { name: '*', attribute: null, functions: ['count'] },
      { name: 'publishedAt', attribute: aggregated.get('publishedAt'), functions: ['min'] },
    ])
    expect(figures('')).toEqual([])
    expect(onlyCount).toEqual([{ name: '*', attribute: null, functions: ['count'] }])
  })

  test.each([
    ['withStats=count', 'withStats', 'Query parameter withStats is not allowed.'],
    ['withStats[views][x]=count', 'withStats[views][x]', 'Query parameter withStats[views][x] is not allowed.'],
    ['withStats[slug]=count', 'withStats[slug]', 'Field slug has no statistics.'],
    [
      'withStats[views]=',
      'withStats[views]',
      'Name in withStats[views] what is asked of views: count, sum, avg, min, max.',
    ],
    ['withStats[*]=', 'withStats[*]', 'Name in withStats[*] what is asked of *: count.'],
    ['withStats[*]=sum', 'withStats[*]', 'The function sum does not fit *.'],
    ['withStats[title]=count,max', 'withStats[title]', 'The function max does not fit title.'],
    ['withStats[publishedAt]=avg', 'withStats[publishedAt]', 'The function avg does not fit publishedAt.'],
    ['withStats[views]=median', 'withStats[views]', 'There is no function median.'],
    ['withStats[views]=avg,sum,avg', 'withStats[views]', 'The function avg is repeated.'],
  ])('%s', (search, parameter, detail) => {
    expect(refusals(() => figures(search))).toEqual([[parameter, detail]])
  })

  test('asked for twice', () => {
    expect(refusals(() => figures('withStats[views]=avg&withStats[views]=sum'))).toEqual([
      ['withStats[views]', 'Query parameter withStats[views] must not be repeated.'],
    ])
  })

  test('twenty at most', () => {
    const all = (...asked: readonly string[]) =>
      asked.map((name) => `withStats[${name}]=count,sum,avg,min,max`).join('&')
    const twenty = all('views', 'rating', 'reads', 'rank')
    expect(figures(twenty)).toHaveLength(4)
    expect(refusals(() => figures(`${twenty}&withStats[*]=count`))).toEqual([
      ['withStats[*]', 'A request must not ask for more than 20 figures.'],
    ])
  })
})

describe('what may be known of the statistics of a type', () => {
  const schema = schemaOfModel('Post', { statistics })
  const seeing = (fields: Readonly<Record<string, Condition>>): FieldsOf => {
    const access = { fields: new Map(Object.entries(fields)), stored: new Map(), ruledBy: () => [] }
    return (model) => (model === 'Post' ? access : null)
  }
  const mine = equals(schema.model, 'authorId', 7)
  const hiding = seeing({ views: nothing, rating: mine, title: everything })
  const known = (seen: FieldsOf, masksValues: boolean) => {
    const found = seenStatistics(schema, { seen, masksValues })
    return found && [[...found.aggregated.keys()], [...found.grouped.keys()], found.minimumGroup]
  }

  test('is all of it where no field is hidden, and none where there are no statistics', () => {
    expect(seenStatistics(schema, { seen: () => null, masksValues: false })).toBe(statistics)
    expect(seenStatistics(schemaOfModel('Post'), { seen: hiding, masksValues: true })).toBe(null)
  })

  test('leaves out what is hidden in every row, and in some where the database cannot leave out those', () => {
    const others = ['publishedAt', 'title', 'reads', 'rank']
    expect(known(hiding, true)).toEqual([['rating', ...others], ['rating', ...others], 3])
    expect(known(hiding, false)).toEqual([others, others, 3])
  })
})
