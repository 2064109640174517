import { sql } from 'kysely'
import type { Resources } from '../../../model/meta.ts'
import type { RemovePlan } from '../../store.ts'
import { conditionOf } from '../clauses/conditions.ts'
import { rootSide, tableOf } from '../clauses/sql-terms.ts'
import type { Walk } from '../clauses/walk.ts'
import { NotInSql } from '../not-in-sql.ts'
import { isStill, keptOf, shapeOfKept } from './kept-row.ts'
import type { QueryKind } from './query-kind.ts'

/** Removes one row that is still what was read of it; answers whether there was one. */
export const removeQuery = ({
  emulatesRelations,
}: Pick<Resources, 'emulatesRelations'>): QueryKind<RemovePlan, boolean> => {
  function parts<Side, Term>(plan: RemovePlan, side: Side, walk: Walk<Side, Term>) {
    const model = walk.catalog.model(plan.model)
    // Prisma removes, or empties, what names the row.
    if (emulatesRelations && Object.values(model.relations).some(({ foreignKey }) => !foreignKey))
      throw new NotInSql(`the rows that name one of ${model.name}`)
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
