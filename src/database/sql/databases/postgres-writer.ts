import type { SqlDatabase, SqlWriter } from '../../sql-database.ts'

/** Each statement is a transaction of its own, on whichever connection of the pool is free. */
export const postgresWriter = (client: object, database: Pick<SqlDatabase, 'prepare'>): SqlWriter => ({
  client,
  prepare(sql) {
    const statement = database.prepare(sql)
    return { run: async (values, beginning) => statement.all(values, undefined, beginning) }
  },
})
