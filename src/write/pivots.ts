import { all, among, columnsOf, equalsEach, isEverything, related, relationOf } from '../condition/build.ts'
import type { Condition } from '../condition/condition.ts'
import { scopeOf } from '../condition/scopes.ts'
import { rowKey } from '../database/keys.ts'
import type { Transaction } from '../database/store.ts'
import type { Awaitable } from '../model/awaitable.ts'
import type { Row } from '../model/where.ts'
import { chunked } from '../read/chunks.ts'
import { allColumns } from '../read/columns.ts'
import { planLevel } from '../read/plan.ts'
import { pivotsOf, seenBy } from '../read/row-conditions.ts'
import type { ManyThrough, Pivot } from '../schema/relation-kinds.ts'
import { type ResourceSchema, schemaOf } from '../schema/resource-schema.ts'
import type { Subject } from './write-context.ts'
import { createRow, removeRow } from './write-row.ts'

// A many-to-many of people's own making is changed pivot by pivot, so that hooks on pivots are told of each.

interface Change {
  readonly relation: ManyThrough
  /** The row whose relation it is. */
  readonly row: Row
  readonly targets: readonly Row[]
}

/** Links the targets that are not linked yet, whether the pivot may be seen or not: there can be only one. */
export async function addPivots(
  transaction: Transaction,
  subject: Subject,
  { relation, row, targets }: Change,
): Promise<void> {
  const { pivot } = relation
  const writing = pivotSubject(subject, pivot)
  const own = keysOf(pivot.from, row)
  const { schema } = writing
  const known = await pivotsTo(transaction, schema, { pivot, own: all(...equalsEach(schema.model, own)), targets })
  const linked = new Set(known.map((each) => farKey(pivot, each)))
  for (const target of targets) {
    const columns = { ...own, ...keysOf(pivot.to, target) }
    if (linked.has(farKey(pivot, columns))) continue
    linked.add(farKey(pivot, columns))
    await createRow(transaction, writing, { columns, input: {}, select: [] })
  }
}

/** Removes the pivots to the targets, of those that may be seen. */
export async function removePivots(
  transaction: Transaction,
  subject: Subject,
  { relation, row, targets }: Change,
): Promise<void> {
  if (targets.length === 0) return
  const { pivot } = relation
  const writing = pivotSubject(subject, pivot)
  const own = pivotsOf(relation, row, seenBy(subject.ctx))
  for (const each of await pivotsTo(transaction, writing.schema, { pivot, own, targets }))
    await removeRow(transaction, writing, each)
}

/** Makes the targets the whole of what can be seen of the pivots. */
export async function replacePivots(transaction: Transaction, subject: Subject, change: Change): Promise<void> {
  const { relation, row, targets } = change
  const { pivot } = relation
  const writing = pivotSubject(subject, pivot)
  const wanted = new Set(targets.map((target) => farKey(pivot, keysOf(pivot.to, target))))
  const scope = scopeOf(subject.ctx.served.scopes, relation.model)
  const far = relationOf(writing.schema.model, pivot.to.name)
  const where = all(
    pivotsOf(relation, row, seenBy(subject.ctx)),
    isEverything(scope) ? null : related(far, 'is', scope),
  )
  for (const each of await readPivots(transaction, writing.schema, where))
    if (!wanted.has(farKey(pivot, each))) await removeRow(transaction, writing, each)
  await addPivots(transaction, subject, change)
}

const pivotSubject = ({ ctx }: Subject, pivot: Pivot) => ({ ctx, schema: schemaOf(ctx.server.schemas, pivot.model) })

interface PivotsTo {
  readonly pivot: Pivot
  /** The condition of the pivots of one row. */
  readonly own: Condition
  readonly targets: readonly Row[]
}

async function pivotsTo(
  transaction: Transaction,
  schema: ResourceSchema,
  { pivot, own, targets }: PivotsTo,
): Promise<readonly Row[]> {
  const pivots: Row[] = []
  for (const some of chunked(targets, pivot.to.columns.length))
    pivots.push(...(await readPivots(transaction, schema, all(own, targetsWhere(schema, pivot, some)))))
  return pivots
}

const readPivots = ({ reader }: Transaction, schema: ResourceSchema, where: Condition): Awaitable<readonly Row[]> =>
  reader.read(planLevel(schema, allColumns(schema), where))

const keysOf = ({ columns, references }: Pivot['to'], row: Row): Row =>
  Object.fromEntries(columns.map((column, i) => [column, row[references[i] as string]]))

const targetsWhere = ({ model }: ResourceSchema, { to }: Pivot, targets: readonly Row[]): Condition =>
  among(
    columnsOf(model, to.columns),
    targets.map((target) => to.references.map((column) => target[column])),
  )

const farKey = ({ to }: Pivot, columns: Row): string => rowKey(columns, to.columns)
