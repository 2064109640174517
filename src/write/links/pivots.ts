import { all, among, columnsOf } from '../../condition/build.ts'
import type { Condition } from '../../condition/condition.ts'
import { rowKey } from '../../database/keys.ts'
import type { Transaction } from '../../database/store.ts'
import type { Row } from '../../model/where.ts'
import { chunked } from '../../read/chunks.ts'
import { allColumns } from '../../read/columns.ts'
import { planLevel } from '../../read/plan.ts'
import type { ReadContext } from '../../read/read-context.ts'
import { pivotsOf, seenBy } from '../../read/row-conditions.ts'
import type { ManyThrough, Pivot } from '../../schema/relation-kinds.ts'
import { type ResourceSchema, schemaOf } from '../../schema/resource-schema.ts'
import type { WriteContext } from '../write-context.ts'
import { createRow, removeRow } from '../write-row.ts'
import type { LinkChange } from './link-change.ts'

// A many-to-many of people's own making is changed pivot by pivot, so that hooks on pivots are told of each.

/** Removes the pivots of links that end, and creates those of links that are made. */
export async function writePivots(
  transaction: Transaction,
  ctx: WriteContext,
  row: Row,
  { pivot, made, ended }: Pick<LinkChange, 'made' | 'ended'> & { readonly pivot: Pivot },
): Promise<void> {
  const writing = { ctx, schema: schemaOf(ctx.server.schemas, pivot.model) }
  for (const each of ended) await removeRow(transaction, writing, each.row)
  const own = keysOf(pivot.from, row)
  for (const target of made) {
    const columns = { ...own, ...keysOf(pivot.to, target.row) }
    await createRow(transaction, writing, { columns, input: {}, select: [] })
  }
}

/** The condition of the pivots of a row, of those that may be seen. */
export const visiblePivots = (ctx: ReadContext, relation: ManyThrough, row: Row): Condition =>
  pivotsOf(relation, row, seenBy(ctx))

interface PivotsBetween {
  readonly pivot: Pivot
  /** The condition of the pivots of one row. */
  readonly own: Condition
  readonly targets: readonly Row[]
}

export async function pivotsBetween(
  { server, store }: Pick<ReadContext, 'server' | 'store'>,
  { pivot, own, targets }: PivotsBetween,
): Promise<readonly Row[]> {
  const schema = schemaOf(server.schemas, pivot.model)
  const pivots: Row[] = []
  for (const some of chunked(targets, pivot.to.columns.length)) {
    const where = all(own, targetsWhere(schema, pivot, some))
    pivots.push(...(await store.reader.read(planLevel(schema, allColumns(schema), where))))
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
