import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Row, Where } from '../../src/model/where.ts'
import { beyond, reverseKeys, type SortKey } from '../../src/pagination/ordered-list.ts'

const key = (column: string, more: Partial<SortKey> = {}): SortKey => ({
  column,
  direction: 'asc',
  nulls: null,
  placesNulls: false,
  values: null,
  ...more,
})

describe('the condition of what comes behind a row', () => {
  const id = key('id')

  test.each<[string, readonly SortKey[], readonly unknown[], Where]>([
    ['by the id alone', [id], [3], { id: { gt: 3 } }],
    [
      'by two columns: a bound that an index serves, and the tuple',
      [key('a'), id],
      [1, 3],
      { AND: [{ a: { gte: 1 } }, { OR: [{ a: { gt: 1 } }, { AND: [{ a: { equals: 1 } }, { id: { gt: 3 } }] }] }] },
    ],
    [
      'in different directions',
      [key('a', { direction: 'desc' }), id],
      [1, 3],
      { AND: [{ a: { lte: 1 } }, { OR: [{ a: { lt: 1 } }, { AND: [{ a: { equals: 1 } }, { id: { gt: 3 } }] }] }] },
    ],
    [
      'with rows without a value at the end',
      [key('a', { nulls: 'last' }), id],
      [1, 3],
      { OR: [{ OR: [{ a: { gt: 1 } }, { a: null }] }, { AND: [{ a: { equals: 1 } }, { id: { gt: 3 } }] }] },
    ],
    [
      'behind a row without a value, where those stand first',
      [key('a', { nulls: 'first' }), id],
      [null, 3],
      { OR: [{ a: { not: null } }, { AND: [{ a: null }, { id: { gt: 3 } }] }] },
    ],
    [
      'behind a row without a value, where those stand last',
      [key('a', { nulls: 'last' }), id],
      [null, 3],
      { AND: [{ a: null }, { AND: [{ a: null }, { id: { gt: 3 } }] }] },
    ],
    [
      'by values that Prisma does not compare',
      [key('role', { values: ['A', 'B', 'C'] }), id],
      ['A', 3],
      { OR: [{ role: { in: ['B', 'C'] } }, { AND: [{ role: { equals: 'A' } }, { id: { gt: 3 } }] }] },
    ],
    [
      'by the last of them',
      [key('featured', { values: [false, true] }), id],
      [true, 3],
      { AND: [{ featured: { equals: true } }, { id: { gt: 3 } }] },
    ],
    [
      'by one of two of them, without a list',
      [key('featured', { values: [false, true], direction: 'desc' }), id],
      [true, 3],
      { OR: [{ featured: { equals: false } }, { AND: [{ featured: { equals: true } }, { id: { gt: 3 } }] }] },
    ],
  ])('%s', (_, keys, values, where) => expect(beyond(keys, values)).toEqual(where))
})

// What a database makes of such a condition: anything else in it is an error, so that nothing is ignored.
function meets(row: Row, where: Where): boolean {
  return Object.entries(where).every(([name, condition]) => {
    if (name === 'AND') return (condition as Where[]).every((each) => meets(row, each))
    if (name === 'OR') return (condition as Where[]).some((each) => meets(row, each))
    if (!(name in row)) throw new Error(`There is no column ${name}.`)
    const value = row[name] as number | null
    if (condition === null) return value === null
    return Object.entries(condition as Where).every(([operator, operand]) => {
      if (operator === 'not' && operand === null) return value !== null
      return value !== null && compare(operator, value, operand as number)
    })
  })
}

function compare(operator: string, value: number, operand: number): boolean {
  switch (operator) {
    case 'equals':
      return value === operand
    case 'in':
      return (operand as unknown as number[]).includes(value)
    case 'gt':
      return value > operand
    case 'gte':
      return value >= operand
    case 'lt':
      return value < operand
    case 'lte':
      return value <= operand
    default:
      throw new Error(`There is no operator ${operator}.`)
  }
}

function inOrder(keys: readonly SortKey[]) {
  return (a: Row, b: Row): number => {
    for (const { column, direction, nulls } of keys) {
      const [left, right] = [a[column], b[column]] as [number | null, number | null]
      if (left === right) continue
      if (left === null) return nulls === 'first' ? -1 : 1
      if (right === null) return nulls === 'first' ? 1 : -1
      return left < right === (direction === 'asc') ? -1 : 1
    }
    return 0
  }
}

const direction = fc.constantFrom<SortKey['direction']>('asc', 'desc')
const nulls = fc.constantFrom<SortKey['nulls']>('first', 'last', null)
const values = fc.constantFrom(null, [0, 1, 2])
const columns = ['a', 'b', 'c'] as const

test('whatever the keys: behind a row is what stands behind it, in front of it what stands in front', () => {
  fc.assert(
    fc.property(
      fc.tuple(...columns.map(() => fc.record({ direction, nulls, values }))),
      fc.nat(3),
      fc.array(fc.tuple(...columns.map(() => fc.option(fc.nat(2)))), { maxLength: 30 }),
      (kinds, used, data) => {
        const sorted = kinds.slice(0, used).map((kind, i) => key(columns[i] as string, kind))
        const keys = [...sorted, key('id', { direction: kinds[0]?.direction ?? 'asc' })]
        const rows = data.map((cells, id): Row => {
          const cellOf = (i: number) => (kinds[i]?.nulls === null ? (cells[i] ?? 0) : cells[i])
          return { id, ...Object.fromEntries(columns.map((column, i) => [column, cellOf(i)])) }
        })
        rows.sort(inOrder(keys))
        for (const [at, row] of rows.entries()) {
          const place = keys.map(({ column }) => row[column])
          expect(rows.filter((each) => meets(each, beyond(keys, place)))).toEqual(rows.slice(at + 1))
          expect(rows.filter((each) => meets(each, beyond(reverseKeys(keys), place)))).toEqual(rows.slice(0, at))
        }
      },
    ),
  )
})
