import { lackingColumn, lackingPart } from '@prismapi/core/database/lacking'
import { delegateOf } from '@prismapi/core/database/prisma/client'
import type { SqlDatabase } from '@prismapi/core/database/sql-database'
import type { Clients, Delegates } from '@prismapi/core/database/store'
import { quoted, quotedTable } from '@prismapi/core/database/tables'
import type { ModelMeta, Resources } from '@prismapi/jsonapi/model/meta'

/**
 * Looks at every table that the Prisma schema names, for the start of a process and for `/ready`: by the prepared
 * statements of the clients where they have them, which starts no Prisma Client, else by Prisma.
 *
 * @param clients what `createApi` is given, or any Prisma client of the database
 * @returns where every table is there, with all its columns
 * @throws {Error} one line that names the model and the command, where a migration was not applied
 *
 * @example
 * declare const clients: Clients // a Prisma client, or those of prismapi/sqlite and prismapi/postgres
 * declare const resources: Resources // of prisma/generated/resources.ts
 *
 * await checkTables(clients, resources)
 */
export async function checkTables(clients: Clients, resources: Resources): Promise<void> {
  const look = lookWith(clients, resources)
  for (const model of Object.values(resources.models)) {
    try {
      await look(model)
    } catch (error) {
      const lacking = lackingPart(error)
      if (lacking === null) throw error
      const part =
        lacking === 'table' ? 'table for' : `${['column', lackingColumn(error)].filter(Boolean).join(' ')} of`
      const message = `The database has no ${part} the model ${model.name} of the Prisma schema. Run "npx prisma migrate deploy".`
      throw new Error(message, { cause: error })
    }
  }
}

function lookWith(clients: Clients, { provider }: Resources): (model: ModelMeta) => Promise<unknown> {
  const { sql, reader } = 'writer' in clients ? clients : { sql: undefined, reader: clients }
  if (sql?.provider === provider) return async (model) => sql.prepare(emptyQuery(model, sql)).all([])
  return (model) => delegateOf(reader as object as Delegates, model.name).findFirst({})
}

function emptyQuery({ table, dbSchema, columns }: ModelMeta, { schema }: SqlDatabase): string {
  const from = quotedTable({ table, dbSchema: dbSchema ?? schema })
  const all = Object.values(columns).map(({ column }) => `t.${quoted(column)}`)
  return `SELECT ${all.join(', ')} FROM ${from} AS t LIMIT 0`
}

interface Kind {
  /** What people call it. */
  readonly name: string
  readonly schemes: readonly string[]
}

/**
 * Of the URL only its scheme is told, because it may hold a password.
 * @throws {Error} for the URL of another kind of database.
 */
export function checkUrl(url: string, { name, schemes }: Kind): void {
  const [, scheme] = /^([a-z][a-z0-9+.-]+:)/i.exec(url) ?? []
  if (scheme === undefined || schemes.includes(scheme.toLowerCase())) return
  throw new Error(
    `The URL of the database begins with ${scheme}, and the application is made for ${name} (${schemes[0]}). Correct DATABASE_URL, or change the provider of the Prisma schema and the function that opens the clients.`,
  )
}
