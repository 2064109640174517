import type { ModelMeta, Provider } from '@prismapi/jsonapi/model/meta'
import type { Row } from '@prismapi/jsonapi/model/where'
import type { Ask } from '../session.ts'
import { quotedTable } from '../tables.ts'
import { translated } from './database-errors.ts'

/** The columns of a table that the database computes, and takes no value for. */
const catalogues: Partial<Record<Provider, (model: ModelMeta) => readonly [sql: string, table: string]>> = {
  postgresql: ({ table, dbSchema }) => [
    `select attname as name from pg_attribute where attrelid = to_regclass($1) and (attgenerated <> '' or attidentity = 'a')`,
    quotedTable({ table, dbSchema }),
  ],
  sqlite: ({ table }) => ['select name from pragma_table_xinfo(?) where hidden in (2, 3)', table],
}

/**
 * What is written, without the columns that are `GENERATED ALWAYS`: to set one is an error to the database, with the
 * value that it has as well. The Prisma schema does not tell them from other defaults of the database, so the catalogue
 * is asked where such a column is set.
 */
export async function withoutGenerated(
  ask: Ask,
  { model, provider }: { readonly model: ModelMeta; readonly provider: Provider },
  data: Row,
): Promise<Row> {
  const catalogue = catalogues[provider]
  const isAsked = Object.keys(data).some((name) => model.columns[name]?.default === 'dbgenerated')
  if (!catalogue || !isAsked) return data
  const [sql, table] = catalogue(model)
  const rows = await translated(() => ask(sql, [table]))
  const generated = new Set(rows.map(([name]) => name))
  return Object.fromEntries(Object.entries(data).filter(([name]) => !generated.has(model.columns[name]?.column)))
}
