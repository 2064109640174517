import type { Feature } from '@prismapi/core/api/feature'
import type { SqlDatabase } from '@prismapi/core/database/sql-database'
import { wrapStore } from '@prismapi/core/database/wrap'
import { type Logger, loggedError } from '@prismapi/core/server/logger'
import type { Condition } from '@prismapi/jsonapi/condition/condition'
import { indexNames, type SearchedModel, searchedModels } from './search-migration.ts'

/**
 * Looks for the indexes of searches: at the start, and while somebody searches once a minute, or once a second if one
 * is missing. A search without one would read all rows: it fails, and the log says how the index is made. It needs no
 * option.
 */
export const search: Feature = {
  serve({ servers, options: { clients, logger } }) {
    const searched = searchedModels(servers.map(({ schemas }) => schemas))
    const database = 'writer' in clients ? clients.sql : undefined
    if (searched.length === 0 || !database) return () => null
    const indexes = new Indexes(database, searched, logger)
    return () => ({
      refusesReads: true,
      store(store, { at }) {
        if (indexes.areMissing || at.search.includes('search')) indexes.look()
        if (!indexes.areMissing) return store
        return wrapStore(store, {
          read(plan, read) {
            if ('where' in plan) indexes.check(plan.where)
            return read()
          },
        })
      },
    })
  },
}

const keptMilliseconds = 60_000
/** Somebody waits for the migration. */
const whileMissing = 1000

/** Which indexes of searches are missing, as far as that is known. */
class Indexes {
  private missing: ReadonlyMap<string, SearchedModel> = new Map()
  private lookedAt = 0
  private readonly database: SqlDatabase
  private readonly searched: readonly SearchedModel[]
  private readonly logger: Logger

  constructor(database: SqlDatabase, searched: readonly SearchedModel[], logger: Logger) {
    this.database = database
    this.searched = searched
    this.logger = logger
    this.look()
  }

  get areMissing(): boolean {
    return this.missing.size > 0
  }

  look(): void {
    const now = Date.now()
    if (now < this.lookedAt + (this.areMissing ? whileMissing : keptMilliseconds)) return
    this.lookedAt = now
    missingIndexes(this.database, this.searched).then(
      (missing) => this.know(missing),
      (err: unknown) => this.logger.warn({ err: loggedError(err) }, 'Whether searches have an index is not known'),
    )
  }

  /** @throws {Error} where the condition is a search without its index. */
  check(condition: Condition): void {
    const lacking = indexesOf(condition).find((index) => this.missing.has(index))
    if (lacking !== undefined) throw new Error(cureOf(this.missing.get(lacking) as SearchedModel))
  }

  private know(missing: readonly SearchedModel[]): void {
    for (const each of missing)
      if (!this.missing.has(each.search.index)) this.logger.error({ model: each.model.name }, cureOf(each))
    this.missing = new Map(missing.map((each) => [each.search.index, each]))
  }
}

const cureOf = ({ model }: SearchedModel): string =>
  `The search of ${model.name} has no index. Run "npx prismapi search", and apply the migration that it prints.`

/** The indexes by which a condition is looked up. */
function indexesOf(condition: Condition): readonly string[] {
  switch (condition.kind) {
    case 'all':
    case 'any':
      return condition.conditions.flatMap(indexesOf)
    case 'not':
    case 'related':
      return indexesOf(condition.condition)
    case 'compare':
      return condition.words ? [condition.words.index] : []
    default:
      return []
  }
}

async function missingIndexes(database: SqlDatabase, searched: readonly SearchedModel[]): Promise<SearchedModel[]> {
  const names =
    database.provider === 'sqlite'
      ? "select name from sqlite_master where type = 'table' and sql like '%using fts5%'"
      : "select relname::text from pg_class where relkind in ('i', 'I')"
  const rows = await database.prepare(names).all([])
  const known = new Set(rows.map(([name]) => name))
  return searched.filter(({ search }) => indexNames(search, database.provider).some((name) => !known.has(name)))
}
