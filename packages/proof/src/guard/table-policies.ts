import { guardedRole, trustedRole } from '@prismapi/core/database/session'
import { quoted, quotedTable } from '@prismapi/core/database/tables'
import type { ModelMeta } from '@prismapi/jsonapi/model/meta'
import { always } from '../formula.ts'
import { eitherRuled, isForEverybody, ruledAs, ruledSql, told } from './callers.ts'
import { guardTrigger } from './guard-trigger.ts'
import { type Making, parentHolds, rowKey } from './making.ts'
import type { ColumnSource } from './row-condition.ts'
import type { RowRules, Ruled } from './row-rules.ts'

/** The policies of one table: for each command one, and one for who is trusted. */
export function tablePolicies(rules: RowRules, making: Making): readonly string[] {
  const { model, keys } = rules
  const table = quotedTable(model)
  const place: ColumnSource = { model, side: quoted(model.table), isInside: false }
  const sql = (ruled: readonly Ruled[]) => ruledSql(ruled, { ...making, place })
  const makes = [...keys].filter(([, key]) => key.makes).map(([via, { parent }]) => parentHolds(via, parent))
  const removes = [...keys].map(([via, key]) => parentHolds(via, key.removes))
  const others = [...keys.values()].map(({ parent }) => ruledAs(parent, () => always))
  const isSeenByAll = isForEverybody(rules.select, making.everybody)
  const seen = isSeenByAll ? sql(rules.select) : `${sql(rules.select)}\n    OR ${written(place)}`
  /**
   * The rows of its own rules, or else the rows that the caller sees: the database does not ask the SELECT policy for a
   * statement that reads none.
   */
  const orOfSeen = (own: readonly Ruled[], ofSeen: readonly Ruled[]) =>
    ofSeen.length === 0 ? sql(own) : `${sql(own)}\n    OR (${sql(ofSeen)} AND (${seen}))`
  return [
    ...guardedTable(table),
    policy('trusted', table, { to: trustedRole, using: 'true', check: 'true' }),
    policy('select', table, {
      command: 'SELECT',
      to: guardedRole,
      using: seen,
    }),
    policy('insert', table, {
      command: 'INSERT',
      to: guardedRole,
      check: sql(eitherRuled(rules.insert, ...makes)),
    }),
    policy('update', table, {
      command: 'UPDATE',
      to: guardedRole,
      using: orOfSeen(rules.update, eitherRuled(...others)),
      // What a row becomes is the framework's to say; a trigger looks at keys that others write.
      check: 'true',
    }),
    policy('delete', table, {
      command: 'DELETE',
      to: guardedRole,
      using: orOfSeen(rules.delete, eitherRuled(...removes)),
    }),
    ...guardTrigger(rules, making),
  ]
}

/** A table that no server serves: hooks and conditions look there, for any caller, and nobody does who names none. */
export function unservedPolicies(model: ModelMeta): readonly string[] {
  const table = quotedTable(model)
  const anyCaller = `(SELECT ${told})`
  return [
    ...guardedTable(table),
    policy('trusted', table, { to: trustedRole, using: 'true', check: 'true' }),
    policy('told', table, { to: guardedRole, using: anyCaller, check: anyCaller }),
  ]
}

export const guardedTable = (table: string): readonly string[] => [
  `ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;`,
]

interface Policy {
  readonly command?: string
  readonly to: string
  readonly using?: string
  readonly check?: string
}

export function policy(name: string, table: string, { command, to, using, check }: Policy): string {
  const lines = [
    `CREATE POLICY prismapi_${name} ON ${table}${command ? ` FOR ${command}` : ''} TO ${to}`,
    ...(using === undefined ? [] : [`  USING (${using})`]),
    ...(check === undefined ? [] : [`  WITH CHECK (${check})`]),
  ]
  return `${lines.join('\n')};`
}

/** A transaction sees what it has written: the answer to a write shows it. */
const written = (place: ColumnSource): string =>
  `((SELECT coalesce(current_setting('prismapi.written', true), '') <> '') AND prismapi_listed('written', ${rowKey(place)}))`
