import type { Reader } from '@prismapi/core/database/reader'
import type { Bound, SqlDatabase } from '@prismapi/core/database/sql-database'
import { quoted, quotedTable } from '@prismapi/core/database/tables'
import type { ColumnMeta, ModelMeta, Resources } from '@prismapi/jsonapi/model/meta'
import type { Row } from '@prismapi/jsonapi/model/where'
import { dialects } from '@prismapi/sql/compile-query'
import { NotInSql } from '@prismapi/sql/dialects/codec'
import { sqlReader } from '@prismapi/sql/sql-reader'
import type { Database } from './database.ts'

/** A database of its own, empty but for the rows that it is filled with. */
export interface Scratch {
  readonly reader: Reader
  /** Has these rows from now on, and no others. */
  fill(database: Database): Promise<void>
  close(): Promise<void>
}

/** How statements that change something are run. */
export interface ScratchConnection {
  readonly database: SqlDatabase
  run(sql: string, values?: readonly Bound[]): Promise<void>
  close(): Promise<void>
}

/** Makes the tables of the Prisma schema, without what constrains them: the rows keep to it as they are made. */
export async function openScratch(connection: ScratchConnection, resources: Resources): Promise<Scratch> {
  const { database, run, close } = connection
  const { provider } = database
  const codecOf = dialects[provider].codecsOf(resources.enums)
  const models = Object.values(resources.models)
  const named = (table: string) => quotedTable({ table, dbSchema: database.schema })
  const tables = [...models.map(({ table }) => table), ...joinTables(resources).keys()]
  for (const { table, columns } of models)
    await run(
      `create table ${named(table)} (${Object.values(columns)
        .map((column) => `${quoted(column.column)} ${columnType(column, provider)}`)
        .join()})`,
    )
  for (const [table, [a, b]] of joinTables(resources))
    await run(`create table ${named(table)} ("A" ${columnType(a, provider)}, "B" ${columnType(b, provider)})`)

  const insert = async (model: ModelMeta, row: Row) => {
    const columns = Object.values(model.columns).filter(({ isList, type }) => !isList && type !== 'Json')
    const values = columns.map((column) => (row[column.name] === null ? null : codecOf(column).bind(row[column.name])))
    await run(
      `insert into ${named(model.table)} (${columns.map(({ column }) => quoted(column)).join()}) values (${values.map((_, i) => placeholder(provider, i)).join()})`,
      values,
    )
  }
  return {
    reader: sqlReader({ database, resources, prisma: noPrisma, onUnknown: refuse }),
    async fill({ rows, joined }) {
      for (const table of tables) await run(`delete from ${named(table)}`)
      for (const [name, of] of rows) for (const row of of) await insert(resources.models[name] as ModelMeta, row)
      for (const { table, a, b } of joined)
        await run(`insert into ${named(table)} values (${placeholder(provider, 0)}, ${placeholder(provider, 1)})`, [
          a,
          b,
        ] as Bound[])
    },
    close,
  }
}

const placeholder = (provider: SqlDatabase['provider'], index: number): string =>
  provider === 'sqlite' ? '?' : `$${index + 1}`

const noPrisma: Reader = {
  read() {
    throw new NotInSql('only Prisma can ask it')
  },
}

/** There is no Prisma here that could be asked instead. */
function refuse(_model: string, part: string): never {
  throw new NotInSql(part)
}

function joinTables({ models }: Resources): ReadonlyMap<string, readonly [ColumnMeta, ColumnMeta]> {
  const keyOf = ({ columns, key }: ModelMeta) => columns[key[0] as string] as ColumnMeta
  return new Map(
    Object.values(models).flatMap((model) =>
      Object.values(model.relations).flatMap(({ join, model: other }) =>
        join?.own === 'A' ? [[join.table, [keyOf(model), keyOf(models[other] as ModelMeta)]] as const] : [],
      ),
    ),
  )
}

const types: Readonly<Record<SqlDatabase['provider'], Readonly<Record<string, string>>>> = {
  sqlite: { Int: 'INTEGER', BigInt: 'INTEGER', Boolean: 'INTEGER', Float: 'REAL', Decimal: 'NUMERIC', Bytes: 'BLOB' },
  postgresql: {
    Int: 'integer',
    BigInt: 'bigint',
    Boolean: 'boolean',
    Float: 'double precision',
    Decimal: 'numeric',
    Bytes: 'bytea',
    DateTime: 'timestamp(3)',
    Json: 'jsonb',
  },
}

const columnType = ({ type, isEnum, isList, native }: ColumnMeta, provider: SqlDatabase['provider']): string => {
  if (isEnum || isList) return 'TEXT'
  if (provider === 'postgresql' && native?.[0] === 'Timestamptz') return 'timestamptz(3)'
  return types[provider][type] ?? 'TEXT'
}
