import { type Awaitable, isPromise } from '../model/awaitable.ts'
import { memo } from '../model/memo.ts'
import type { ModelMeta, Resources } from '../model/meta.ts'
import { joinTable } from './join-table.ts'
import type { SqlDatabase, TableName } from './sql-database.ts'

/** How many rows tables have, by orders of magnitude. */
export interface TableSizes {
  /** Waits until the database has answered for the first time, or failed. */
  first(): Awaitable<void>
  /** A power of ten, a thousand at the least: what depends on it must not tell how many hidden rows there are. */
  rows(table: TableName): number
  /** The same for a transaction, which asks nothing; left out where nothing is ever asked. */
  readonly known?: TableSizes
}

const refreshMilliseconds = 60_000
const fewest = 1000

/** Of a database that does not tell, each table has a thousand rows. */
export const unknownSizes: TableSizes = { first() {}, rows: () => fewest }

/**
 * Asks the database for all tables at once, no more than once a minute, and never for what a request reads. `onUnsized` is told why
 * it does not answer, and not again until it has.
 */
export function tableSizesOf(
  { sizes, schema }: Pick<SqlDatabase, 'sizes' | 'schema'>,
  resources: Resources,
  onUnsized: (error: unknown) => void,
): TableSizes {
  if (!sizes) return unknownSizes
  const tables = tablesOf(resources)
  const named = tables.map((table) => ({ ...table, dbSchema: table.dbSchema ?? schema }))
  let known = new Map<string, number>()
  let askedAt = Number.NEGATIVE_INFINITY
  let first: Promise<void> | null = null
  let isUnsized = false
  const keep = (counts: readonly (number | null)[]) => {
    isUnsized = false
    known = new Map(tables.map((table, i) => [nameOf(table), rounded(counts[i] ?? 0)]))
  }
  const tell = (error: unknown) => {
    if (!isUnsized) onUnsized(error)
    isUnsized = true
  }
  const refresh = () => {
    askedAt = Date.now()
    // A request needs a price, and not an exact one: the database is asked again in a minute.
    try {
      const asked = sizes(named)
      if (!isPromise(asked)) return keep(asked)
      const told = asked.then(keep, tell)
      first ??= told
    } catch (error) {
      tell(error)
    }
  }
  const refreshOld = () => {
    if (Date.now() - askedAt > refreshMilliseconds) refresh()
  }
  const rows = (table: TableName) => known.get(nameOf(table)) ?? fewest
  return {
    first() {
      refreshOld()
      if (known.size === 0 && first) return first
    },
    rows(table) {
      refreshOld()
      return rows(table)
    },
    known: { first() {}, rows },
  }
}

const rounded = (count: number): number => Math.max(fewest, 10 ** Math.floor(Math.log10(Math.max(1, count))))

const nameOf = memo(({ dbSchema, table }: TableName): string => `${dbSchema ?? ''} ${table}`)

/** The tables of models, and those of implicit many-to-many relations. */
function tablesOf({ models }: Resources): readonly TableName[] {
  const own = Object.values(models).filter(({ operations }) => operations.some((operation) => operation !== 'read'))
  const joins = own.flatMap((model) => joinsOf(model, models))
  return [
    ...new Map(
      [...own, ...joins].map(({ table, dbSchema }) => [nameOf({ table, dbSchema }), { table, dbSchema }]),
    ).values(),
  ]
}

const joinsOf = (model: ModelMeta, models: Resources['models']): readonly TableName[] =>
  Object.values(model.relations).flatMap((relation) => joinTable(model, relation, models) ?? [])
