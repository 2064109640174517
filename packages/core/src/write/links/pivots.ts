import { all, among, columnsOf } from '@prismapi/jsonapi/condition/build'
import type { Condition } from '@prismapi/jsonapi/condition/condition'
import type { Row } from '@prismapi/jsonapi/model/where'
import type { Pivot } from '@prismapi/jsonapi/schema/relation-kinds'
import { type ResourceSchema, schemaOf } from '@prismapi/jsonapi/schema/resource-schema'
import { type Reader, rowKey } from '../../database/reader.ts'
import { chunked } from '../../read/find.ts'
import { allColumns, childrenOf, planLevel } from '../../read/plan.ts'
import type { ReadContext } from '../../read/read-context.ts'
import type { RequestTransaction } from '../../read/rows.ts'
import type { WriteContext } from '../write-context.ts'
import { createRow, removeRow } from '../write-row.ts'
import type { ChangeElsewhere } from './link-change.ts'

// A many-to-many of people's own making is changed pivot by pivot, so that hooks on pivots are told of each.

/** Removes the pivots of links that end, and creates those of links that are made. */
export async function writePivots(
  transaction: RequestTransaction,
  ctx: WriteContext,
  row: Row,
  { pivot, made, ended }: Pick<ChangeElsewhere, 'made' | 'ended'> & { readonly pivot: Pivot },
): Promise<void> {
  const writing = { ctx, schema: schemaOf(ctx.server.schemas, pivot.model) }
  for (const each of ended) await removeRow(transaction, writing, each.row)
  const own = keysOf(pivot.from, row)
  for (const target of made) {
    const columns = { ...own, ...keysOf(pivot.to, target.row) }
    await createRow(transaction, writing, { columns, input: {}, select: [] })
  }
}

interface PivotsBetween {
  readonly pivot: Pivot
  readonly row: Row
  readonly targets: readonly Row[]
}

/** The pivots between a row and some targets. */
export async function pivotsBetween(
  { server }: Pick<ReadContext, 'server'>,
  reader: Reader,
  { pivot, row, targets }: PivotsBetween,
): Promise<readonly Row[]> {
  const schema = schemaOf(server.schemas, pivot.model)
  const pivots: Row[] = []
  for (const some of chunked(targets, pivot.to.columns.length)) {
    const where = all(childrenOf(pivot.from, schema.model, row), targetsWhere(schema, pivot, some))
    pivots.push(...(await reader.read(planLevel(schema, allColumns(schema), where))))
  }
  return pivots
}

/** The columns by which a pivot leads to the row at one of its ends. */
export const keysOf = ({ columns, references }: Pivot['to'], row: Row): Row =>
  Object.fromEntries(columns.map((column, i) => [column, row[references[i] as string]]))

const targetsWhere = ({ model }: ResourceSchema, { to }: Pivot, targets: readonly Row[]): Condition =>
  among(
    columnsOf(model, to.columns),
    targets.map((target) => to.references.map((column) => target[column])),
  )

/** What tells apart the targets of pivots of one row. */
export const farKey = ({ to }: Pivot, columns: Row): string => rowKey(columns, to.columns)
