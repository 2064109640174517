import { sql } from 'kysely'
import type { ModelMeta } from '../../../model/meta.ts'
import type { OrderTerm } from '../../../model/where.ts'
import type { Catalog } from '../catalog.ts'
import type { Sql } from '../dialects/dialect.ts'
import { NotInSql } from '../not-in-sql.ts'
import { columnOf, type SqlSide } from './sql-terms.ts'
import type { Terms } from './terms.ts'

/** The order's own part of a shape. */
export const orderShape = (order: readonly OrderTerm[]): string =>
  order.map(({ path, direction }) => `${path.join('.')} ${direction}`).join()

/** The terms of ORDER BY, with the joins that their paths take; null for no order. Where NULLs stand is the database's way. */
export function orderSql(
  order: readonly OrderTerm[],
  at: { readonly side: SqlSide; readonly model: ModelMeta },
  { catalog, terms }: { readonly catalog: Catalog; readonly terms: Terms<SqlSide, Sql> },
): Sql | null {
  if (order.length === 0) return null
  const parts = order.map(({ path, direction }) => {
    let { side, model } = at
    for (const step of path.slice(0, -1)) {
      const relation = model.relations[step]
      if (!relation || relation.isList) throw new NotInSql(`an order by ${path.join('.')}`)
      side = terms.joined(side, relation)
      model = catalog.link(relation).target
    }
    const column = columnOf(side, catalog.column(model, path.at(-1) as string))
    return direction === 'asc' ? sql`${column} asc` : sql`${column} desc`
  })
  return sql.join(parts)
}
