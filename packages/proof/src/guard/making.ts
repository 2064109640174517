import { literal, quoted, quotedTable } from '@prismapi/core/database/tables'
import type { ModelMeta, Resources } from '@prismapi/jsonapi/model/meta'
import type { Formula } from '../formula.ts'
import { type Everybody, ruledAs } from './callers.ts'
import type { ColumnSource, RowConditions } from './row-condition.ts'
import type { RowRules, Ruled } from './row-rules.ts'

/** What policies are made of. */
export interface Making {
  readonly conditions: RowConditions
  readonly everybody: Everybody
  readonly rules: readonly RowRules[]
  readonly resources: Resources
}

/** The row was made by the transaction that asks, or changed by who may: whose row was only linked has not made it. */
export const madeNow = (place: ColumnSource): string =>
  `(${place.side}.xmin = pg_current_xact_id_if_assigned()::xid AND NOT prismapi_listed('linked', ${rowKey(place)}))`

/** What holds of the row that a key leads to. */
export const parentHolds = (relation: string, parent: readonly Ruled[]): readonly Ruled[] =>
  ruledAs(parent, (part: Formula) => ({ kind: 'related', relation, quantifier: 'is', part }))

/** A name for a row, which a transaction remembers of rows that it wrote and may not see. */
export const rowKey = ({ model, side }: ColumnSource): string =>
  `md5(jsonb_build_array(${[literal(model.name), ...model.key.map((name) => `${side}.${quoted(model.columns[name]?.column ?? name)}`)].join(', ')})::text)`

/** What marks such a function: PostgreSQL 15 lets only superusers give functions settings of their own. */
export const madeBy = 'Made by prismapi rls.'

/**
 * A function of a row's columns that sees all rows and says whether something holds. It has the rights of the role that
 * runs the migration, and uses the tables of the schema in which it runs.
 */
export const seeingFunction = (
  name: string,
  model: ModelMeta,
  columns: readonly string[],
  body: string,
): readonly string[] => [
  `CREATE OR REPLACE FUNCTION ${quoted(name)}(${columns.map((column) => `${quotedTable(model)}.${quoted(column)}%TYPE`).join(', ')}) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
  SELECT ${body}
$$;`,
  `COMMENT ON FUNCTION ${quoted(name)} IS ${literal(madeBy)};`,
]
