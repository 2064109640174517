import { resources } from '../../../../prisma/generated/resources.ts'
import type { RowsPlan } from '../../../../src/database/reader.ts'
import { catalogOf } from '../../../../src/database/sql/catalog.ts'
import { sqlTerms } from '../../../../src/database/sql/clauses/sql-terms.ts'
import { compileSql, type Dialect } from '../../../../src/database/sql/dialects/dialect.ts'
import { sqliteDialect } from '../../../../src/database/sql/dialects/sqlite-dialect.ts'
import type { QueryKind } from '../../../../src/database/sql/queries/query-kind.ts'
import { shape } from '../../../../src/database/sql/shape.ts'
import type { Bound } from '../../../../src/database/sql-database.ts'
import type { Where } from '../../../../src/model/where.ts'
import { conditionsOf } from '../../../support/conditions.ts'

export interface Compiled {
  readonly text: string
  /** In the order of the text. */
  readonly values: readonly Bound[]
  readonly key: string
}

/** What a plan of the example becomes. */
export function compile<Plan>(kind: QueryKind<Plan, unknown>, plan: Plan, dialect: Dialect = sqliteDialect): Compiled {
  const catalog = catalogOf(
    resources,
    dialect.codecsOf(resources.enums),
    dialect.provider === 'sqlite' ? null : 'public',
  )
  const isMixed = () => false
  const values: Bound[] = []
  const key = kind.key(plan, { catalog, dialect, isMixed, terms: shape, values })
  const query = kind.query(plan, {
    catalog,
    dialect,
    isMixed,
    terms: sqlTerms({ catalog, dialect, isMixed }),
    values: [],
  })
  const { text, slots } = compileSql(query.sql, dialect)
  return { text, values: slots.map((slot) => values[slot] as Bound), key }
}

/** A condition on a model of the example. */
export const on = conditionsOf(resources)

export const level = (model: string, where: Where = {}): RowsPlan => ({
  kind: 'rows',
  model,
  columns: ['id'],
  where: on(model, where),
  order: [],
  skip: 0,
  take: null,
})
