import type { InstantPart } from '@prismapi/jsonapi/schema/statistics'
import { PostgresQueryCompiler, sql } from 'kysely'
import { postgresCodecs } from '../codecs/postgres-codecs.ts'
import type { Dialect } from './dialect.ts'

export const postgresDialect: Dialect = {
  provider: 'postgresql',
  ignoresCase: true,
  maxLiteralLimit: 1,
  // PostgreSQL takes a bound LIMIT for a tenth of the table, and so
  // plans each page anew. With the text's number it keeps its plan.
  limited: (rows, { number, most, offset }) =>
    sql`select * from (${rows} limit ${sql.lit(most)}${offset}) as ${sql.id('slice')} limit ${number}`,
  codecsOf: postgresCodecs,
  bindList: (values) => values,
  isAmong: (column, list) => sql`${column} = any(${list})`,
  search: null,
  subselectFence: sql` offset 0`,
  selected: (column, { isList }) => (isList ? sql`coalesce(array_to_json(${column}::text[]), '[]')` : column),
  instantPart(column, part, { native }) {
    const utc = native?.[0] === 'Timestamptz' ? sql`(${column} at time zone 'UTC')` : column
    return sql`to_char(${utc}, ${sql.lit(formats[part])})`
  },
  sum: (column) => sql`sum(${column})`,
  sumOrder: (column) => sql`sum(${column})`,
  average: (column, { type }) => (type === 'Decimal' ? sql`avg(${column})` : sql`avg(${column})::float8`),
  compiler: () => new PostgresQueryCompiler(),
}

const formats: Readonly<Record<InstantPart, string>> = {
  year: 'YYYY',
  month: 'YYYY-MM',
  week: 'IYYY-"W"IW',
  day: 'YYYY-MM-DD',
}
