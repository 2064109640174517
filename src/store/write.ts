import { invalidField, notFound } from '../document/errors.ts'
import type { Linkage } from '../document/types.ts'
import { every, type Row, scopeOf } from '../model/where.ts'
import type { RequestContext } from '../request/context.ts'
import { type Attribute, isToMany, type Relation, type ResourceSchema } from '../schema/resource-schema.ts'
import { delegateOf } from './delegates.ts'
import { foreignKeys, identifiersOf } from './foreign-keys.ts'
import { attach, replaceToMany, setHasOne } from './relations.ts'
import { idWhere, pick } from './resource.ts'
import type { Transaction } from './store.ts'
import type { Subject } from './subject.ts'

/** What fills a row: validated, by the names that documents use. */
export interface Filling {
  readonly id: string | null
  readonly attributes: ReadonlyMap<string, unknown>
  readonly relationships: ReadonlyMap<string, Linkage>
}

/** Answers with columns to set, given the columns so far and the validated attributes by their names in documents. */
export type FillHook = (data: Row, input: Row) => Row | Promise<Row>

/** Creates a row with its relations; answers with its key. */
export async function insertRow(transaction: Transaction, subject: Subject, filling: Filling): Promise<Row> {
  const { ctx, schema } = subject
  const own = { ...idColumns(schema, filling.id), ...(await ownColumns(subject, filling)) }
  const { saving, creating } = ctx.served
  const data = await fillByHooks([...hooksOf(creating, schema), ...hooksOf(saving, schema)], own, filling)
  checkRequired(schema, data)
  const created = await delegateOf(transaction.client, schema.model.name).create({
    data,
    select: Object.fromEntries([...schema.id.columns, ...references(schema)].map((column) => [column, true])),
  })
  for (const [relation, linkage] of relationsOf(schema, filling)) {
    const identifiers = identifiersOf(linkage)
    if (relation.kind === 'hasOne') await setHasOne(transaction, subject, created, { relation, linkage })
    else if (isToMany(relation) && identifiers.length > 0)
      await attach(transaction, subject, created, { relation, linkage: identifiers })
  }
  return pick(created, schema.id.columns)
}

/** Fills a row that exists, and its relations. 404 when it has gone, or was hidden, meanwhile. */
export async function updateRow(transaction: Transaction, subject: Subject, row: Row, filling: Filling): Promise<void> {
  const { ctx, schema } = subject
  const own = await ownColumns(subject, filling)
  const data = await fillByHooks(hooksOf(ctx.served.saving, schema), own, filling)
  if (Object.keys(data).length > 0) {
    const where = every(idWhere(schema, row), scopeOf(ctx.served.scopes, schema.model.name))
    const { count } = await delegateOf(transaction.client, schema.model.name).updateMany({ where, data })
    if (count === 0) throw notFound()
  }
  for (const [relation, linkage] of relationsOf(schema, filling)) {
    if (relation.kind === 'hasOne') await setHasOne(transaction, subject, row, { relation, linkage })
    else if (isToMany(relation))
      await replaceToMany(transaction, subject, row, { relation, linkage: identifiersOf(linkage) })
  }
}

/** Removes a row, or marks it as deleted where the schema says so. */
export async function deleteRow(
  transaction: Transaction,
  ctx: RequestContext,
  schema: ResourceSchema,
  row: Row,
): Promise<void> {
  const where = every(idWhere(schema, row), scopeOf(ctx.served.scopes, schema.model.name))
  const delegate = delegateOf(transaction.client, schema.model.name)
  const { count } = schema.deletedAt
    ? await delegate.updateMany({
        where: every(where, { [schema.deletedAt]: null }),
        data: { [schema.deletedAt]: new Date() },
      })
    : await delegate.deleteMany({ where })
  if (count === 0) throw notFound()
}

function idColumns(schema: ResourceSchema, id: string | null): Row {
  if (id === null) return {}
  return schema.id.parse(id) ?? {}
}

/** The columns of the row itself: attributes, and the foreign keys of relations that lie on this side. */
async function ownColumns({ ctx, schema, related }: Subject, filling: Filling): Promise<Row> {
  const columns: Record<string, unknown> = {}
  for (const [name, value] of filling.attributes) {
    const { column } = schema.attributes.get(name) as Attribute
    if (column) columns[column.name] = value
  }
  const registry = ctx.server.schemas
  for (const [relation, linkage] of relationsOf(schema, filling))
    Object.assign(columns, await foreignKeys({ registry, relation, linkage }, related))
  return columns
}

function relationsOf(schema: ResourceSchema, filling: Filling): readonly (readonly [Relation, Linkage])[] {
  return [...filling.relationships].map(([name, linkage]) => [schema.relations.get(name) as Relation, linkage])
}

const hooksOf = (hooks: ReadonlyMap<string, readonly FillHook[]>, schema: ResourceSchema): readonly FillHook[] =>
  hooks.get(schema.model.name) ?? []

async function fillByHooks(hooks: readonly FillHook[], own: Row, { attributes }: Filling): Promise<Row> {
  const input = Object.freeze(Object.fromEntries(attributes))
  let data = own
  for (const hook of hooks) data = { ...data, ...(await hook(data, input)) }
  return data
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
