import { sql } from 'kysely'
import type { ColumnMeta, ModelMeta } from '../../../model/meta.ts'
import type { Row } from '../../../model/where.ts'
import type { UpdatePlan } from '../../store.ts'
import type { Catalog } from '../catalog.ts'
import { conditionOf } from '../clauses/conditions.ts'
import { columnOf, rootSide, type SqlSide, tableOf } from '../clauses/sql-terms.ts'
import { slotFor, type Walk } from '../clauses/walk.ts'
import type { Bound } from '../database.ts'
import { type Sql, slot } from '../dialects/dialect.ts'
import { NotInSql } from '../not-in-sql.ts'
import type { QueryKind } from './query-kind.ts'
import { updatedColumns } from './written-columns.ts'

/** A change of one row that is still what was read of it; answers whether there was one. */
export const updateQuery: QueryKind<UpdatePlan, boolean> = {
  key(plan, walk) {
    const { set, condition, kept } = parts(plan, '', walk)
    const shapes = kept.map(([{ name }, index, isStored]) =>
      index === null ? `!${name}` : isStored ? `=${name}` : name,
    )
    return `${plan.model}(${set.map(([{ name }]) => name).join()})${shapes.join()};${condition ?? ''}`
  },

  query(plan, walk) {
    const { catalog } = walk
    const side = rootSide()
    const { model, set, condition, kept } = parts(plan, side, walk)
    if (side.from.joins.length > 0) throw new NotInSql('a join in a change')
    const setting = set.map(([{ column }, index]) => sql`${sql.id(column)} = ${slot(index)}`)
    const terms = [...(condition ? [condition] : []), ...kept.map((each) => isStill(side, each, walk))]
    return {
      sql: sql`update ${tableOf(model, catalog)} as ${sql.id(side.alias)} set ${sql.join(setting)} where ${sql.join(terms, sql` and `)} returning 1`,
      read: (rows) => rows.length > 0,
    }
  },
}

/** A column, and the slot of what it was stored as, or else of what it was read as; null where that is null. */
type Kept = readonly [column: ColumnMeta, slot: number | null, isStored: boolean]

function parts<Side, Term>(
  { model: name, data, where, row, stored = null }: UpdatePlan,
  side: Side,
  walk: Walk<Side, Term>,
) {
  const { catalog } = walk
  const model = catalog.model(name)
  checkUnreferenced(model, data, catalog)
  const set = updatedColumns(model, data, walk)
  const condition = conditionOf(where, side, walk)
  const kept = Object.keys(row).map((key): Kept => {
    const column = catalog.column(model, key)
    if (row[key] === null) return [column, null, false]
    checkComparable(column)
    // The same value may be stored in many ways, of which the codec knows one.
    if (stored && !column.isList) return [column, walk.values.push(stored[key] as Bound) - 1, true]
    return [column, slotFor(column, row[key], walk), false]
  })
  return { model, set, condition, kept }
}

// Where Prisma looks after relations in place of the database, it also changes the rows that name this one.
function checkUnreferenced(model: ModelMeta, data: Row, catalog: Catalog): void {
  for (const relation of Object.values(model.relations)) {
    if (relation.foreignKey) continue
    const { pairs } = catalog.link(relation)
    for (const [{ name }] of pairs) if (name in data) throw new NotInSql(`${model.name}.${name}, which others name`)
  }
}

/** Types without an equality, or with one that takes different values for the same. */
const incomparable: ReadonlySet<string> = new Set(['Citext', 'Xml', 'Json'])

function checkComparable({ name, native }: ColumnMeta): void {
  if (incomparable.has(native?.[0] ?? '')) throw new NotInSql(`the comparison of ${name}`)
}

function isStill(side: SqlSide, [column, index, isStored]: Kept, { dialect: { provider } }: Walk<SqlSide, Sql>): Sql {
  const is = columnOf(side, column)
  if (index === null) return sql`${is} is null`
  // A column may have a collation to which other letters are the same. In SQLite any column may hold a text.
  if (!isText(column) && !(isStored && provider === 'sqlite')) return sql`${is} = ${slot(index)}`
  const exact = provider === 'sqlite' ? sql`binary` : sql`${sql.id('C')}`
  return sql`${is} collate ${exact} = ${slot(index)}`
}

const texts: ReadonlySet<string | undefined> = new Set([undefined, 'Text', 'VarChar', 'Char'])

const isText = ({ type, isEnum, native }: ColumnMeta): boolean => type === 'String' && !isEnum && texts.has(native?.[0])
