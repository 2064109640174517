import type { Bound } from '@prismapi/core/database/sql-database'
import type { RemovePlan, UpdatePlan } from '@prismapi/core/database/store'
import type { ColumnMeta, ModelMeta, Resources } from '@prismapi/jsonapi/model/meta'
import type { Row } from '@prismapi/jsonapi/model/where'
import { sql } from 'kysely'
import { conditionOf, slotFor, type Walk } from '../clauses/conditions.ts'
import { columnSql, rootSource, type SqlSource, tableOf } from '../clauses/sql-terms.ts'
import type { QueryKind } from '../compile-query.ts'
import { NotInSql } from '../dialects/codec.ts'
import { type Sql, slot } from '../dialects/dialect.ts'
import { changedColumns, returned, shownReader, type Written } from './columns.ts'

/**
 * A change of one row that is still what was read of it; answers with
 * the columns that are wanted back, or says that there is none.
 */
export const updateQuery: QueryKind<UpdatePlan, Row | false> = {
  key(plan, walk) {
    const { set, condition, unchanged } = parts(plan, '', walk)
    return `${plan.model}(${set.map(([{ name }]) => name).join()}+${plan.increment ?? ''})${unchangedShape(unchanged)};${plan.shown?.join() ?? ''};${condition ?? ''}`
  },

  query(plan, walk) {
    const { catalog } = walk
    const source = rootSource()
    const { model, set, condition, unchanged } = parts(plan, source, walk)
    if (source.from.joins.length > 0) throw new NotInSql('a join in a change')
    const setting = settingOf(set, model, plan.increment)
    const terms = [...(condition ? [condition] : []), ...unchanged.map((each) => isStill(source, each, walk))]
    const { shown = [] } = plan
    const readShown = shownReader(shown, model, catalog)
    const back = shown.length > 0 ? returned(shown, model, walk) : sql`1`
    return {
      sql: sql`update ${tableOf(model, catalog)} as ${sql.id(source.alias)} set ${sql.join(setting)} where ${sql.join(terms, sql` and `)} returning ${back}`,
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

const oneMore = ({ column }: ColumnMeta): Sql => sql`${sql.id(column)} = ${sql.id(column)} + 1`

function parts<Source, Term>(plan: UpdatePlan, source: Source, walk: Walk<Source, Term>) {
  const { catalog } = walk
  const { data } = plan
  const model = catalog.model(plan.model)
  const set = changedColumns(model, data, walk)
  return {
    model,
    set,
    condition: conditionOf(plan.where, source, walk),
    unchanged: unchangedColumns(model, plan, walk),
  }
}

// The statement that changes or removes a row checks that it still has the values that were read.

/** A column that must be unchanged, and the slot of its stored value, or else of the value that was read; or null. */
type Unchanged = readonly [column: ColumnMeta, slot: number | null, isStored: boolean]

const unchangedColumns = <Source, Term>(
  model: ModelMeta,
  { row, stored = null }: Pick<UpdatePlan, 'row' | 'stored'>,
  walk: Walk<Source, Term>,
): readonly Unchanged[] =>
  Object.keys(row).map((key): Unchanged => {
    const column = walk.catalog.column(model, key)
    if (row[key] === null) return [column, null, false]
    checkComparable(column)
    // The same value may be stored in many ways, of which the codec knows one.
    if (stored && !column.isList) return [column, walk.values.push(stored[key] as Bound) - 1, true]
    return [column, slotFor(column, row[key], walk), false]
  })

const unchangedShape = (unchanged: readonly Unchanged[]): string =>
  unchanged.map(([{ name }, index, isStored]) => (index === null ? `!${name}` : isStored ? `=${name}` : name)).join()

/** Types without an equality, or with one that takes different values for the same. */
const incomparable: ReadonlySet<string> = new Set(['Citext', 'Xml', 'Json'])

function checkComparable({ name, native }: ColumnMeta): void {
  if (incomparable.has(native?.[0] ?? '')) throw new NotInSql(`the comparison of ${name}`)
}

/** The column still has that value. */
function isStill(
  source: SqlSource,
  [column, index, isStored]: Unchanged,
  { dialect: { provider } }: Walk<SqlSource, Sql>,
): Sql {
  const is = columnSql(source, column)
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
  function parts<Source, Term>(plan: RemovePlan, source: Source, walk: Walk<Source, Term>) {
    const model = walk.catalog.model(plan.model)
    checkNotNamed(model, resources)
    return { model, condition: conditionOf(plan.where, source, walk), unchanged: unchangedColumns(model, plan, walk) }
  }
  return {
    key(plan, walk) {
      const { condition, unchanged } = parts(plan, '', walk)
      return `${plan.model} ${unchangedShape(unchanged)};${condition ?? ''}`
    },
    query(plan, walk) {
      const source = rootSource()
      const { model, condition, unchanged } = parts(plan, source, walk)
      if (source.from.joins.length > 0) throw new NotInSql('a join in a removal')
      const terms = [...(condition ? [condition] : []), ...unchanged.map((each) => isStill(source, each, walk))]
      return {
        sql: sql`delete from ${tableOf(model, walk.catalog)} as ${sql.id(source.alias)} where ${sql.join(terms, sql` and `)} returning 1`,
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
