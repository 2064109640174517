import { sql } from 'kysely'
import type { OrderTerm } from '../../../condition/order-term.ts'
import type { ModelMeta } from '../../../model/meta.ts'
import type { Catalog } from '../catalog.ts'
import type { Sql } from '../dialects/dialect.ts'
import { NotInSql } from '../not-in-sql.ts'
import { conditionOf } from './conditions.ts'
import { columnOf, type SqlSide } from './sql-terms.ts'
import type { Terms } from './terms.ts'
import type { Walk } from './walk.ts'

/** The order's own part of a shape. */
export const orderShape = (order: readonly OrderTerm[]): string =>
  order.map(({ path, direction }) => `${path.join('.')} ${direction}`).join()

/** For each term the condition under which its value is seen; null where it always is. Part of the shape, as its values are of the statement. */
export const orderSeen = <Side, Term>(
  order: readonly OrderTerm[],
  side: Side,
  walk: Walk<Side, Term>,
): readonly (Term | null)[] => order.map(({ seen }) => (seen ? conditionOf(seen.where, side, walk) : null))

/** Their own part of a shape. */
export const seenShape = (seen: readonly (string | null)[]): string =>
  seen.some((each) => each !== null) ? `[${seen.map((each) => each ?? '').join()}]` : ''

/** The terms of ORDER BY, with the joins that their paths take; null for no order. Where NULLs stand is the database's way. */
export function orderSql(
  order: readonly OrderTerm[],
  at: { readonly side: SqlSide; readonly model: ModelMeta; readonly seen: readonly (Sql | null)[] },
  { catalog, terms }: { readonly catalog: Catalog; readonly terms: Terms<SqlSide, Sql> },
): Sql | null {
  if (order.length === 0) return null
  const parts = order.map(({ path, direction }, i) => {
    let { side, model } = at
    for (const step of path.slice(0, -1)) {
      const relation = model.relations[step]
      if (!relation || relation.isList) throw new NotInSql(`an order by ${path.join('.')}`)
      side = terms.joined(side, relation)
      model = catalog.link(relation).target
    }
    const column = columnOf(side, catalog.column(model, path.at(-1) as string))
    const value = seenOnly(column, at.seen[i] ?? null)
    return direction === 'asc' ? sql`${value} asc` : sql`${value} desc`
  })
  return sql.join(parts)
}

/** A value that counts as null in rows for which the condition does not hold; null for no condition. */
export const seenOnly = (value: Sql, seen: Sql | null): Sql =>
  seen === null ? value : sql`case when ${seen} then ${value} end`
