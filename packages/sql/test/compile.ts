import type { RowsPlan } from '@prismapi/core/database/reader'
import type { Bound } from '@prismapi/core/database/sql-database'
import type { Where } from '@prismapi/jsonapi/model/where'
import { resources } from '../../../prisma/generated/resources.ts'
import { conditionsOf } from '../../../test/support/conditions.ts'
import { catalogOf } from '../src/catalog.ts'
import { shape } from '../src/clauses/conditions.ts'
import { sqlTerms } from '../src/clauses/sql-terms.ts'
import type { QueryKind } from '../src/compile-query.ts'
import { compileSql, type Dialect } from '../src/dialects/dialect.ts'
import { sqliteDialect } from '../src/dialects/sqlite-dialect.ts'

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
  const instantsIn = () => 'usual' as const
  const values: Bound[] = []
  const key = kind.key(plan, { catalog, dialect, instantsIn, terms: shape, values })
  const query = kind.query(plan, {
    catalog,
    dialect,
    instantsIn,
    terms: sqlTerms({ catalog, dialect, instantsIn }),
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
