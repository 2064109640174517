import { PostgresQueryCompiler, sql } from 'kysely'
import { postgresCodecs } from '../codecs/postgres-codecs.ts'
import type { Dialect } from './dialect.ts'

export const postgresDialect: Dialect = {
  provider: 'postgresql',
  ignoresCase: true,
  namesLimits: false,
  codecsOf: postgresCodecs,
  bindList: (values) => values,
  isAmong: (column, list) => sql`${column} = any(${list})`,
  search: null,
  selected: (column, { isList }) => (isList ? sql`coalesce(array_to_json(${column}::text[]), '[]')` : column),
  compiler: () => new PostgresQueryCompiler(),
}
