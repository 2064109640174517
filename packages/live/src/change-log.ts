import type { RawClient } from '@prismapi/core/database/session'
import type { Clients } from '@prismapi/core/database/store'
import { quotedTable } from '@prismapi/core/database/tables'
import type { Provider } from '@prismapi/jsonapi/model/meta'

/** A change of a row: its model, or a join table, and its key. */
export interface Change {
  readonly model: string
  readonly key: string
  /** When it was written, in milliseconds. */
  readonly at: number
  /**
   * The columns that an update changed, without those that no client may see. Null: the row was created or deleted, or
   * the log names no single row.
   */
  readonly columns: readonly string[] | null
}

/** A place in the log: PostgreSQL's snapshot, or the id of the last change of SQLite. */
export type Position = string

/** The log of changes, as the database has it. */
export interface ChangeLog {
  /** Where the log ends now. */
  end(): Promise<Position>
  /**
   * The changes committed after a position, in the order of the commits where the log knows it, and the new end of the
   * log.
   */
  after(position: Position): Promise<{ readonly changes: readonly Change[]; readonly position: Position }>
  /** Removes some of what is older than that; answers with whether there may be more. */
  prune(seconds: number): Promise<boolean>
}

export function changeLog(clients: Clients, provider: Provider): ChangeLog {
  const { reader, writer } = 'writer' in clients ? clients : { reader: clients, writer: clients }
  const schema = 'sql' in clients ? (clients.sql?.schema ?? null) : null
  const table = quotedTable({ table: 'Change', dbSchema: schema })
  const parts = { reader: reader as unknown as RawClient, writer: writer as unknown as RawClient, table }
  return provider === 'sqlite' ? sqliteLog(parts) : postgresLog(parts)
}

interface Parts {
  readonly reader: RawClient
  readonly writer: RawClient
  readonly table: string
}

/** So many changes are read at once: what follows is read next. */
export const mostAtOnce = 5000
const prunedAtOnce = 1000

const sqliteLog = ({ reader, writer, table }: Parts): ChangeLog => ({
  async end() {
    const [last] = await reader.$queryRawUnsafe(`SELECT coalesce(max("id"), 0) AS "id" FROM ${table}`)
    return String(last?.id)
  },
  async after(position) {
    // Ids begin anew in a log that was emptied by hand.
    const rows = await reader.$queryRawUnsafe(
      `SELECT "id", "model", "key", "at",
          CASE "action" WHEN 'update' THEN (SELECT json_group_array("key") FROM json_each("before")) END AS "columns" FROM ${table}
        WHERE "id" > CASE WHEN (SELECT max("id") FROM ${table}) < ? THEN 0 ELSE ? END ORDER BY "id" LIMIT ${mostAtOnce}`,
      BigInt(position),
      BigInt(position),
    )
    const changes = rows.map(
      ({ model, key, at, columns }) =>
        ({ model, key, at: new Date(at as string).getTime(), columns: JSON.parse(String(columns)) }) as Change,
    )
    return { changes, position: String(rows.at(-1)?.id ?? position) }
  },
  // Ids go on from the last one, so that one stays.
  async prune(seconds) {
    const removed = await writer.$executeRawUnsafe(
      `DELETE FROM ${table} WHERE "id" IN (SELECT "id" FROM ${table} ORDER BY "id" LIMIT ${prunedAtOnce})
        AND "at" < strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now', ?) AND "id" < (SELECT max("id") FROM ${table})`,
      `-${seconds} seconds`,
    )
    return removed === prunedAtOnce
  },
})

// PostgreSQL gives ids before the commit, so a smaller id may be committed later. New changes are those that are
// visible now and were not visible to the snapshot before; so a long transaction keeps no reader waiting. If it changed
// very many rows, the log has only the models, and any of their rows may have changed. Transaction numbers from the
// future belong to another server, from which the database was restored.
const postgresLog = ({ reader, writer, table }: Parts): ChangeLog => ({
  async end() {
    const [row] = await reader.$queryRawUnsafe('SELECT pg_current_snapshot()::text AS "position"')
    return String(row?.position)
  },
  async after(position) {
    const [row] = await reader.$queryRawUnsafe(
      `WITH "new" AS (
          SELECT "id", "model", "key", extract(epoch FROM "at") * 1000 AS "at",
            CASE "action" WHEN 'update' THEN ARRAY(SELECT jsonb_object_keys("before"::jsonb)) END AS "columns" FROM ${table}
            WHERE "transaction" >= pg_snapshot_xmin($1::pg_snapshot)::text::bigint
              AND "transaction" < pg_snapshot_xmax(pg_current_snapshot())::text::bigint
              AND NOT pg_visible_in_snapshot("transaction"::text::xid8, $1::pg_snapshot)
        ), "told" AS (
          SELECT "id", "model", "key", "at", "columns" FROM "new" WHERE (SELECT count(*) FROM "new") <= ${mostAtOnce}
          UNION ALL
          SELECT min("id"), "model", '', min("at"), NULL FROM "new" WHERE (SELECT count(*) FROM "new") > ${mostAtOnce} GROUP BY "model"
        )
        SELECT pg_current_snapshot()::text AS "position", (SELECT coalesce(json_agg(json_build_object('model', "model", 'key', "key",
          'at', "at", 'columns', "columns") ORDER BY "id"), '[]') FROM "told")::text AS "changes"`,
      position,
    )
    return { changes: JSON.parse(String(row?.changes)), position: String(row?.position) }
  },
  async prune(seconds) {
    const removed = await writer.$executeRawUnsafe(
      `DELETE FROM ${table} WHERE "id" IN (SELECT "id" FROM ${table} ORDER BY "id" LIMIT ${prunedAtOnce})
        AND "at" < now() - make_interval(secs => $1)`,
      seconds,
    )
    return removed === prunedAtOnce
  },
})
