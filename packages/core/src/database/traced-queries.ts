import type { Provider } from '@prismapi/jsonapi/model/meta'
import type { AskedQuery, Telemetry } from '@prismapi/jsonapi/request/telemetry'
import type { PlanKind, Reader } from './reader.ts'
import type { Bound, SqlDatabase, SqlTransaction, Statement } from './sql-database.ts'
import { wrap } from './wrap.ts'

/** The queries of Prisma's reader, each traced as one, whatever SQL Prisma makes of it. */
export const tracedReader = (reader: Reader, telemetry: Telemetry, system: Provider): Reader =>
  wrap(reader, ({ kind, model }, read) =>
    telemetry.query({ system, operation: prismaMethods[kind], collection: model, text: null }, read),
  )

const prismaMethods: Readonly<Record<PlanKind, string>> = {
  rows: 'findMany',
  lookUp: 'findMany',
  perParent: 'findMany',
  joined: 'findMany',
  count: 'count',
  countBy: 'groupBy',
  countThrough: 'findMany',
  groups: 'groupBy',
}

/** A database whose statements are traced, with their text, which has placeholders where the values are. */
export function tracedDatabase(database: SqlDatabase, telemetry: Telemetry): SqlDatabase {
  const { writer, lane, provider } = database
  const { begin } = writer ?? {}
  const traced = (sql: string, statement: Statement): Statement => {
    const query = askedBy(sql, provider)
    return {
      all: (values, characters, beginning) =>
        telemetry.query(query, () => statement.all(values, characters, beginning)),
    }
  }
  const inTransaction = (transaction: SqlTransaction): SqlTransaction => ({
    prepare(sql) {
      const statement = transaction.prepare(sql)
      const run = async (values: readonly Bound[]) =>
        telemetry.query(askedBy(sql, provider), () => statement.run(values))
      return { ...traced(sql, statement), run }
    },
    shared: (work) => transaction.shared(work),
    commit: () => transaction.commit(),
    rollback: () => transaction.rollback(),
  })
  return {
    ...database,
    prepare: (sql) => traced(sql, database.prepare(sql)),
    ...(lane && {
      lane: {
        ...lane,
        read: (work, isWorthTrying) =>
          lane.read(
            (reads) =>
              work({
                all: (sql, values, characters) =>
                  telemetry.query(askedBy(sql, provider), () => reads.all(sql, values, characters)),
              }),
            isWorthTrying,
          ),
      },
    }),
    ...(writer && {
      writer: {
        ...writer,
        ...(begin && { begin: async () => inTransaction(await begin()) }),
        prepare(sql) {
          const statement = writer.prepare(sql)
          const query = askedBy(sql, provider)
          return { run: (values, beginning) => telemetry.query(query, () => statement.run(values, beginning)) }
        },
      },
    }),
  }
}

/** What a statement of ours is about: the first table after `from`, `into` or `update`, of the schema or not. */
const table = /^\s*(?:(update)|(\w+)\b.*?\b(?:from|into))\s+(?:"[^"]+"\.)?"([^"]+)"/is

function askedBy(text: string, system: SqlDatabase['provider']): AskedQuery {
  const [, update, verb = update ?? '', collection = null] = table.exec(text) ?? []
  return { system, operation: verb.toUpperCase(), collection, text }
}
