import type { Provider } from '../../model/meta.ts'
import type { AskedQuery, Telemetry } from '../../request/telemetry.ts'
import type { Reader } from '../reader.ts'
import type { SqlDatabase } from '../sql/database.ts'

/** The queries of Prisma's reader, each told as one, whatever SQL Prisma makes of it. */
export function toldReader(reader: Reader, telemetry: Telemetry, system: Provider): Reader {
  const asked = (operation: string, collection: string): AskedQuery => ({ system, operation, collection, text: null })
  return {
    rows: (plan) => telemetry.query(asked('findMany', plan.model), () => reader.rows(plan)),
    joined: (plan) => telemetry.query(asked('findMany', plan.model), () => reader.joined(plan)),
    count: (model, where) => telemetry.query(asked('count', model), () => reader.count(model, where)),
    countBy: (model, columns, where) =>
      telemetry.query(asked('groupBy', model), () => reader.countBy(model, columns, where)),
    countThrough: (plan) => telemetry.query(asked('findMany', plan.model), () => reader.countThrough(plan)),
  }
}

/** A database whose statements are told, with their text, which has placeholders where the values are. */
export function toldDatabase(database: SqlDatabase, telemetry: Telemetry): SqlDatabase {
  const { writer, provider } = database
  return {
    ...database,
    prepare(sql) {
      const statement = database.prepare(sql)
      const query = askedBy(sql, provider)
      return { all: (values) => telemetry.query(query, () => statement.all(values)) }
    },
    ...(writer && {
      writer: {
        ...writer,
        prepare(sql) {
          const statement = writer.prepare(sql)
          const query = askedBy(sql, provider)
          return { run: (values) => telemetry.query(query, () => statement.run(values)) }
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
