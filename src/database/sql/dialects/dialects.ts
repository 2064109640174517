import type { SqlProvider } from '../../sql-database.ts'
import type { Dialect } from './dialect.ts'
import { postgresDialect } from './postgres-dialect.ts'
import { sqliteDialect } from './sqlite-dialect.ts'

export const dialects: Readonly<Record<SqlProvider, Dialect>> = {
  sqlite: sqliteDialect,
  postgresql: postgresDialect,
}
