import { literal, quoted } from '@prismapi/core/database/tables'
import type { ColumnMeta } from '@prismapi/jsonapi/model/meta'
import type { LoggedTable } from './logged-tables.ts'

/**
 * Three triggers for each table. A key that changes is the end of one row and the beginning of another. So is one that
 * is spelt in another way, whatever a column's collation says: streams know rows by their ids.
 */
export const sqliteTriggers = (tables: readonly LoggedTable[]): readonly string[] => tables.flatMap(triggersOf)

function triggersOf(logged: LoggedTable): readonly string[] {
  const { table, key, columns, shown } = logged
  const differs = columns
    .map((column) => `OLD.${quoted(column)} IS NOT NEW.${quoted(column)} COLLATE BINARY`)
    .join(' OR ')
  const [was, is] = [keyOf(key, 'OLD'), keyOf(key, 'NEW')]
  const changed = `(${changes(shown)} WHERE "before" IS NOT "after")`
  const trigger = (event: string, body: string, when = '') =>
    [
      `DROP TRIGGER IF EXISTS ${quoted(`prismapi_${table}_${event}`)};`,
      `CREATE TRIGGER ${quoted(`prismapi_${table}_${event}`)} AFTER ${event.toUpperCase()} ON ${quoted(table)}${when}`,
      'BEGIN',
      body,
      'END;',
    ].join('\n')
  return [
    trigger('insert', entry(logged, { action: 'create', key: is, after: object(shown, 'NEW') })),
    trigger(
      'update',
      [
        entry(logged, { action: 'delete', key: was, where: `${was} <> ${is} COLLATE BINARY` }),
        entry(logged, {
          action: 'update',
          key: is,
          before: `(SELECT json_group_object("name", json("before")) FROM ${changed})`,
          after: `(SELECT json_group_object("name", json("after")) FROM ${changed})`,
        }),
      ].join('\n'),
      ` WHEN ${differs}`,
    ),
    trigger('delete', entry(logged, { action: 'delete', key: was, before: object(shown, 'OLD') })),
  ]
}

interface Entry {
  readonly action: string
  readonly key: string
  readonly before?: string
  readonly after?: string
  readonly where?: string
}

const entry = ({ name }: LoggedTable, { action, key, before = 'NULL', after = 'NULL', where }: Entry): string =>
  [
    '  INSERT INTO "Change" ("id", "at", "model", "key", "action", "before", "after")',
    `  SELECT coalesce((SELECT max("id") FROM "Change"), 0) + 1, strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now'),`,
    `    ${literal(name)}, ${key}, '${action}', ${before}, ${after}${where === undefined ? '' : ` WHERE ${where}`};`,
  ].join('\n')

/** As a text; several columns as an array of texts. */
function keyOf(key: readonly string[], row: 'OLD' | 'NEW'): string {
  const parts = key.map((column) => `CAST(${row}.${quoted(column)} AS TEXT)`)
  if (parts.length === 0) return `''`
  return parts.length === 1 ? (parts[0] as string) : `json_array(${parts.join(', ')})`
}

const object = (shown: readonly ColumnMeta[], row: 'OLD' | 'NEW'): string =>
  shown.length === 0
    ? 'NULL'
    : `(SELECT json_group_object("name", json("value")) FROM (${shown
        .map(({ name, ...column }) => `SELECT ${literal(name)} AS "name", ${json(column, row)} AS "value"`)
        .join(' UNION ALL ')}))`

/** A row for each column: its name, and how it was and is, as JSON. */
const changes = (shown: readonly ColumnMeta[]): string =>
  `SELECT * FROM (${
    shown.length === 0
      ? `SELECT NULL AS "name", NULL AS "before", NULL AS "after"`
      : shown
          .map(
            ({ name, ...column }) =>
              `SELECT ${literal(name)} AS "name", ${json(column, 'OLD')} AS "before", ${json(column, 'NEW')} AS "after"`,
          )
          .join(' UNION ALL ')
  })`

function json({ column, type }: Pick<ColumnMeta, 'column' | 'type'>, row: 'OLD' | 'NEW'): string {
  const value = `${row}.${quoted(column)}`
  if (type === 'Boolean') return `CASE ${value} WHEN 1 THEN 'true' WHEN 0 THEN 'false' ELSE 'null' END`
  if (type === 'Json') return `coalesce(json(${value}), 'null')`
  if (type === 'Bytes') return `json_quote(hex(${value}))`
  if (type === 'BigInt' || type === 'Decimal') return `json_quote(CAST(${value} AS TEXT))`
  return `json_quote(${value})`
}
