import type { OrderTerm } from '../condition/order-term.ts'
import type { ColumnMeta, ModelMeta } from '../model/meta.ts'
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
  compareTuple(columns, row, direction === 'asc' ? 'gt' : 'lt')

// Tuples as `a <= x AND NOT (a = x AND id >= y)`: the first bound alone is a range of the index (a, id), so a page
// costs the same at any depth. `a < x OR (a = x AND id < y)` means the same and walks the index up to the row.
function compareTuple([column, ...rest]: readonly string[], row: Row, comparison: Comparison): Where {
  if (column === undefined) return {}
  const value = row[column]
  // Prisma takes undefined for "no condition": the page would start anew, and a client would go round in circles.
  if (value === undefined) throw new Error(`The row has no column ${column} to compare by.`)
  if (rest.length === 0) return { [column]: { [comparison]: value } }
  return {
    [column]: { [orEqual[comparison]]: value },
    NOT: { [column]: { equals: value }, ...compareTuple(rest, row, opposite[comparison]) },
  }
}

/** The types of columns whose values the database and JavaScript put in the same order. */
export const comparable: ReadonlySet<string> = new Set(['String', 'Int', 'BigInt', 'Float', 'Decimal', 'DateTime'])

/**
 * Whether a model can be paged by a column, and its id behind it.
 *
 * @returns warnings: a column with which rows are lost, an order that no index serves.
 * @throws Error when the column does not exist, or its values cannot be compared by the database.
 */
export function checkCursorColumn(model: ModelMeta, column: string): readonly string[] {
  const columns = keysetColumns(column, model.key)
  const [first] = columns.map((name) => comparableColumn(model, name))
  return [...(first ? valueWarnings(model, first) : []), ...indexWarnings(model, columns)]
}

/**
 * Whether a column can be a part of the id of a type that is paged by a cursor.
 *
 * @throws Error when its values cannot be compared by the database.
 */
export const checkCursorKey = (model: ModelMeta, column: string): void => void comparableColumn(model, column)

function comparableColumn(model: ModelMeta, name: string): ColumnMeta {
  const column = model.columns[name]
  if (!column) {
    throw new Error(`CursorPagination: the model ${model.name} has no column ${name}. ${otherColumn}`)
  }
  if (column.isList || column.isEnum || !comparable.has(column.type)) {
    const type = column.isList ? `${column.type}[]` : column.type
    throw new Error(
      `CursorPagination: ${model.name}.${name} is of type ${type}, whose values have no "before" and "after". ` +
        (model.key.includes(name) ? 'It is part of the id: paginate this type by page.' : otherColumn),
    )
  }
  return column
}

const otherColumn = "Name another one: withCursorColumn('…')."

function valueWarnings(model: ModelMeta, column: ColumnMeta): readonly string[] {
  const name = `${model.name}.${column.name}`
  const warnings: string[] = []
  if (column.isNullable) {
    warnings.push(
      `${name}: cursor pagination orders by it and it may be null, so rows without a value are missing from the pages behind a cursor. Make it required, or name another column: withCursorColumn('…').`,
    )
  }
  if (isFinerThanDate(column)) {
    warnings.push(
      `${name}: cursor pagination orders by it and it keeps microseconds, which JavaScript's dates do not have, so rows of one millisecond may be left out. Keep milliseconds: @db.${column.native?.[0]}(3).`,
    )
  }
  return warnings
}

// PostgreSQL keeps microseconds when the type names no precision; Prisma's own default is `Timestamp(3)`.
export const isFinerThanDate = ({ native }: ColumnMeta): boolean =>
  (native?.[0] === 'Timestamp' || native?.[0] === 'Timestamptz') && Number(native[1] ?? 6) > 3

function indexWarnings(model: ModelMeta, columns: readonly string[]): readonly string[] {
  const starts = (index: readonly string[], start: readonly string[]) => start.every((name, i) => index[i] === name)
  const isUnique = model.uniques.some((unique) => unique.length === 1 && unique[0] === columns[0])
  if (isUnique || model.indexes.some((index) => starts(index, columns))) return []
  const wanted = columns.join(', ')
  return [
    `${model.name}: cursor pagination orders by ${wanted} and no index does, so each page reads the whole table. Add @@index([${wanted}]).`,
  ]
}
