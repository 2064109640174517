import type { Feature } from '@prismapi/core/api/feature'
import type { SqlDatabase } from '@prismapi/core/database/sql-database'
import { loggedError } from '@prismapi/core/server/logger'
import { type SearchedModel, searchedModels } from './search-migration.ts'

/** Says at the start which index of a search is missing, and how it is made. It needs no option. */
export const search: Feature = {
  serve({ servers, options: { clients, logger } }) {
    const searched = searchedModels(servers.map(({ schemas }) => schemas))
    const database = 'writer' in clients ? clients.sql : undefined
    if (searched.length > 0 && database)
      missingIndexes(database, searched).then(
        (missing) => {
          for (const { model } of missing)
            logger.error(
              { model: model.name },
              `The search of ${model.name} has no index. Run "npx prismapi search", and apply the migration that it prints.`,
            )
        },
        (err: unknown) => logger.warn({ err: loggedError(err) }, 'Whether searches have an index is not known'),
      )
    return () => null
  },
}

async function missingIndexes(database: SqlDatabase, searched: readonly SearchedModel[]): Promise<SearchedModel[]> {
  const names =
    database.provider === 'sqlite'
      ? "select name from sqlite_master where type = 'table' and sql like '%using fts5%'"
      : "select relname::text from pg_class where relkind in ('i', 'I')"
  const rows = await database.prepare(names).all([])
  const known = new Set(rows.map(([name]) => name))
  return searched.filter(({ search: { index } }) => !known.has(index))
}
