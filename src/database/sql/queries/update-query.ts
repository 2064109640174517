import { sql } from 'kysely'
import type { ModelMeta } from '../../../model/meta.ts'
import type { Row } from '../../../model/where.ts'
import type { UpdatePlan } from '../../store.ts'
import type { Catalog } from '../catalog.ts'
import { conditionOf } from '../clauses/conditions.ts'
import { rootSide, tableOf } from '../clauses/sql-terms.ts'
import type { Walk } from '../clauses/walk.ts'
import { slot } from '../dialects/dialect.ts'
import { NotInSql } from '../not-in-sql.ts'
import { isStill, keptOf, shapeOfKept } from './kept-row.ts'
import type { QueryKind } from './query-kind.ts'
import { returned, shownReader } from './returning.ts'
import { updatedColumns } from './written-columns.ts'

/** A change of one row that is still what was read of it; answers with the columns that are wanted back, or says that there is none. */
export const updateQuery: QueryKind<UpdatePlan, Row | false> = {
  key(plan, walk) {
    const { set, condition, kept } = parts(plan, '', walk)
    return `${plan.model}(${set.map(([{ name }]) => name).join()})${shapeOfKept(kept)};${plan.shown?.join() ?? ''};${condition ?? ''}`
  },

  query(plan, walk) {
    const { catalog } = walk
    const side = rootSide()
    const { model, set, condition, kept } = parts(plan, side, walk)
    if (side.from.joins.length > 0) throw new NotInSql('a join in a change')
    const setting = set.map(([{ column }, index]) => sql`${sql.id(column)} = ${slot(index)}`)
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

function parts<Side, Term>(plan: UpdatePlan, side: Side, walk: Walk<Side, Term>) {
  const { catalog } = walk
  const { data } = plan
  const model = catalog.model(plan.model)
  checkUnreferenced(model, data, catalog)
  const set = updatedColumns(model, data, walk)
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
