import { sql } from 'kysely'
import { everything } from '../../../condition/build.ts'
import type { Condition } from '../../../condition/condition.ts'
import type { OrderTerm } from '../../../condition/order-term.ts'
import type { ModelMeta } from '../../../model/meta.ts'
import type { Sql } from '../dialects/dialect.ts'
import { NotInSql } from '../not-in-sql.ts'
import { conditionOf } from './conditions.ts'
import { comparedOf, type SqlSide } from './sql-terms.ts'
import type { Walk } from './walk.ts'

/** The order's own part of a shape. */
export const orderShape = (order: readonly OrderTerm[]): string =>
  order.map(({ path, direction, nulls }) => `${path.join('.')} ${direction}${nulls ? ` ${nulls}` : ''}`).join()

/** What conditions have a part in of one key of an order. */
export interface OrderPart<Term> {
  /** Where its value is seen; null where it always is. */
  readonly seen: Term | null
  /** The number of rows that it is; null where it is a column. */
  readonly number: Term | null
  /** It is a column of instants of several spellings. */
  readonly isMixed: boolean
}

/** For each key what its conditions make of it. Part of the shape, as their values are of the statement. */
export const orderParts = <Side, Term>(
  order: readonly OrderTerm[],
  { side, model }: { readonly side: Side; readonly model: string },
  walk: Walk<Side, Term>,
): readonly OrderPart<Term>[] =>
  order.map(({ path, seen }) => ({
    seen: seen ? conditionOf(seen.where, side, walk) : null,
    number:
      path.at(-1) === '_count' ? numberOf(path, { side, model, counted: seen?.counted ?? everything }, walk) : null,
    isMixed: isMixed(path, walk.catalog.model(model), walk),
  }))

/** Does a path end with a column of instants that have several spellings. */
function isMixed<Side, Term>(path: OrderTerm['path'], model: ModelMeta, walk: Walk<Side, Term>): boolean {
  const [step = '', ...steps] = path
  const relation = model.relations[step]
  if (relation) return isMixed(steps, walk.catalog.model(relation.model), walk)
  const column = model.columns[step]
  return column !== undefined && walk.isMixed(column)
}

interface Number<Side> {
  readonly side: Side
  readonly model: string
  /** Which rows count. */
  readonly counted: Condition
}

/** The number of rows behind the to-many relation that a path ends with. */
function numberOf<Side, Term>(path: OrderTerm['path'], { counted, ...at }: Number<Side>, walk: Walk<Side, Term>): Term {
  const { catalog, terms } = walk
  const steps = path.slice(0, -1)
  let { side } = at
  let model = catalog.model(at.model)
  for (const [i, step] of steps.entries()) {
    const relation = model.relations[step]
    if (!relation || relation.isList !== (i === steps.length - 1)) break
    if (relation.isList) return terms.count(side, relation, (target) => conditionOf(counted, target, walk))
    side = terms.joined(side, relation)
    model = catalog.joinOf(relation).target
  }
  throw new NotInSql(`an order by ${path.join('.')}`)
}

/** Their own part of a shape. */
export const partsShape = (parts: readonly OrderPart<string>[]): string => {
  const texts = parts.map(({ seen, number, isMixed }) => `${seen ?? ''}${number ?? ''}${isMixed ? '~' : ''}`)
  return texts.some((text) => text !== '') ? `[${texts.join()}]` : ''
}

/** Conditions under which values are seen, as a part of a shape. */
export const seenShape = (seen: readonly (string | null)[]): string =>
  seen.some((each) => each !== null) ? `[${seen.map((each) => each ?? '').join()}]` : ''

/** The terms of ORDER BY, with the joins that their paths take; null for no order. */
export function orderSql(
  order: readonly OrderTerm[],
  at: { readonly side: SqlSide; readonly model: ModelMeta; readonly parts: readonly OrderPart<Sql>[] },
  walk: Walk<SqlSide, Sql>,
): Sql | null {
  const { catalog, terms } = walk
  if (order.length === 0) return null
  const keys = order.map(({ path, direction, nulls }, i) => {
    const { seen = null, number = null } = at.parts[i] ?? {}
    const value = seenOnly(number ?? columnAt(path), seen)
    const ordered = direction === 'asc' ? sql`${value} asc` : sql`${value} desc`
    if (nulls === undefined) return ordered
    return nulls === 'first' ? sql`${ordered} nulls first` : sql`${ordered} nulls last`
  })
  return sql.join(keys)

  function columnAt(path: OrderTerm['path']): Sql {
    let { side, model } = at
    for (const step of path.slice(0, -1)) {
      const relation = model.relations[step]
      if (!relation || relation.isList) throw new NotInSql(`an order by ${path.join('.')}`)
      side = terms.joined(side, relation)
      model = catalog.joinOf(relation).target
    }
    return comparedOf(side, catalog.column(model, path.at(-1) as string), walk)
  }
}

/** A value that counts as null in rows for which the condition does not hold; null for no condition. */
export const seenOnly = (value: Sql, seen: Sql | null): Sql =>
  seen === null ? value : sql`case when ${seen} then ${value} end`
