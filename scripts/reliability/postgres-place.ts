import { rmSync } from 'node:fs'
import pg from 'pg'
import { cloneProject } from '../../test/support/clone.ts'
import { inPostgres, postgresUrl, withDatabase } from '../../test/support/postgres.ts'
import type { Place } from './app.ts'

/** A database of its own on the server of `TEST_POSTGRES_URL`, and a copy of the example, whose Prisma client is for it. */
export async function inPostgresPlace<T>(work: (place: Place) => Promise<T>): Promise<T> {
  const name = `prismapi_reliability_${process.pid}`
  const folder = cloneProject()
  try {
    return await work({ folder, databaseUrl: withDatabase(postgresUrl, name) })
  } finally {
    await inPostgres(postgresUrl, (client) =>
      client.query(`DROP DATABASE IF EXISTS ${pg.escapeIdentifier(name)} WITH (FORCE)`),
    )
    rmSync(folder, { recursive: true, force: true })
  }
}
