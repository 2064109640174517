import type { Identifier } from '@prismapi/jsonapi/document/types'
import { inTurns } from '@prismapi/jsonapi/model/awaitable'
import type { Row } from '@prismapi/jsonapi/model/where'
import { keysToAskAgain } from '../database/keys.ts'
import { chunked, inParts, readNamedRows } from './find.ts'
import { allColumns } from './plan.ts'
import type { ReadContext } from './read-context.ts'

/**
 * The rows that a document's identifiers name and that the caller sees. They are loaded when they are first asked for,
 * once per request, by one query for five hundred rows of a type. A policy's lazy relation, validation and the write
 * share them.
 */
export interface RelatedRows {
  /** In the order of the identifiers; null for one that does not exist, is hidden, or has a type that is not served. */
  find(identifiers: readonly Identifier[]): Promise<readonly (Row | null)[]>
  /** The same for rows that a write links. A scope may hide them before the write, so the write judges them again. */
  findNamed(identifiers: readonly Identifier[]): Promise<readonly (Row | null)[]>
  /** Leaves it to a foreign key of the database whether there is such a row. */
  leave(identifier: Identifier, key: Row): void
  /** What a row of this side is pointed at: the row, or its key where that is left to a foreign key. */
  target(identifier: Identifier): Promise<Row | null>
}

export function relatedRows(ctx: ReadContext): RelatedRows {
  const known = new Map<string, RowsOfType>()
  const left = new Map<string, Row>()
  const keyOf = ({ type, id }: Identifier): string => `${type}:${id}`
  const { schemas } = ctx.server
  const isScoped = ({ type }: Identifier) => ctx.rows.hides('related', schemas.byType.get(type)?.model.name ?? '')
  const ofType = (type: string): RowsOfType => {
    const rows = known.get(type) ?? { asked: new Set(), found: new Map(), loading: null }
    known.set(type, rows)
    return rows
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
      const found: (Row | null)[] = []
      for await (const some of inTurns(inParts(identifiers, identifiersAtOnce)))
        for (const row of await findSome(some)) found.push(row)
      return found
    },
  }
  const findSome = async (identifiers: readonly Identifier[]): Promise<readonly (Row | null)[]> => {
    const fresh = new Map<string, string[]>()
    for (const { type, id } of identifiers) {
      const ids = fresh.get(type) ?? []
      if (ids.length === 0) fresh.set(type, ids)
      const { asked } = ofType(type)
      if (asked.has(id)) continue
      asked.add(id)
      ids.push(id)
    }
    for (const [type, ids] of fresh) {
      const of = ofType(type)
      if (ids.length > 0) of.loading = Promise.all([of.loading, load(ctx, type, { ids, found: of.found })])
    }
    await Promise.all([...fresh.keys()].map((type) => ofType(type).loading))
    return identifiers.map(({ type, id }) => known.get(type)?.found.get(id) ?? null)
  }
  return rows
}

/** To look so many up among those that are known takes a few milliseconds. */
const identifiersAtOnce = 5000

/** What is known of the rows of a type, by the ids that documents have: there is no promise for each of them. */
interface RowsOfType {
  readonly asked: Set<string>
  readonly found: Map<string, Row>
  /** Callers wait for the queries of all, and see their failures. */
  loading: Promise<unknown> | null
}

interface Loading {
  readonly ids: readonly string[]
  readonly found: Map<string, Row>
}

async function load(ctx: ReadContext, type: string, { ids, found }: Loading): Promise<void> {
  const schema = ctx.server.schemas.byType.get(type)
  if (!schema) return
  const columns = allColumns(schema)
  for await (const some of inTurns(chunked(ids, schema.id.columns.length))) {
    const keys = some.map((id) => schema.id.parse(id)).filter((key) => key !== null)
    if (keys.length === 0) continue
    const rows = new Map<string, Row>()
    for (const row of await readNamedRows(ctx.rows.reading('related'), schema, { keys, columns }))
      rows.set(schema.id.format(row), row)
    for (const id of keysToAskAgain(keys.map(schema.id.format), rows)) {
      const key = schema.id.parse(id) as Row
      const [row] = await readNamedRows(ctx.rows.reading('related'), schema, { keys: [key], columns })
      if (row) rows.set(id, row)
    }
    for (const [id, row] of rows) found.set(id, row)
  }
}
