import { randomUUID } from 'node:crypto'
import { PrismaMariaDb } from '@prisma/adapter-mariadb'
import { wholeTransactions } from '@prismapi/sql/prisma/adapter-transactions'
import { type Connection, createConnection } from 'mariadb'
import { seed } from '../../../prisma/seed.ts'
import type { TestDatabases } from '../database.ts'
import { mariadbServer, shownMariadb } from '../mariadb.ts'
import { mariadbMigrations } from './mariadb-migrations.ts'
import { recordingClient } from './recording.ts'
import { isLeftOver, newRun } from './run-name.ts'

const configOf = (database: string | undefined) => ({
  ...mariadbServer,
  // A busy machine makes no connection fail.
  connectTimeout: 60_000,
  // The example's own SQL quotes names as the standard does, and the adapter takes every session to be in UTC.
  initSql: ["SET sql_mode = CONCAT(@@sql_mode, ',ANSI_QUOTES')", "SET time_zone = '+00:00'"],
  ...(database !== undefined && { database }),
})

const tables = ['User', 'Profile', 'Tag', 'Post', 'Video', 'Comment', '_PostToTag', '_TagToVideo']

/** Databases on the server of `TEST_MARIADB_URL`, each with the rows of the template, with the collation of Prisma's migrations. */
export const databases: TestDatabases = {
  async makeTemplate() {
    await dropLeftOvers()
    const name = newRun()
    await create(name)
    const client = recordingClient(new PrismaMariaDb(configOf(name)), [])
    await seed(client)
    await client.$disconnect()
    return { name, drop: () => drop(name) }
  },

  async open(template, queries) {
    const name = `${template}_${randomUUID().slice(0, 8)}`
    await create(name)
    await inMariadb(name, async (connection) => {
      await connection.query('SET foreign_key_checks = 0')
      for (const table of tables)
        await connection.query(`INSERT INTO "${table}" SELECT * FROM "${template}"."${table}"`)
    })
    const client = recordingClient(wholeTransactions(new PrismaMariaDb(configOf(name))), queries)
    const close = async () => {
      await client.$disconnect()
      await drop(name)
    }
    return { reader: client, writer: client, close }
  },

  forgetConstraints: mariadbMigrations().flatMap((statement) => {
    const [, table, constraint] = /^ALTER TABLE ("\w+") ADD CONSTRAINT ("\w+")/.exec(statement) ?? []
    return table ? [`ALTER TABLE ${table} DROP CONSTRAINT ${constraint}`] : []
  }),
}

async function inMariadb<T>(database: string | undefined, work: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = await createConnection(configOf(database)).catch((error: unknown) => {
    throw new Error(`MariaDB does not answer at ${shownMariadb}. Start it, or set TEST_MARIADB_URL.`, { cause: error })
  })
  try {
    return await work(connection)
  } finally {
    await connection.end()
  }
}

async function create(name: string): Promise<void> {
  await inMariadb(undefined, (connection) =>
    connection.query(`CREATE DATABASE "${name}" CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci`),
  )
  await inMariadb(name, async (connection) => {
    for (const statement of mariadbMigrations()) await connection.query(statement)
  })
}

async function drop(name: string): Promise<void> {
  await inMariadb(undefined, (connection) => connection.query(`DROP DATABASE IF EXISTS "${name}"`))
}

// A run that was killed could not clean up.
async function dropLeftOvers(): Promise<void> {
  const rows: { Database: string }[] = await inMariadb(undefined, (connection) => connection.query('SHOW DATABASES'))
  for (const { Database: name } of rows) if (isLeftOver(name)) await drop(name)
}
