import { guardedRole, trustedRole } from '@prismapi/core/database/session'
import { quoted, quotedTable } from '@prismapi/core/database/tables'
import type { ColumnMeta } from '@prismapi/jsonapi/model/meta'
import { isForEverybody, ruledSql, told } from './callers.ts'
import { type Making, madeNow } from './making.ts'
import { type ColumnSource, columnSql } from './row-condition.ts'
import type { JoinEnd, JoinRules } from './row-rules.ts'
import { guardedTable, policy } from './table-policies.ts'

/** The policies of a join table: both rows are seen, and one of them is the caller's to link. */
export function joinPolicies({ table, dbSchema, ends }: JoinRules, making: Making): readonly string[] {
  const home = quotedTable({ table, dbSchema })
  const { rules, everybody } = making
  const hidden = ends.filter(
    ({ model }) => !isForEverybody(rules.find((each) => each.model === model)?.select ?? [], everybody),
  )
  const seen = hidden.map((end) => exists(table, end, 'true'))
  const linked = ends.map((end) => {
    const place = placeOf(end)
    return exists(table, end, `(${ruledSql(end.parent, { ...making, place })} OR ${madeNow(place)})`)
  })
  const isSeen = seen.length === 0 ? `(SELECT ${told})` : seen.join('\n    AND ')
  // A statement that reads no row is not asked by the policy for SELECT.
  const isLinked = [...seen, linked.length === 1 ? linked[0] : `(${linked.join('\n    OR ')})`].join('\n    AND ')
  return [
    ...guardedTable(home),
    policy('trusted', home, { to: trustedRole, using: 'true', check: 'true' }),
    policy('select', home, { command: 'SELECT', to: guardedRole, using: isSeen }),
    policy('insert', home, { command: 'INSERT', to: guardedRole, check: isLinked }),
    policy('delete', home, { command: 'DELETE', to: guardedRole, using: isLinked }),
  ]
}

const placeOf = ({ model }: JoinEnd): ColumnSource => ({ model, side: 'r', isInside: false })

function exists(table: string, end: JoinEnd, condition: string): string {
  const { model, column } = end
  const key = model.columns[model.key[0] as string] as ColumnMeta
  const linked = `${columnSql(placeOf(end), key)} = ${quoted(table)}.${quoted(column)}`
  return `EXISTS (SELECT 1 FROM ${quotedTable(model)} r WHERE ${linked}${condition === 'true' ? '' : ` AND ${condition}`})`
}
