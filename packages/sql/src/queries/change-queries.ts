import type { Bound } from '@prismapi/core/database/sql-database'
import type { RemovePlan, UpdatePlan } from '@prismapi/core/database/store'
import type { ColumnMeta, ModelMeta, Resources } from '@prismapi/jsonapi/model/meta'
import type { Row } from '@prismapi/jsonapi/model/where'
import { sql } from 'kysely'
import type { Catalog } from '../catalog.ts'
import { conditionOf } from '../clauses/conditions.ts'
import { columnOf, rootSide, type SqlSide, tableOf } from '../clauses/sql-terms.ts'
import { slotFor, type Walk } from '../clauses/terms.ts'
import { NotInSql } from '../codecs/codec.ts'
import type { QueryKind } from '../compile-query.ts'
import { type Sql, slot } from '../dialects/dialect.ts'
import { returned, shownReader } from './reading.ts'
import { updatedColumns, type Written } from './written-columns.ts'

/**
 * A change of one row that is still what was read of it; answers with
 * the columns that are wanted back, or says that there is none.
 */
export const updateQuery: QueryKind<UpdatePlan, Row | false> = {
  key(plan, walk) {
    const { set, condition, kept } = parts(plan, '', walk)
    return `${plan.model}(${set.map(([{ name }]) => name).join()}+${plan.increment ?? ''})${shapeOfKept(kept)};${plan.shown?.join() ?? ''};${condition ?? ''}`
  },

  query(plan, walk) {
    const { catalog } = walk
    const side = rootSide()
    const { model, set, condition, kept } = parts(plan, side, walk)
    if (side.from.joins.length > 0) throw new NotInSql('a join in a change')
    const setting = settingOf(set, model, plan.increment)
    const terms = [...(condition ? [condition] : []), ...kept.map((each) => isStill(side, each, walk))]
    const { shown = [] } = plan
    const readShown = shownReader(shown, model, catalog)
    const back = shown.length > 0 ? returned(shown, model, walk) : sql`1`
    return {
      sql: sql`update ${tableOf(model, catalog)} as ${sql.id(side.alias)} set ${sql.join(setting)} where ${sql.join(terms, sql` and `)} returning ${back}`,
      read: ([row]) => (row ? (readShown(row) ?? {}) : false),
    }
  },
}

/** What a change sets. */
export function settingOf(set: readonly Written[], { columns }: ModelMeta, increment?: string): Sql[] {
  const setting = set.map(([{ column }, index]) => sql`${sql.id(column)} = ${slot(index)}`)
  const counting = increment === undefined ? undefined : columns[increment]
  if (counting) setting.push(oneMore(counting))
  return setting
}

/** The columns that a change sets, and those that each change does. */
export function changedColumns<Side, Term>(model: ModelMeta, data: Row, walk: Walk<Side, Term>): readonly Written[] {
  checkUnreferenced(model, data, walk.catalog)
  return updatedColumns(model, data, walk)
}

const oneMore = ({ column }: ColumnMeta): Sql => sql`${sql.id(column)} = ${sql.id(column)} + 1`

function parts<Side, Term>(plan: UpdatePlan, side: Side, walk: Walk<Side, Term>) {
  const { catalog } = walk
  const { data } = plan
  const model = catalog.model(plan.model)
  const set = changedColumns(model, data, walk)
  return { model, set, condition: conditionOf(plan.where, side, walk), kept: keptOf(model, plan, walk) }
}

// Where Prisma looks after relations in place of the database, it also changes the rows that name this one.
function checkUnreferenced(model: ModelMeta, data: Row, catalog: Catalog): void {
  for (const relation of Object.values(model.relations)) {
    if (relation.foreignKey) continue
    const { pairs } = catalog.joinOf(relation)
    for (const [{ name }] of pairs) if (name in data) throw new NotInSql(`${model.name}.${name}, which others name`)
  }
}

// A row that has to be what was read of it, in the statement that changes or removes it.

/** A column, and the slot of what it was stored as, or else of what it was read as; null where that is null. */
type Kept = readonly [column: ColumnMeta, slot: number | null, isStored: boolean]

const keptOf = <Side, Term>(
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

const shapeOfKept = (kept: readonly Kept[]): string =>
  kept.map(([{ name }, index, isStored]) => (index === null ? `!${name}` : isStored ? `=${name}` : name)).join()

/** Types without an equality, or with one that takes different values for the same. */
const incomparable: ReadonlySet<string> = new Set(['Citext', 'Xml', 'Json'])

function checkComparable({ name, native }: ColumnMeta): void {
  if (incomparable.has(native?.[0] ?? '')) throw new NotInSql(`the comparison of ${name}`)
}

/** The column still has that value. */
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

/** Removes one row that is still what was read of it; answers whether there was one. */
export const removeQuery = (resources: Pick<Resources, 'emulatesRelations'>): QueryKind<RemovePlan, boolean> => {
  function parts<Side, Term>(plan: RemovePlan, side: Side, walk: Walk<Side, Term>) {
    const model = walk.catalog.model(plan.model)
    checkNotNamed(model, resources)
    return { model, condition: conditionOf(plan.where, side, walk), kept: keptOf(model, plan, walk) }
  }
  return {
    key(plan, walk) {
      const { condition, kept } = parts(plan, '', walk)
      return `${plan.model} ${shapeOfKept(kept)};${condition ?? ''}`
    },
    query(plan, walk) {
      const side = rootSide()
      const { model, condition, kept } = parts(plan, side, walk)
      if (side.from.joins.length > 0) throw new NotInSql('a join in a removal')
      const terms = [...(condition ? [condition] : []), ...kept.map((each) => isStill(side, each, walk))]
      return {
        sql: sql`delete from ${tableOf(model, walk.catalog)} as ${sql.id(side.alias)} where ${sql.join(terms, sql` and `)} returning 1`,
        read: (rows) => rows.length > 0,
      }
    },
  }
}

/** Where Prisma looks after relations in place of the database, it removes, or empties, what names a row. */
export function checkNotNamed(model: ModelMeta, { emulatesRelations }: Pick<Resources, 'emulatesRelations'>): void {
  if (emulatesRelations && Object.values(model.relations).some(({ foreignKey }) => !foreignKey))
    throw new NotInSql(`the rows that name one of ${model.name}`)
}
