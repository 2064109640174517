import type { ColumnMeta, ModelMeta } from '@prismapi/jsonapi/model/meta'
import type { Row } from '@prismapi/jsonapi/model/where'
import { type Drawing, drawValue, momentOf, uniqueValue } from './values.ts'

/** What a row has before its values are drawn. */
export interface Begun {
  readonly columns: Row
  /** The columns of foreign keys to rows that were created for it: no other row leads there. */
  readonly fresh: readonly (readonly string[])[]
}

/** A value for each column that needs one and has none yet. */
export function drawColumns(begun: Begun, drawing: Drawing): Row {
  const { columns: row } = begun
  const { model, n, faker } = drawing
  const unique = uniqueColumns(begun, model)
  const drawn = Object.values(model.columns)
    .filter(({ name }) => row[name] === undefined)
    .flatMap((column): [string, unknown][] => {
      if (isMoment(column)) return [[column.name, momentOf(n, column)]]
      // The database would draw another one each time.
      if (column.default === 'uuid') return [[column.name, faker.string.uuid()]]
      if (!isNeeded(column) && !unique.has(column.name)) return []
      return [[column.name, unique.has(column.name) ? uniqueValue(column, drawing) : drawValue(column, drawing)]]
    })
  return { ...row, ...Object.fromEntries(drawn) }
}

/** Is it a column without which the row cannot be stored. */
const isNeeded = ({ isNullable, isList, isForeignKey, default: made }: ColumnMeta): boolean =>
  !isNullable && !isList && !isForeignKey && made === null

const isMoment = ({ type, default: made, isUpdatedAt, isNullable }: ColumnMeta): boolean =>
  type === 'DateTime' && !isNullable && (made === 'now' || isUpdatedAt)

/** Of each unique that is not all given, one column whose value makes the difference. */
function uniqueColumns({ columns: row, fresh }: Begun, { uniques, columns }: ModelMeta): ReadonlySet<string> {
  const chosen = uniques.map((names) => {
    const open = names.map((name) => columns[name] as ColumnMeta).filter(({ name }) => row[name] === undefined)
    // Null is no duplicate, and what the database makes is another one each time. A literal is the same in every row.
    const mayRepeat = open.every((column) => isNeeded(column) || hasLiteral(column)) && !fresh.some(isWithin(names))
    const drawn = [...open.filter(isNeeded), ...(mayRepeat ? open.filter(hasLiteral) : [])]
    return drawn.find((column) => !hasFewValues(column)) ?? drawn[0]
  })
  return new Set(chosen.flatMap((column) => column?.name ?? []))
}

const isWithin =
  (all: readonly string[]) =>
  (names: readonly string[]): boolean =>
    names.every((name) => all.includes(name))

const hasLiteral = ({ default: made, isNullable, isList }: ColumnMeta): boolean =>
  made === 'value' && !isNullable && !isList

const hasFewValues = ({ isEnum, type }: ColumnMeta): boolean => isEnum || type === 'Boolean'

/** The column of few values that a unique of the row depends on; null where each unique has one with many. */
export function scarceColumn(begun: Begun, model: ModelMeta): ColumnMeta | null {
  const scarce = [...uniqueColumns(begun, model)].map((name) => model.columns[name] as ColumnMeta)
  return scarce.find(hasFewValues) ?? null
}
