import { EngineError } from './errors.mjs'

/**
 * The database behind a URL: `factory` (the driver adapter, with what the engine needs changed on it), `check()` (throws
 * when there is no connection to be had), `create()` (gives its name), `isView(connection, identifier)` and `methods(engine)`,
 * the requests that the engine itself does not answer well on this database.
 */
export async function openDatabase({ url = '', shadowDatabaseUrl } = {}) {
  const scheme = url.split(':')[0]
  if (scheme === 'file') return (await import('./sqlite.mjs')).openSqlite(url)
  if (/^postgres(ql)?$/.test(scheme)) return (await import('./postgres.mjs')).openPostgres(url, shadowDatabaseUrl)
  throw new EngineError(
    'P1013',
    `The schema engine of this project knows SQLite (file:…) and PostgreSQL (postgresql://…), not "${scheme}:". ` +
      "Correct DATABASE_URL, or set PRISMA_SCHEMA_ENGINE_BINARY to Prisma's native engine.",
  )
}
