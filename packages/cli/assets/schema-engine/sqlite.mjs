import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3'
import { EngineError } from './errors.mjs'
import { nameIn } from './view-statements.mjs'

/** SQLite for the engine. A relative path starts in the working directory, which the CLI sets to the config file's. */
export function openSqlite(url) {
  const file = resolve(url.slice('file:'.length).split('?')[0])
  const factory = new SqliteFactory({ url: `file:${file}` })
  return {
    factory,
    check() {
      if (!existsSync(file)) throw new EngineError('P1003', `Database \`${basename(file)}\` does not exist`)
    },
    create() {
      mkdirSync(dirname(file), { recursive: true })
      closeSync(openSync(file, 'a'))
      return basename(file)
    },
    isView,
    methods: (engine) => sqliteMethods(factory, engine),
  }
}

class SqliteFactory extends PrismaBetterSqlite3 {
  #connection

  /**
   * The engine's connection, and ours. The engine locks the file for itself: a second connection would wait for that lock,
   * or keep the engine from it, since in WAL mode an open connection is a lock, even when it does nothing.
   */
  connect() {
    this.#connection ??= this.#open()
    return this.#connection
  }

  async connectToShadowDb() {
    return patch(await super.connectToShadowDb())
  }

  async #open() {
    const connection = patch(await super.connect())
    // The engine's lock leaves its journal behind unless the connection is closed.
    process.once('exit', () => connection.dispose())
    return connection
  }
}

function patch(connection) {
  const queryRaw = connection.queryRaw.bind(connection)
  const executeRaw = connection.executeRaw.bind(connection)
  const executeScript = connection.executeScript.bind(connection)
  const startTransaction = connection.startTransaction.bind(connection)
  return Object.assign(connection, {
    async queryRaw(query) {
      try {
        return withoutSequences(query, await unlessLocked(() => queryRaw(query)))
      } catch (error) {
        if (asksForMissingMigrations(query, error)) return noMigrations
        throw error
      }
    },
    // A migration of several statements comes as one raw command, and better-sqlite3 prepares one statement at a time.
    async executeRaw(query) {
      if (query.args.length > 0) return unlessLocked(() => executeRaw(query))
      await connection.executeScript(query.sql)
      return 0
    },
    executeScript: (script) => unlessLocked(() => executeScript(script)),
    startTransaction: (isolationLevel) => unlessLocked(() => startTransaction(isolationLevel)),
  })
}

// The adapter has a kind for it that this build of the engine cannot read.
async function unlessLocked(work) {
  try {
    return await work()
  } catch (error) {
    if (!/^SQLITE_(BUSY|LOCKED)/.test(error?.cause?.originalCode)) throw error
    throw new EngineError('P1008', 'The database is in use by another process.', { cause: error })
  }
}

// A database without tables keeps `sqlite_sequence`, which cannot be dropped. The engine would call it not empty (P3005).
function withoutSequences({ sql }, result) {
  if (!/\bFROM\s+sqlite_master\b/i.test(sql)) return result
  return { ...result, rows: result.rows.filter((row) => !row.includes('sqlite_sequence')) }
}

// The engine knows "no such table" from the native driver only: for it, there simply are no migrations yet.
const asksForMissingMigrations = ({ sql }, error) =>
  error?.cause?.kind === 'TableDoesNotExist' && /FROM\s+`_prisma_migrations`/.test(sql)

const migrationColumns = {
  id: 'TEXT PRIMARY KEY NOT NULL',
  checksum: 'TEXT NOT NULL',
  finished_at: 'DATETIME',
  migration_name: 'TEXT NOT NULL',
  logs: 'TEXT',
  rolled_back_at: 'DATETIME',
  started_at: 'DATETIME NOT NULL DEFAULT current_timestamp',
  applied_steps_count: 'INTEGER UNSIGNED NOT NULL DEFAULT 0',
}

const noMigrations = { columnNames: Object.keys(migrationColumns), columnTypes: [7, 7, 10, 7, 7, 10, 10, 0], rows: [] }

const createMigrations = `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (${Object.entries(migrationColumns)
  .map(([name, type]) => `"${name}" ${type}`)
  .join(', ')});`

const sqliteMethods = (factory, engine) => ({
  // This build's own reset deletes the rows and leaves the tables.
  reset: async (params) => dropAll(await factory.connect(), params?.filter?.externalTables ?? []),
  async diagnoseMigrationHistory(params) {
    const result = await (await engine()).call('diagnoseMigrationHistory', params)
    return { ...result, hasMigrationsTable: await hasMigrations(await factory.connect()) }
  },
  async markMigrationApplied(params) {
    const { migrationsList, migrationName } = params
    if (existsSync(join(migrationsList.baseDir, migrationName)))
      await (await factory.connect()).executeScript(createMigrations)
    return (await engine()).call('markMigrationApplied', params)
  },
})

async function isView(connection, identifier) {
  const { rows } = await connection.queryRaw(query("SELECT name FROM sqlite_schema WHERE type = 'view'"))
  return rows.some(([name]) => name.toLowerCase() === nameIn(identifier))
}

async function hasMigrations(connection) {
  const { rows } = await connection.queryRaw(query("SELECT 1 FROM sqlite_schema WHERE name = '_prisma_migrations'"))
  return rows.length > 0
}

// All or nothing, and nothing while somebody else has the file open: the migrations that follow a reset could not be applied.
const alone = ['PRAGMA foreign_keys = off;', 'PRAGMA main.locking_mode = EXCLUSIVE;', 'BEGIN EXCLUSIVE;']

async function dropAll(connection, external) {
  // Virtual tables go first: they take tables of their own with them, which cannot be dropped alone.
  const { rows } = await connection.queryRaw(
    query(`SELECT name, type FROM sqlite_schema
      WHERE type IN ('trigger', 'view', 'table') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
      ORDER BY type = 'table', sql NOT LIKE 'CREATE VIRTUAL%'`),
  )
  const drops = rows
    .filter(([name]) => !external.includes(name))
    .map(([name, type]) => `DROP ${type} IF EXISTS "${name.replaceAll('"', '""')}";`)
  await connection.executeScript([...alone, ...drops, 'COMMIT;', 'PRAGMA foreign_keys = on;'].join('\n'))
}

const query = (sql) => ({ sql, args: [], argTypes: [] })
