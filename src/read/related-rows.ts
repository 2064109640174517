import { scopeOf } from '../condition/scopes.ts'
import type { Identifier } from '../document/types.ts'
import type { Row } from '../model/where.ts'
import { readNamedRows } from './chunks.ts'
import { allColumns } from './columns.ts'
import type { ReadContext } from './read-context.ts'

/**
 * The rows that a document's identifiers name, seen through the scopes: loaded when they are first asked for, once per
 * request, one query for each type and five hundred of its rows. What a policy read through its lazy relation, validation and the write find here.
 */
export interface RelatedRows {
  /** In the order of the identifiers; null for one that does not exist, is hidden, or is of a type that is not served. */
  find(identifiers: readonly Identifier[]): Promise<readonly (Row | null)[]>
  /** The same for what a write will be related to: what a scope shows now it may hide before the write, which is judged again then. */
  findNamed(identifiers: readonly Identifier[]): Promise<readonly (Row | null)[]>
  /** Leaves it to a foreign key of the database whether there is such a row. */
  leave(identifier: Identifier, key: Row): void
  /** What a row of this side is pointed at: the row, or its key where that is left to a foreign key. */
  target(identifier: Identifier): Promise<Row | null>
}

export function relatedRows(ctx: ReadContext): RelatedRows {
  // By type and id; a caller that asks for one of them waits for the query of all, and sees its failure.
  const known = new Map<string, Map<string, Promise<Loaded>>>()
  const left = new Map<string, Row>()
  const keyOf = ({ type, id }: Identifier): string => `${type}:${id}`
  const { schemas } = ctx.server
  const isScoped = ({ type }: Identifier) => ctx.served.scopes.has(schemas.byType.get(type)?.model.name ?? '')
  const loadings = (identifiers: readonly Identifier[]): readonly Promise<Loaded>[] => {
    const fresh = new Map<string, Set<string>>()
    for (const { type, id } of identifiers) {
      if (known.get(type)?.has(id)) continue
      const ids = fresh.get(type) ?? new Set()
      fresh.set(type, ids.add(id))
    }
    for (const [type, ids] of fresh) {
      const loading = load(ctx, type, [...ids])
      const ofType = known.get(type) ?? new Map<string, Promise<Loaded>>()
      known.set(type, ofType)
      for (const id of ids) ofType.set(id, loading)
    }
    return identifiers.map(({ type, id }) => known.get(type)?.get(id) as Promise<Loaded>)
  }
  const rows: RelatedRows = {
    leave: (identifier, key) => void left.set(keyOf(identifier), key),
    async target(identifier) {
      return left.get(keyOf(identifier)) ?? (await rows.find([identifier]))[0] ?? null
    },
    findNamed(identifiers) {
      if (identifiers.some(isScoped)) ctx.preparation.hasReadOthers = true
      return rows.find(identifiers)
    },
    async find(identifiers) {
      const waited = loadings(identifiers)
      const distinct = [...new Set(waited)]
      const loaded = await Promise.all(distinct)
      const found = new Map(distinct.map((loading, i) => [loading, loaded[i]]))
      return identifiers.map(({ id }, i) => found.get(waited[i] as Promise<Loaded>)?.get(id) ?? null)
    },
  }
  return rows
}

/** Rows by the ids that documents have. */
type Loaded = ReadonlyMap<string, Row>

async function load(ctx: ReadContext, type: string, ids: readonly string[]): Promise<Loaded> {
  const schema = ctx.server.schemas.byType.get(type)
  const keys = schema ? ids.map((id) => schema.id.parse(id)).filter((key) => key !== null) : []
  if (!schema || keys.length === 0) return new Map()
  const where = scopeOf(ctx.served.scopes, schema.model.name)
  const rows = await readNamedRows(ctx.store.reader, schema, { keys, columns: allColumns(schema), where })
  return new Map(rows.map((row) => [schema.id.format(row), row]))
}
