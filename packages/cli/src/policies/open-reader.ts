import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Reader } from '@prismapi/core/database/reader'
import type { Resources } from '@prismapi/jsonapi/model/meta'
import { sqlReader } from '@prismapi/sql/sql-reader'
import { UsageError } from '../command.ts'
import { readDatabaseUrl } from '../prisma-schema.ts'

/** The application's own database, read only by counting and selecting. */
export async function openReader(root: string, resources: Resources) {
  const url = await readDatabaseUrl(root)
  if (url === null) throw new UsageError('Set DATABASE_URL: it is asked of the database as it is.')
  const { database, close } = await openDatabase(root, url, resources)
  const prisma: Reader = {
    read(): never {
      throw new UsageError('A part of the condition is known to Prisma alone.')
    },
  }
  return { reader: sqlReader({ database, resources, prisma, onUnknown() {} }), close }
}

async function openDatabase(root: string, url: string, { provider }: Resources) {
  if (provider === 'sqlite') {
    const file = resolve(root, url.replace(/^file:/, ''))
    if (!existsSync(file))
      throw new UsageError(`${url}: this database does not exist. Run "npx prisma migrate deploy".`)
    const { sqliteDatabase } = await import('@prismapi/sql/databases/sqlite-database')
    const database = opened(url, () => sqliteDatabase(file, {}))
    return { database, close: async () => database.close() }
  }
  if (provider !== 'postgresql')
    throw new UsageError(`who is known for SQLite and PostgreSQL, and not for ${provider}.`)
  const { default: pg } = await import('pg')
  const { postgresDatabase } = await import('@prismapi/sql/databases/postgres-database')
  const pool = new pg.Pool({ connectionString: url, max: 2 })
  const schema = new URL(url).searchParams.get('schema') ?? 'public'
  return { database: postgresDatabase({ pool, schema, onQuery: undefined }), close: () => pool.end() }
}

function opened<T>(url: string, open: () => T): T {
  try {
    return open()
  } catch (error) {
    throw new UsageError(`${url} cannot be opened: ${(error as Error).message}`, { cause: error })
  }
}
