import type { OrderTerm } from '../condition/order-term.ts'
import type { Row, Where } from '../model/where.ts'

type Direction = OrderTerm['direction']
type Comparison = 'lt' | 'lte' | 'gt' | 'gte'

const orEqual = { lt: 'lte', lte: 'lte', gt: 'gte', gte: 'gte' } as const
const opposite = { lt: 'gte', lte: 'gt', gt: 'lte', gte: 'lt' } as const

export const reverse = (direction: Direction): Direction => (direction === 'asc' ? 'desc' : 'asc')

/** The columns that rows are ordered and compared by: the id completes the cursor column, so that no two rows tie. */
export const keysetColumns = (column: string, idColumns: readonly string[]): readonly string[] => [
  column,
  ...idColumns.filter((idColumn) => idColumn !== column),
]

export const keysetOrder = (columns: readonly string[], direction: Direction): readonly OrderTerm[] =>
  columns.map((column) => ({ path: [column], direction }))

/** The condition of the rows that follow `row` when they are ordered by the columns. */
export const following = (columns: readonly string[], row: Row, direction: Direction): Where =>
  compared(columns, row, direction === 'asc' ? 'gt' : 'lt')

// Tuples as `a <= x AND NOT (a = x AND id >= y)`: the first bound alone is a range of the index (a, id), so a page
// costs the same at any depth. `a < x OR (a = x AND id < y)` means the same and walks the index up to the row.
function compared([column, ...rest]: readonly string[], row: Row, comparison: Comparison): Where {
  if (column === undefined) return {}
  const value = row[column]
  // Prisma takes undefined for "no condition": the page would start anew, and a client would go round in circles.
  if (value === undefined) throw new Error(`The row has no column ${column} to compare by.`)
  if (rest.length === 0) return { [column]: { [comparison]: value } }
  return {
    [column]: { [orEqual[comparison]]: value },
    NOT: { [column]: { equals: value }, ...compared(rest, row, opposite[comparison]) },
  }
}
