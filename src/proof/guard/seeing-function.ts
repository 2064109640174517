import { literal, quoted, quotedTable } from '../../database/quoted.ts'
import type { ModelMeta } from '../../model/meta.ts'

/** What marks such a function: PostgreSQL 15 lets only superusers give functions settings of their own. */
export const madeBy = 'Made by prismapi rls.'

/**
 * A function of columns of a row that sees all rows, and tells whether something holds: it has the rights of who runs the migration, and
 * the tables of the schema that it is run in.
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
