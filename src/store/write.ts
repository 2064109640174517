import { isDeepStrictEqual } from 'node:util'
import { invalidField, notFound } from '../document/errors.ts'
import type { Linkage } from '../document/types.ts'
import { every, type Row, scopeOf, type Where } from '../model/where.ts'
import { type Attribute, isToMany, type Relation, type ResourceSchema } from '../schema/resource-schema.ts'
import { delegateOf } from './delegates.ts'
import { foreignKeys, identifiersOf } from './foreign-keys.ts'
import { fill, hasHooks, type RowHookName, tell, type WriteEvent, writeEvent } from './hooks.ts'
import { planLevel } from './plan.ts'
import { attach, detach, replaceToMany, setHasOne, type ToManyChange } from './relations.ts'
import { allColumns, idWhere, pick } from './resource.ts'
import type { Transaction } from './store.ts'
import type { Subject } from './subject.ts'

/** What fills a row: validated, by the names that documents use. */
export interface Filling {
  readonly id: string | null
  readonly attributes: ReadonlyMap<string, unknown>
  readonly relationships: ReadonlyMap<string, Linkage>
}

/** Creates a row with its relations; answers with its key. */
export async function insertRow(transaction: Transaction, subject: Subject, filling: Filling): Promise<Row> {
  const { ctx, schema } = subject
  const model = schema.model.name
  const own = { ...(await ownColumns(subject, filling)), ...idColumns(schema, filling.id) }
  const event = writeEvent(ctx, transaction, { action: 'create', row: null, input: inputOf(filling) })
  const data = await fill(ctx, model, ['creating', 'saving'], { data: own, event })
  checkRequired(schema, data)
  const created = await delegateOf(transaction.client, model).create({
    data,
    select: Object.fromEntries([...schema.id.columns, ...references(schema)].map((column) => [column, true])),
  })
  for (const [relation, linkage] of relationsOf(schema, filling)) {
    const identifiers = identifiersOf(linkage)
    if (relation.kind === 'hasOne') await setHasOne(transaction, subject, created, { relation, linkage })
    else if (isToMany(relation) && identifiers.length > 0)
      await attach(transaction, subject, created, { relation, linkage: identifiers })
  }
  await tellWritten(transaction, subject, ['created', 'saved'], { row: created, event })
  return pick(created, schema.id.columns)
}

/** Fills a row that exists, and its relations. */
export async function updateRow(transaction: Transaction, subject: Subject, row: Row, filling: Filling): Promise<void> {
  const { ctx, schema } = subject
  const model = schema.model.name
  await checkUnchanged(transaction, subject, row)
  const own = await ownColumns(subject, filling)
  const event = writeEvent(ctx, transaction, {
    action: 'update',
    row,
    input: inputOf(filling),
    ...aboutRelation(filling),
  })
  const data = await fill(ctx, model, ['updating', 'saving'], { data: own, event })
  if (Object.keys(data).length > 0) {
    const { count } = await delegateOf(transaction.client, model).updateMany({ where: visible(subject, row), data })
    if (count === 0) throw notFound()
  }
  for (const [relation, linkage] of relationsOf(schema, filling)) {
    if (relation.kind === 'hasOne') await setHasOne(transaction, subject, row, { relation, linkage })
    else if (isToMany(relation))
      await replaceToMany(transaction, subject, row, { relation, linkage: identifiersOf(linkage) })
  }
  await tellWritten(transaction, subject, ['updated', 'saved'], { row, event })
}

/** Removes a row; or marks it as deleted where the schema says so, unless it is marked already. */
export async function deleteRow(transaction: Transaction, subject: Subject, row: Row): Promise<void> {
  const { ctx, schema } = subject
  const model = schema.model.name
  await checkUnchanged(transaction, subject, row)
  const event = writeEvent(ctx, transaction, { action: 'delete', row })
  await tell(ctx, model, ['deleting'], { row, event })
  const where = visible(subject, row)
  const delegate = delegateOf(transaction.client, model)
  const { deletedAt } = schema
  const { count } =
    deletedAt && !isTrashed(schema, row)
      ? await delegate.updateMany({ where: every(where, { [deletedAt]: null }), data: { [deletedAt]: new Date() } })
      : await delegate.deleteMany({ where })
  if (count === 0) throw notFound()
  await tell(ctx, model, ['deleted'], { row, event })
}

/** Was the row deleted softly. */
export const isTrashed = ({ deletedAt }: ResourceSchema, row: Row): boolean =>
  deletedAt !== null && row[deletedAt] != null

/** Adds to a to-many relation, or takes away from it, with the hooks of the row whose relation it is. */
export async function changeToMany(
  transaction: Transaction,
  subject: Subject,
  row: Row,
  { action, relation, linkage }: ToManyChange & { readonly action: 'attach' | 'detach' },
): Promise<void> {
  const { ctx, schema } = subject
  const model = schema.model.name
  await checkUnchanged(transaction, subject, row)
  const event = writeEvent(ctx, transaction, { action, row, relation: relation.name, identifiers: linkage })
  const isAttach = action === 'attach'
  await tell(ctx, model, [isAttach ? 'attaching' : 'detaching'], { row, event })
  await (isAttach ? attach : detach)(transaction, subject, row, { relation, linkage })
  await tell(ctx, model, [isAttach ? 'attached' : 'detached'], { row, event })
}

/** The row is not any more what policies and rules judged: the operation has to begin anew. */
export class RowChanged extends Error {}

/**
 * Policies and rules looked at the row before the transaction began. Inside of it, it must still be the same.
 * @throws {JsonApiError} 404 when it has gone, or is hidden, by now.
 * @throws {RowChanged}
 */
export async function checkUnchanged(
  transaction: Transaction,
  subject: Pick<Subject, 'ctx' | 'schema'>,
  row: Row,
): Promise<void> {
  const { schema } = subject
  const level = planLevel(schema, allColumns(schema), visible(subject, row))
  const [now] = await transaction.reader.rows({ ...level, order: [], take: 1 })
  // Deleted by another request is gone: a DELETE that began anew would find it trashed, and remove it for good.
  if (!now || (isTrashed(schema, now) && !isTrashed(schema, row))) throw notFound()
  if (!isDeepStrictEqual({ ...now }, { ...row })) throw new RowChanged(`A row of ${schema.type} changed meanwhile.`)
}

const visible = ({ ctx, schema }: Pick<Subject, 'ctx' | 'schema'>, row: Row): Where =>
  every(idWhere(schema, row), scopeOf(ctx.served.scopesById, schema.model.name))

/** Tells of a row as it is after the write; read again only when somebody listens. */
async function tellWritten(
  transaction: Transaction,
  { ctx, schema }: Subject,
  names: readonly RowHookName[],
  { row, event }: { readonly row: Row; readonly event: WriteEvent },
): Promise<void> {
  if (!hasHooks(ctx, schema.model.name, names)) return
  const [written] = await transaction.reader.rows({
    ...planLevel(schema, allColumns(schema), idWhere(schema, row)),
    order: [],
    take: 1,
  })
  if (written) await tell(ctx, schema.model.name, names, { row: written, event })
}

const inputOf = ({ attributes }: Filling): Row => Object.freeze(Object.fromEntries(attributes))

/** What a PATCH of a relationship, which fills nothing else, is about. */
function aboutRelation({ attributes, relationships }: Filling) {
  const [only, ...rest] = relationships
  if (!only || rest.length > 0 || attributes.size > 0) return {}
  return { relation: only[0], identifiers: identifiersOf(only[1]) }
}

function idColumns(schema: ResourceSchema, id: string | null): Row {
  if (id === null) return {}
  return schema.id.parse(id) ?? {}
}

/** The columns of the row itself: attributes, and the foreign keys of relations that lie on this side. */
async function ownColumns({ ctx, schema, related }: Subject, filling: Filling): Promise<Row> {
  const columns: Record<string, unknown> = {}
  for (const [name, value] of filling.attributes) {
    if (name === schema.trashMark && value !== null) throw onlyRestored(name)
    const { column } = schema.attributes.get(name) as Attribute
    if (column) columns[column.name] = value
  }
  const registry = ctx.server.schemas
  for (const [relation, linkage] of relationsOf(schema, filling))
    Object.assign(columns, await foreignKeys({ registry, relation, linkage }, related))
  return columns
}

// DELETE is what sets the mark: it has a policy, rules and hooks of its own.
const onlyRestored = (name: string) =>
  invalidField({
    detail: `The ${name} field can only be set to null, which restores the resource.`,
    pointer: `/data/attributes/${name}`,
    code: 'restore',
  })

function relationsOf(schema: ResourceSchema, filling: Filling): readonly (readonly [Relation, Linkage])[] {
  return [...filling.relationships].map(([name, linkage]) => [schema.relations.get(name) as Relation, linkage])
}

// A required relation without a rule may be filled by a hook, so only here is it known to be missing.
function checkRequired(schema: ResourceSchema, data: Row): void {
  for (const relation of schema.relations.values()) {
    if (
      relation.kind !== 'belongsTo' ||
      !relation.isRequired ||
      relation.columns.every((column) => data[column] != null)
    )
      continue
    throw invalidField({
      detail: `The ${relation.name} field is required.`,
      pointer: '/data',
      code: 'required',
      meta: { field: relation.name },
    })
  }
}

const references = (schema: ResourceSchema): readonly string[] =>
  [...schema.relations.values()].flatMap((relation) =>
    relation.kind === 'hasOne' || relation.kind === 'hasMany' ? relation.references : [],
  )
