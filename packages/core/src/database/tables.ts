import { type Awaitable, isPromise } from '@prismapi/jsonapi/model/awaitable'
import { memo } from '@prismapi/jsonapi/model/memo'
import type { ModelMeta, RelationMeta, Resources } from '@prismapi/jsonapi/model/meta'
import type { MeasuredTable, SqlDatabase, TableName, TableSize } from './sql-database.ts'

// Statements that are no plans are texts: SQLite and PostgreSQL take names and texts between the same quotes.

/** The name of a table, a column or a trigger. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** A table, in its schema where it has one. */
export const quotedTable = ({ table, dbSchema }: TableName): string =>
  dbSchema === null ? quoted(table) : `${quoted(dbSchema)}.${quoted(table)}`

/** A text. */
export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** The table of an implicit many-to-many: Prisma puts it beside that of the model whose name comes first. */
export function joinTable(
  model: ModelMeta,
  { join, model: target }: RelationMeta,
  models: Resources['models'],
): TableName | null {
  if (!join) return null
  const first = join.own === 'A' ? model : models[target]
  return { table: join.table, dbSchema: first?.dbSchema ?? null }
}

/** How many rows tables have, by orders of magnitude. */
export interface TableSizes {
  /** Waits until the database has answered for the first time, or failed. */
  first(): Awaitable<void>
  /** A power of ten, a thousand at the least: what depends on it must not tell how many hidden rows there are. */
  rows(table: TableName): number
  /** The rows with the most frequent value of an indexed column: the next power of ten; 0 where they are few. */
  most(table: TableName, column: string): number
  /** The bytes of a text in the mean: a power of ten, a thousand at the least. */
  octets(table: TableName, column: string): number
  /** Another object where another size is told than before. */
  state(): object
  /** The same for a transaction, which asks nothing; left out where nothing is ever asked. */
  readonly known?: TableSizes
}

const refreshMilliseconds = 60_000
const fewest = 1000

/** Of a database that does not tell, each table has a thousand rows. */
export const unknownSizes: TableSizes = {
  first() {},
  rows: () => fewest,
  most: () => 0,
  octets: () => fewest,
  state: () => unknownSizes,
}

/**
 * Asks the database for all tables at once, no more than once a minute, and never for what a request reads. `onUnsized`
 * is told why it does not answer, and not again until it has.
 */
export function tableSizesOf(
  { sizes, schema }: Pick<SqlDatabase, 'sizes' | 'schema'>,
  resources: Resources,
  onUnsized: (error: unknown) => void,
): TableSizes {
  if (!sizes) return unknownSizes
  const tables = listTables(resources)
  const named = tables.map((table) => ({ ...table, dbSchema: table.dbSchema ?? schema }))
  let known = new Map<string, KnownSize>()
  let askedAt = Number.NEGATIVE_INFINITY
  let first: Promise<void> | null = null
  let isUnsized = false
  const keep = (told: readonly (TableSize | null)[]) => {
    isUnsized = false
    known = new Map(tables.map((table, i) => [nameOf(table), knownSize(table, told[i] ?? null)]))
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
  const inMind: TableSizes = {
    first() {},
    rows: (table) => known.get(nameOf(table))?.rows ?? fewest,
    most: (table, column) => known.get(nameOf(table))?.most.get(column) ?? 0,
    octets: (table, column) => known.get(nameOf(table))?.octets.get(column) ?? fewest,
    state: () => known,
  }
  return {
    ...inMind,
    first() {
      refreshOld()
      if (known.size === 0 && first) return first
    },
    rows(table) {
      refreshOld()
      return inMind.rows(table)
    },
    known: inMind,
  }
}

interface KnownSize {
  readonly rows: number
  readonly most: ReadonlyMap<string, number>
  readonly octets: ReadonlyMap<string, number>
}

function knownSize({ keys, texts }: MeasuredTable, size: TableSize | null): KnownSize {
  const rows = roundDown(size?.rows ?? 0)
  const mostOf = (count: number): number => (count < fewest ? 0 : Math.min(rows, 10 * roundDown(count - 1)))
  return {
    rows,
    most: new Map(keys.map((key, i) => [key, mostOf(size?.most[i] ?? 0)])),
    octets: new Map(texts.map((text, i) => [text, roundDown(size?.octets[i] ?? 0)])),
  }
}

const roundDown = (count: number): number => Math.max(fewest, 10 ** Math.floor(Math.log10(Math.max(1, count))))

const nameOf = memo(({ dbSchema, table }: TableName): string => `${dbSchema ?? ''} ${table}`)

/** The tables of models, and those of implicit many-to-many relations. */
function listTables({ models }: Resources): readonly MeasuredTable[] {
  const own = Object.values(models).filter(({ operations }) => operations.some((operation) => operation !== 'read'))
  const joins = own.flatMap((model) => joinsOf(model, models))
  const measured = [...own.map(toMeasured), ...joins.map((table) => ({ ...table, keys: ['A', 'B'], texts: [] }))]
  return [...new Map(measured.map((table) => [nameOf(table), table])).values()]
}

function toMeasured({ table, dbSchema, columns, indexes, uniques }: ModelMeta): MeasuredTable {
  const isUnique = (name: string) => uniques.some((unique) => unique.length === 1 && unique[0] === name)
  const named = Object.values(columns)
  return {
    table,
    dbSchema,
    keys: named
      .filter(({ name }) => indexes.some(([first]) => first === name) && !isUnique(name))
      .map(({ column }) => column),
    texts: named
      .filter(({ type, isList }) => (type === 'String' || type === 'Json') && !isList)
      .map(({ column }) => column),
  }
}

const joinsOf = (model: ModelMeta, models: Resources['models']): readonly TableName[] =>
  Object.values(model.relations).flatMap((relation) => joinTable(model, relation, models) ?? [])
