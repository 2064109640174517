import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import Sqlite from 'better-sqlite3'
import { postgresClients } from 'prismapi/postgres'
import { sqliteClients } from 'prismapi/sqlite'
import type { Clients } from 'prismapi/types'
import { PrismaClient } from '../../prisma/generated/client/client.ts'
import { inPostgres, postgresUrl, withDatabase } from '../../test/support/postgres.ts'

/** A database that has comments and nothing else: comment n is the n-th oldest, five of them to each second. */
export interface Database {
  readonly name: string
  readonly clients: Clients
  readonly url: string
  close(): Promise<void>
}

export async function inSqlite(rows: number): Promise<Database> {
  const folder = mkdtempSync(path.join(tmpdir(), 'prismapi-bench-'))
  const file = path.join(folder, 'bench.db')
  const database = new Sqlite(file)
  database.exec(`
    CREATE TABLE "Comment" (
      "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, "content" TEXT NOT NULL, "createdAt" DATETIME NOT NULL,
      "authorId" INTEGER NOT NULL, "postId" INTEGER, "videoId" TEXT
    );
    WITH RECURSIVE "numbers"("n") AS (SELECT 1 UNION ALL SELECT "n" + 1 FROM "numbers" WHERE "n" < ${rows})
      INSERT INTO "Comment" SELECT "n", 'Comment ' || "n",
        strftime('%Y-%m-%dT%H:%M:%S.000+00:00', 1700000000 + "n" / 5, 'unixepoch'), 1 + "n" % 10, 1, NULL FROM "numbers";
    CREATE INDEX "Comment_createdAt_id_idx" ON "Comment"("createdAt", "id");
    ANALYZE;`)
  database.close()
  const clients = await sqliteClients((adapter) => new PrismaClient({ adapter }), `file:${file}`)
  const close = async () => {
    await clients.close()
    rmSync(folder, { recursive: true })
  }
  return { name: 'SQLite', clients, url: `file:${file}`, close }
}

export async function inPostgresql(rows: number): Promise<Database> {
  const name = `prismapi_bench_${process.pid}`
  const url = withDatabase(postgresUrl, name)
  const Client = await postgresClient()
  const clients = await postgresClients((adapter) => new Client({ adapter }), url)
  const close = async () => {
    await clients.close()
    await inPostgres(postgresUrl, (server) => server.query(`DROP DATABASE "${name}" WITH (FORCE)`))
  }
  await inPostgres(postgresUrl, (server) => server.query(`CREATE DATABASE "${name}"`))
  try {
    await fillPostgresql(url, rows)
  } catch (error) {
    await close()
    throw error
  }
  return { name: 'PostgreSQL', clients, url, close }
}

const fillPostgresql = (url: string, rows: number) =>
  inPostgres(url, async (database) => {
    await database.query(`
      CREATE TABLE "Comment" (
        "id" SERIAL PRIMARY KEY, "content" TEXT NOT NULL, "createdAt" TIMESTAMP(3) NOT NULL,
        "authorId" INTEGER NOT NULL, "postId" INTEGER, "videoId" TEXT
      );
      INSERT INTO "Comment" SELECT n, 'Comment ' || n, to_timestamp(1700000000 + n / 5) AT TIME ZONE 'UTC', 1 + n % 10, 1, NULL
        FROM generate_series(1, ${rows}) AS n;
      CREATE INDEX "Comment_createdAt_id_idx" ON "Comment"("createdAt", "id");`)
    await database.query('VACUUM ANALYZE')
  })

const root = path.resolve(import.meta.dirname, '../..')

// A generated client is for one kind of database, and the example's is for SQLite.
export async function postgresClient(): Promise<typeof PrismaClient> {
  const folder = path.join(root, 'prisma/generated', `bench-${process.pid}`)
  const schema = readFileSync(path.join(root, 'prisma/schema.prisma'), 'utf8')
    .replace('provider = "sqlite"', 'provider = "postgresql"')
    .replace('"./generated/client"', '"./client"')
  mkdirSync(folder)
  try {
    writeFileSync(path.join(folder, 'schema.prisma'), schema)
    const prisma = path.join(root, 'node_modules/prisma/build/index.js')
    const args = ['generate', '--generator', 'client', '--schema', path.join(folder, 'schema.prisma')]
    execFileSync(process.execPath, [prisma, ...args], { cwd: root, stdio: 'pipe' })
    const { PrismaClient: Postgres } = (await import(pathToFileURL(path.join(folder, 'client/client.ts')).href)) as {
      PrismaClient: typeof PrismaClient
    }
    return Postgres
  } finally {
    rmSync(folder, { recursive: true })
  }
}
