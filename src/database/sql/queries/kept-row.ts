import { sql } from 'kysely'
import type { ColumnMeta, ModelMeta } from '../../../model/meta.ts'
import type { Bound } from '../../sql-database.ts'
import type { UpdatePlan } from '../../store.ts'
import { columnOf, type SqlSide } from '../clauses/sql-terms.ts'
import { slotFor, type Walk } from '../clauses/walk.ts'
import { type Sql, slot } from '../dialects/dialect.ts'
import { NotInSql } from '../not-in-sql.ts'

// A row that has to be what was read of it, in the statement that changes or removes it.

/** A column, and the slot of what it was stored as, or else of what it was read as; null where that is null. */
type Kept = readonly [column: ColumnMeta, slot: number | null, isStored: boolean]

export const keptOf = <Side, Term>(
  model: ModelMeta,
  { row, stored = null }: Pick<UpdatePlan, 'row' | 'stored'>,
  walk: Walk<Side, Term>,
): readonly Kept[] =>
  Object.keys(row).map((key): Kept => {
    const column = walk.catalog.column(model, key)
    if (row[key] === null) return [column, null, false]
    checkComparable(column)
    // The same value may be stored in many ways, of which the codec knows one.
    if (stored && !column.isList) return [column, walk.values.push(stored[key] as Bound) - 1, true]
    return [column, slotFor(column, row[key], walk), false]
  })

export const shapeOfKept = (kept: readonly Kept[]): string =>
  kept.map(([{ name }, index, isStored]) => (index === null ? `!${name}` : isStored ? `=${name}` : name)).join()

/** Types without an equality, or with one that takes different values for the same. */
const incomparable: ReadonlySet<string> = new Set(['Citext', 'Xml', 'Json'])

function checkComparable({ name, native }: ColumnMeta): void {
  if (incomparable.has(native?.[0] ?? '')) throw new NotInSql(`the comparison of ${name}`)
}

/** The column still has that value. */
export function isStill(
  side: SqlSide,
  [column, index, isStored]: Kept,
  { dialect: { provider } }: Walk<SqlSide, Sql>,
): Sql {
  const is = columnOf(side, column)
  if (index === null) return sql`${is} is null`
  // A column may have a collation to which other letters are the same. In SQLite any column may hold a text.
  if (!isText(column) && !(isStored && provider === 'sqlite')) return sql`${is} = ${slot(index)}`
  const exact = provider === 'sqlite' ? sql`binary` : sql`${sql.id('C')}`
  return sql`${is} collate ${exact} = ${slot(index)}`
}

const texts: ReadonlySet<string | undefined> = new Set([undefined, 'Text', 'VarChar', 'Char'])

const isText = ({ type, isEnum, native }: ColumnMeta): boolean => type === 'String' && !isEnum && texts.has(native?.[0])
