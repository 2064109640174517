import { relationOf } from '@prismapi/jsonapi/condition/build'
import { conflict, relatedNotFound } from '@prismapi/jsonapi/document/errors'
import { say } from '@prismapi/jsonapi/document/text'
import { type Identifier, pointer } from '@prismapi/jsonapi/document/types'
import type { Row } from '@prismapi/jsonapi/model/where'
import { withParts } from '@prismapi/jsonapi/request/hook-context'
import { type HasMany, type HasOne, inverseOf } from '@prismapi/jsonapi/schema/relation-kinds'
import { type ResourceSchema, schemaOf } from '@prismapi/jsonapi/schema/resource-schema'
import { rowKey } from '../../database/reader.ts'
import { chunked } from '../../read/find.ts'
import { idsWhere, idWhere } from '../../read/plan.ts'
import type { RequestTransaction } from '../../read/rows.ts'
import { deleteHooks, fill, fillHooksOf, hasHooks, hasHooksBefore, writeEvent } from '../hooks.ts'
import { findClash, keyToItself, laterToItself, type WriteInput } from '../input.ts'
import type { Subject, WriteContext } from '../write-context.ts'
import { nextVersions, preparedColumns, removeRow, runHooksAfter } from '../write-row.ts'
import { type ChangedRow, type ChangeElsewhere, isTakeOver, type LinkChange } from './link-change.ts'
import { writePivots } from './pivots.ts'

/** Takes the partners of one-to-ones from their rows, before the row that gets them is written: keys are unique. */
export async function endTakenOver(
  transaction: RequestTransaction,
  { ctx, schema }: Subject,
  changes: readonly LinkChange[],
): Promise<void> {
  const losing = new Map<string, ChildUpdate>()
  for (const { relation, clears, ended } of changes.filter(isTakeOver)) {
    const columns = Object.fromEntries(clears.map((column) => [column, null]))
    for (const { row } of ended) note(losing, { schema, row, columns, relations: new Map([[relation.name, []]]) })
  }
  await updateChildren(transaction, ctx, [...losing.values()])
}

/** Makes and ends links that are kept in other rows, as it was planned, and permitted, in the same transaction. */
export async function writeLinks(
  transaction: RequestTransaction,
  subject: Subject,
  row: Row,
  planned: readonly LinkChange[],
): Promise<void> {
  const changes = planned.filter(isElsewhere)
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

const isElsewhere = (change: LinkChange): change is ChangeElsewhere => !isTakeOver(change)

type ChildrenChange = ChangeElsewhere & { readonly relation: HasOne | HasMany }

const isOfChildren = (change: ChangeElsewhere): change is ChildrenChange => change.relation.kind !== 'manyThrough'

/** A row of the other type that changes: once, by however many relations it is linked. */
interface ChildUpdate {
  readonly schema: ResourceSchema
  /** As it stands before. */
  readonly row: Row
  readonly columns: Row
  /** The relations of that type which change, by the names that documents have, and what they lead to then. */
  readonly relations: ReadonlyMap<string, readonly Identifier[]>
}

/**
 * Removes rows that hold the foreign key from the relation. In a one-to-one, a row that cannot be without its partner
 * keeps it where another row is to get it: keys are unique, so the database refuses the write, as from the other end.
 */
async function endLinks(
  transaction: RequestTransaction,
  { ctx }: Subject,
  { relation, made, ended }: ChildrenChange,
  children: Map<string, ChildUpdate>,
): Promise<void> {
  if (ended.length === 0) return
  const schema = schemaOf(ctx.server.schemas, relation.model)
  if (relation.isDetachable) {
    const columns = Object.fromEntries(relation.clears.map((column) => [column, null]))
    for (const { row } of ended) note(children, { schema, row, columns, relations: leadingTo(relation, schema, []) })
  } else if (relation.kind === 'hasMany' && relation.deleteOnDetach) {
    await removeChildren(transaction, ctx, schema, ended)
  } else if (relation.kind === 'hasMany' || made.length === 0) {
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
  transaction: RequestTransaction,
  ctx: WriteContext,
  schema: ResourceSchema,
  removed: readonly ChangedRow[],
): Promise<void> {
  const rows = removed.map(({ row }) => row)
  if (schema.deletedAt !== null || hasHooks(ctx, schema.model.name, deleteHooks))
    for (const row of rows) await removeRow(transaction, { ctx, schema }, row)
  else
    for (const some of chunked(rows, schema.id.columns.length))
      await transaction.writer.remove({ model: schema.model, where: idsWhere(schema, some) })
}

/** Each is a row that is updated, with its hooks and its version. Those that no hook looks at are written at once. */
async function updateChildren(
  transaction: RequestTransaction,
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
  transaction: RequestTransaction,
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
  transaction: RequestTransaction,
  schema: ResourceSchema,
  { rows, columns }: { readonly rows: readonly Row[]; readonly columns: Row },
): Promise<void> {
  for (const some of chunked(rows, schema.id.columns.length)) {
    const where = idsWhere(schema, some)
    const { data = {}, ...version } = await nextVersions(transaction, schema, where)
    const change = { model: schema.model, where, data: { ...columns, ...data }, ...version }
    const count = await transaction.writer.update(change)
    // They were there when they were looked for in this transaction: a hook has removed one.
    if (count < some.length) throw relatedNotFound('/data')
  }
}

/** Makes the links of a new row to itself that need what only the database could say, such as its id. */
export async function linkToItself(
  transaction: RequestTransaction,
  { ctx, schema }: Subject,
  row: Row,
  input: WriteInput,
): Promise<void> {
  const columns: Row[] = []
  for (const name of laterToItself(schema, input)) {
    const relation = schema.relations.get(name)
    if (relation?.kind === 'manyToMany') {
      const of = { model: schema.model, relation: relationOf(schema.model, relation.field), row }
      await transaction.joinRows.link(of, [row])
    } else if (relation?.kind === 'manyThrough') {
      await writePivots(transaction, ctx, row, { pivot: relation.pivot, made: [{ row, at: null }], ended: [] })
    } else columns.push(keyOf(schema, name, row))
  }
  if (columns.length > 0)
    await transaction.writer.update({
      model: schema.model,
      where: idWhere(schema, row),
      data: Object.assign({}, ...columns),
    })
}

function keyOf(schema: Subject['schema'], name: string, row: Row): Row {
  const key = keyToItself(schema, name, row)
  if (key === null)
    throw conflict(
      say`The related resource lacks the value by which it is related.`,
      pointer('/data/relationships', name),
    )
  return key
}
