import { all, not, related, relationOf } from '../condition/build.ts'
import type { Condition } from '../condition/condition.ts'
import { scopeOf } from '../condition/scopes.ts'
import { rowKey } from '../database/keys.ts'
import { delegateOf } from '../database/prisma/delegates.ts'
import { deleteRows, updateRows } from '../database/prisma/write-rows.ts'
import type { Transaction } from '../database/store.ts'
import { conflict, relatedNotFound } from '../document/errors.ts'
import { say } from '../document/text.ts'
import type { Identifier, Linkage } from '../document/types.ts'
import type { Row } from '../model/where.ts'
import { chunked } from '../read/chunks.ts'
import { allColumns } from '../read/columns.ts'
import { planLevel } from '../read/plan.ts'
import { pick } from '../read/resource.ts'
import { childrenOf, idsWhere, idWhere } from '../read/row-conditions.ts'
import type { HasMany, HasOne, ManyToMany, ToMany } from '../schema/relation-kinds.ts'
import { type ResourceSchema, schemaOf } from '../schema/resource-schema.ts'
import { hasHooks } from './hooks.ts'
import { identifiersOf } from './input/foreign-keys.ts'
import { findClash } from './input/shared-columns.ts'
import { addPivots, removePivots, replacePivots } from './pivots.ts'
import { nextVersions } from './version.ts'
import type { Subject } from './write-context.ts'
import { removeRow } from './write-row.ts'

/** A change of a to-many relation: the identifiers were checked, so their rows exist and may be seen. */
export interface ToManyChange {
  readonly relation: ToMany
  readonly linkage: readonly Identifier[]
}

type ChangeToMany = (transaction: Transaction, subject: Subject, row: Row, change: ToManyChange) => Promise<void>

/** Adds the targets; those that are there already stay as they are. */
export const attach: ChangeToMany = async (transaction, subject, row, { relation, linkage }) => {
  const targets = await targetRows(subject, linkage)
  if (targets.length === 0) return
  if (relation.kind === 'manyToMany')
    return connect(transaction, subject, row, { relation, connect: targets, disconnect: [] })
  if (relation.kind === 'manyThrough') return addPivots(transaction, subject, { relation, row, targets })
  await pointTargets(transaction, subject, { relation, targets, at: row })
}

/** Removes the targets from the relation; those that are not in it are left alone. */
export const detach: ChangeToMany = async (transaction, subject, row, { relation, linkage }) => {
  const targets = await targetRows(subject, linkage)
  if (targets.length === 0) return
  if (relation.kind === 'manyToMany')
    return connect(transaction, subject, row, { relation, connect: [], disconnect: targets })
  if (relation.kind === 'manyThrough') return removePivots(transaction, subject, { relation, row, targets })
  const schema = targetSchema(subject, relation)
  const own = childrenOf(relation, schema.model, row)
  for (const some of chunked(targets, schema.id.columns.length))
    await release(transaction, subject, { relation, where: all(own, idsWhere(schema, some)) })
}

/** Makes the targets the whole of what can be seen of the relation. Targets hidden by a scope stay in it. */
export const replaceToMany: ChangeToMany = async (transaction, subject, row, { relation, linkage }) => {
  const targets = await targetRows(subject, linkage)
  if (relation.kind === 'manyThrough') return replacePivots(transaction, subject, { relation, row, targets })
  const schema = targetSchema(subject, relation)
  const scope = scopeOf(subject.ctx.served.scopes, relation.model)
  const wanted = new Set(targets.map((target) => rowKey(target, schema.id.columns)))
  const isUnwanted = (target: Row) => !wanted.has(rowKey(target, schema.id.columns))
  if (relation.kind === 'manyToMany') {
    const linked = related(relationOf(schema.model, relation.inverse), 'some', idWhere(subject.schema, row))
    const current = await transaction.reader.read(planLevel(schema, schema.id.columns, all(linked, scope)))
    return connect(transaction, subject, row, { relation, connect: targets, disconnect: current.filter(isUnwanted) })
  }
  const current = await transaction.reader.read(
    planLevel(schema, schema.id.columns, all(childrenOf(relation, schema.model, row), scope)),
  )
  const unwanted = current.filter(isUnwanted)
  for (const some of chunked(unwanted, schema.id.columns.length))
    await release(transaction, subject, { relation, where: idsWhere(schema, some) })
  if (targets.length > 0) await pointTargets(transaction, subject, { relation, targets, at: row })
}

/** Points the one row at the other end of a one-to-one relation at this one. One that a scope hides stays where it is. */
export async function setHasOne(
  transaction: Transaction,
  subject: Subject,
  row: Row,
  change: { readonly relation: HasOne; readonly linkage: Linkage },
): Promise<void> {
  const { relation } = change
  const targets = await targetRows(subject, identifiersOf(change.linkage))
  const schema = targetSchema(subject, relation)
  const others = all(
    childrenOf(relation, schema.model, row),
    targets.length > 0 ? not(idsWhere(schema, targets)) : null,
    scopeOf(subject.ctx.served.scopes, relation.model),
  )
  await release(transaction, subject, { relation, where: others })
  if (targets.length > 0) await pointTargets(transaction, subject, { relation, targets, at: row })
}

type WithForeignKey = HasMany | HasOne

interface Links {
  readonly relation: ManyToMany
  readonly connect: readonly Row[]
  readonly disconnect: readonly Row[]
}

async function connect({ client }: Transaction, { schema, ctx }: Subject, row: Row, links: Links): Promise<void> {
  const target = schemaOf(ctx.server.schemas, links.relation.model)
  const change = async (verb: 'connect' | 'disconnect', rows: readonly Row[]): Promise<void> => {
    // A link has two ends.
    for (const some of chunked(rows, 2))
      await delegateOf(client, schema.model.name).update({
        where: pick(row, schema.id.columns),
        data: { [links.relation.field]: { [verb]: some.map((each) => pick(each, target.id.columns)) } },
        select: Object.fromEntries(schema.id.columns.map((column) => [column, true])),
      })
  }
  await change('disconnect', links.disconnect)
  await change('connect', links.connect)
}

async function pointTargets(
  transaction: Transaction,
  subject: Subject,
  change: { relation: WithForeignKey; targets: readonly Row[]; at: Row },
): Promise<void> {
  const { relation, at } = change
  const schema = targetSchema(subject, relation)
  const key = foreignKey(relation, at)
  const there = rowKey(key, relation.columns)
  // What points here already stays as it is: it is not written again.
  const targets = change.targets.filter((target) => rowKey(target, relation.columns) !== there)
  checkMovable(schema, relation, targets, key)
  const scope = scopeOf(subject.ctx.served.scopes, relation.model)
  for (const some of chunked(targets, schema.id.columns.length)) {
    const where = all(idsWhere(schema, some), scope)
    const version = await nextVersions(transaction, schema, where)
    const data = { ...otherBranches(schema, relation), ...key, ...version }
    const count = await updateRows(transaction.client, schema.model, where, data)
    // They existed when the document was checked.
    if (count < some.length) throw relatedNotFound('/data')
  }
}

// A polymorphic relation of the target leads to one row: what points here from now on points nowhere else.
function otherBranches({ relations }: ResourceSchema, { columns }: WithForeignKey): Row {
  const morphs = [...relations.values()].map((each) =>
    each.kind === 'morphTo' && each.form.kind === 'keys' ? each.form.branches : [],
  )
  const own = morphs.find((branches) => branches.some((branch) => branch.columns.join() === columns.join())) ?? []
  return Object.fromEntries(own.flatMap((branch) => branch.columns).map((column) => [column, null]))
}

/** Takes rows out of the relation whose foreign key they hold. */
async function release(
  transaction: Transaction,
  subject: Subject,
  change: { relation: WithForeignKey; where: Condition },
): Promise<void> {
  const { relation, where } = change
  const { client, reader } = transaction
  const schema = targetSchema(subject, relation)
  const { model } = schema
  if (relation.isDetachable) {
    const cleared = Object.fromEntries(relation.clears.map((column) => [column, null]))
    const version = await nextVersions(transaction, schema, where)
    await updateRows(client, model, where, { ...cleared, ...version })
  } else if (relation.kind === 'hasMany' && relation.deleteOnDetach) {
    await removeRows(transaction, subject, schema, where)
  } else if ((await reader.read({ kind: 'count', model: model.name, where })) > 0) {
    throw conflict(
      say`The ${schema.type} of the ${relation.name} relation cannot be without it, so they cannot be detached.`,
      '/data',
    )
  }
}

/** Removes rows as a DELETE of each would: softly where their schema says so, and with their hooks. */
async function removeRows(
  transaction: Transaction,
  { ctx }: Subject,
  schema: ResourceSchema,
  where: Condition,
): Promise<void> {
  const { model, deletedAt } = schema
  if (deletedAt === null && !hasHooks(ctx, model.name, ['deleting', 'deleted']))
    return void (await deleteRows(transaction.client, model, where))
  // Without those that are marked already, which would go for good.
  const shown = all(where, scopeOf(ctx.served.scopes, model.name))
  for (const row of await transaction.reader.read(planLevel(schema, allColumns(schema), shown)))
    await removeRow(transaction, { ctx, schema }, row)
}

function foreignKey(relation: WithForeignKey, row: Row): Row {
  const values = relation.references.map((column) => row[column])
  if (values.some((value) => value == null))
    throw conflict(say`The resource lacks the value by which its ${relation.name} are related to it.`, '/data')
  return Object.fromEntries(relation.columns.map((column, i) => [column, values[i]]))
}

// The row may be tied to where it is, by its id or by another relation.
function checkMovable(schema: ResourceSchema, relation: WithForeignKey, targets: readonly Row[], columns: Row): void {
  const inverse = Object.values(schema.model.relations).find(
    ({ foreignKey }) => foreignKey?.columns.join() === relation.columns.join(),
  )
  const settings = new Map([[inverse?.name ?? '', columns]])
  if (targets.some((target) => findClash(schema, target, settings)))
    throw conflict(
      say`The ${schema.type} of the ${relation.name} relation cannot be moved: their ids, or other relations, tie them.`,
      '/data',
    )
}

const targetSchema = ({ ctx }: Subject, relation: ToMany | HasOne) => schemaOf(ctx.server.schemas, relation.model)

async function targetRows({ related }: Subject, linkage: readonly Identifier[]): Promise<readonly Row[]> {
  return (await related.find(linkage)).filter((row) => row !== null)
}
