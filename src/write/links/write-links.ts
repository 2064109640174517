import { rowKey } from '../../database/keys.ts'
import { deleteRows, updateRows } from '../../database/prisma/write-rows.ts'
import type { Transaction } from '../../database/store.ts'
import { conflict, relatedNotFound } from '../../document/errors.ts'
import { say } from '../../document/text.ts'
import type { Identifier } from '../../document/types.ts'
import type { Row } from '../../model/where.ts'
import { chunked } from '../../read/chunks.ts'
import { idsWhere } from '../../read/row-conditions.ts'
import { withParts } from '../../request/with-parts.ts'
import { type HasMany, type HasOne, inverseOf } from '../../schema/relation-kinds.ts'
import { type ResourceSchema, schemaOf } from '../../schema/resource-schema.ts'
import { fill, fillHooksOf, hasHooks, hasHooksBefore, writeEvent } from '../hooks.ts'
import { findClash } from '../input/shared-columns.ts'
import { preparedColumns } from '../preparing.ts'
import { nextVersions } from '../version.ts'
import type { Subject, WriteContext } from '../write-context.ts'
import { removeRow, runHooksAfter } from '../write-row.ts'
import type { ChangedRow, LinkChange } from './link-change.ts'
import { writePivots } from './pivots.ts'

/** Makes and ends links that are kept in other rows, as it was planned, and permitted, in the same transaction. */
export async function writeLinks(
  transaction: Transaction,
  subject: Subject,
  row: Row,
  changes: readonly LinkChange[],
): Promise<void> {
  const children = new Map<string, ChildUpdate>()
  const ofChildren = changes.filter(isOfChildren)
  // A unique foreign key is free before another row gets it.
  for (const change of ofChildren) await endLinks(transaction, subject, change, children)
  for (const change of ofChildren) await makeLinks(subject, row, change, children)
  await updateChildren(transaction, subject.ctx, [...children.values()])
  for (const { relation, made, ended } of changes)
    if (relation.kind === 'manyThrough')
      await writePivots(transaction, subject.ctx, row, { pivot: relation.pivot, made, ended })
}

type ChildrenChange = LinkChange & { readonly relation: HasOne | HasMany }

const isOfChildren = (change: LinkChange): change is ChildrenChange => change.relation.kind !== 'manyThrough'

/** A row of the other type that changes: once, by however many relations it is linked. */
interface ChildUpdate {
  readonly schema: ResourceSchema
  /** As it stands before. */
  readonly row: Row
  readonly columns: Row
  /** The relations of that type which change, by the names that documents have, and what they lead to then. */
  readonly relations: ReadonlyMap<string, readonly Identifier[]>
}

/** Takes rows out of the relation whose foreign key they hold. */
async function endLinks(
  transaction: Transaction,
  { ctx }: Subject,
  { relation, ended }: ChildrenChange,
  children: Map<string, ChildUpdate>,
): Promise<void> {
  if (ended.length === 0) return
  const schema = schemaOf(ctx.server.schemas, relation.model)
  if (relation.isDetachable) {
    const columns = Object.fromEntries(relation.clears.map((column) => [column, null]))
    for (const { row } of ended) note(children, { schema, row, columns, relations: leadingTo(relation, schema, []) })
  } else if (relation.kind === 'hasMany' && relation.deleteOnDetach) {
    await removeChildren(transaction, ctx, schema, ended)
  } else {
    throw conflict(
      say`The ${schema.type} of the ${relation.name} relation cannot be without it, so they cannot be detached.`,
      '/data',
    )
  }
}

/** Points rows at the one whose relation it is. */
function makeLinks(
  { ctx, schema: own }: Subject,
  at: Row,
  { relation, made }: ChildrenChange,
  children: Map<string, ChildUpdate>,
): void {
  if (made.length === 0) return
  const schema = schemaOf(ctx.server.schemas, relation.model)
  const key = foreignKey(relation, at)
  checkMovable(schema, relation, made, key)
  const columns = { ...otherBranches(relation, schema), ...key }
  const relations = leadingTo(relation, schema, [{ type: own.type, id: own.id.format(at) }])
  for (const { row } of made) note(children, { schema, row, columns, relations })
}

function note(children: Map<string, ChildUpdate>, update: ChildUpdate): void {
  const { schema, row } = update
  const key = `${schema.type} ${rowKey(row, schema.id.columns)}`
  const known = children.get(key)
  children.set(key, {
    ...update,
    // The same object for all that change alike: they are written at once.
    columns: known ? { ...known.columns, ...update.columns } : update.columns,
    relations: new Map([...(known?.relations ?? []), ...update.relations]),
  })
}

function leadingTo(
  relation: HasOne | HasMany,
  schema: ResourceSchema,
  identifiers: readonly Identifier[],
): ChildUpdate['relations'] {
  const inverse = inverseOf(relation, schema)
  return new Map(inverse ? [[inverse.name, identifiers]] : [])
}

// A polymorphic relation of the target leads to one row: what points here from now on points nowhere else.
function otherBranches(relation: HasOne | HasMany, schema: ResourceSchema): Row {
  const inverse = inverseOf(relation, schema)
  if (inverse?.kind !== 'morphTo' || inverse.form.kind !== 'keys') return {}
  return Object.fromEntries(inverse.form.branches.flatMap(({ columns }) => columns).map((column) => [column, null]))
}

function foreignKey(relation: HasOne | HasMany, row: Row): Row {
  const values = relation.references.map((column) => row[column])
  if (values.some((value) => value == null))
    throw conflict(say`The resource lacks the value by which its ${relation.name} are related to it.`, '/data')
  return Object.fromEntries(relation.columns.map((column, i) => [column, values[i]]))
}

// The row may be tied to where it is, by its id or by another relation.
function checkMovable(
  schema: ResourceSchema,
  relation: HasOne | HasMany,
  targets: readonly ChangedRow[],
  columns: Row,
): void {
  const settings = new Map([[relation.inverse, columns]])
  if (targets.some(({ row }) => findClash(schema, row, settings)))
    throw conflict(
      say`The ${schema.type} of the ${relation.name} relation cannot be moved: their ids, or other relations, tie them.`,
      '/data',
    )
}

/** Removes rows as a DELETE of each would: softly where their schema says so, and with their hooks. */
async function removeChildren(
  transaction: Transaction,
  ctx: WriteContext,
  schema: ResourceSchema,
  removed: readonly ChangedRow[],
): Promise<void> {
  const rows = removed.map(({ row }) => row)
  if (schema.deletedAt !== null || hasHooks(ctx, schema.model.name, ['deleting', 'deleted']))
    for (const row of rows) await removeRow(transaction, { ctx, schema }, row)
  else
    for (const some of chunked(rows, schema.id.columns.length))
      await deleteRows(transaction.client, schema.model, idsWhere(schema, some))
}

/** Each is a row that is updated, with its hooks and its version. Those that no hook looks at are written at once. */
async function updateChildren(
  transaction: Transaction,
  ctx: WriteContext,
  updates: readonly ChildUpdate[],
): Promise<void> {
  const isHooked = ({ schema: { model } }: ChildUpdate) =>
    hasHooksBefore(ctx, model.name, 'update') || hasHooks(ctx, model.name, ['updated', 'saved'])
  const plain = updates.filter((each) => !isHooked(each))
  for (const columns of new Set(plain.map((each) => each.columns))) {
    const alike = plain.filter((each) => each.columns === columns)
    const [first] = alike
    if (first) await setColumns(transaction, first.schema, { rows: alike.map(({ row }) => row), columns })
  }
  const hooked = updates.filter(isHooked)
  const prepared = await preparedColumns(hooked.map((each) => toPrepare(ctx, each)))
  for (const [i, each] of hooked.entries())
    await updateChild(transaction, ctx, { ...each, columns: { ...each.columns, ...prepared[i] } })
}

const toPrepare = (ctx: WriteContext, { schema, row, columns }: ChildUpdate) => ({
  ctx: withParts(ctx, { preparation: ctx.preparation.ofLinked(schema.type, schema.id.format(row)) }),
  model: schema.model.name,
  shown: { row, data: columns, input: nothingSent },
})

/** The document is one of another type. */
const nothingSent: Row = Object.freeze({})

async function updateChild(
  transaction: Transaction,
  ctx: WriteContext,
  { schema, row, columns, relations }: ChildUpdate,
): Promise<void> {
  const model = schema.model.name
  const [only, ...others] = relations
  const about = only && others.length === 0 ? { relation: only[0], identifiers: only[1] } : {}
  const event = writeEvent(ctx, transaction, { action: 'update', row, input: nothingSent, ...about })
  const data = await fill(ctx, model, fillHooksOf.update, { data: columns, event })
  await setColumns(transaction, schema, { rows: [row], columns: data })
  await runHooksAfter(transaction, { ctx, schema }, ['updated', 'saved'], { row, event })
}

async function setColumns(
  transaction: Transaction,
  schema: ResourceSchema,
  { rows, columns }: { readonly rows: readonly Row[]; readonly columns: Row },
): Promise<void> {
  for (const some of chunked(rows, schema.id.columns.length)) {
    const where = idsWhere(schema, some)
    const version = await nextVersions(transaction, schema, where)
    const count = await updateRows(transaction.client, schema.model, where, { ...columns, ...version })
    // They were there when they were looked for in this transaction: a hook has removed one.
    if (count < some.length) throw relatedNotFound('/data')
  }
}
