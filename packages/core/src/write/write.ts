import { all } from '@prismapi/jsonapi/condition/build'
import { notFound } from '@prismapi/jsonapi/document/errors'
import type { Identifier } from '@prismapi/jsonapi/document/types'
import type { Row } from '@prismapi/jsonapi/model/where'
import type { ToMany } from '@prismapi/jsonapi/schema/relation-kinds'
import { type ResourceSchema, schemaOf } from '@prismapi/jsonapi/schema/resource-schema'
import { StaleRow } from '../database/attempts.ts'
import { withoutGenerated } from '../database/prisma/client.ts'
import { chunked } from '../read/find.ts'
import { allColumns, idsWhere, idWhere, membersOf, planRow } from '../read/plan.ts'
import { pick } from '../read/resource.ts'
import type { RequestTransaction } from '../read/rows.ts'
import { fill, fillHooksOf, runHooks, writeEvent } from './hooks.ts'
import {
  aboutRelation,
  columnsToItself,
  identifiersOf,
  inputOf,
  newColumns,
  ownColumns,
  relationsOf,
  type WriteInput,
} from './input.ts'
import { writeJoins } from './joins.ts'
import type { LinkChange } from './links/link-change.ts'
import { endTakenOver, linkToItself, writeLinks } from './links/write-links.ts'
import type { Subject } from './write-context.ts'
import {
  createRow,
  isSameRow,
  isTrashed,
  nextVersion,
  removeRow,
  runHooksAfter,
  visible,
  type Writing,
} from './write-row.ts'

/** Creates a row with its relations; answers with its key. */
export async function insertRow(transaction: RequestTransaction, subject: Subject, input: WriteInput): Promise<Row> {
  const { schema } = subject
  await endTakenOver(transaction, subject, input.links)
  const created = await createRow(transaction, subject, {
    columns: input.filled ?? (await newColumns(subject, input)),
    isFilled: input.filled !== undefined,
    input: inputOf(input),
    select: [...references(schema), ...[...(input.toItself ?? [])].flatMap((name) => columnsToItself(schema, name))],
    also: async (row) => {
      await linkToItself(transaction, subject, row, input)
      await writeRelated(transaction, subject, row, { input, mode: 'add' })
    },
  })
  return pick(created, schema.id.columns)
}

async function writeRelated(
  transaction: RequestTransaction,
  subject: Subject,
  row: Row,
  { input, mode }: { readonly input: WriteInput; readonly mode: 'add' | 'set' },
): Promise<void> {
  for (const [relation, linkage] of relationsOf(subject.schema, input))
    if (relation.kind === 'manyToMany')
      await writeJoins(transaction, subject, row, { relation, linkage: identifiersOf(linkage), mode })
  await writeLinks(transaction, subject, row, input.links)
}

/** Fills a row that exists, and its relations. */
export async function updateRow(
  transaction: RequestTransaction,
  subject: Subject,
  row: Row,
  input: WriteInput,
): Promise<void> {
  const { ctx, schema } = subject
  const model = schema.model.name
  await checkUnchanged(transaction, subject, row)
  const event = writeEvent(ctx, transaction, {
    action: 'update',
    row,
    input: inputOf(input),
    ...aboutRelation(input),
  })
  const filled =
    input.filled ?? (await fill(ctx, model, fillHooksOf.update, { data: await ownColumns(subject, row, input), event }))
  const at = { model: schema.model, provider: ctx.server.resources.provider }
  const data = await withoutGenerated(transaction.ask, at, filled)
  await endTakenOver(transaction, subject, input.links)
  const isChanged = Object.keys(data).length > 0 || (schema.version !== null && input.relationships.size > 0)
  if (isChanged) {
    const where = visible(subject, row)
    const count = await transaction.writer.update({ model: schema.model, where, data: nextVersion(schema, row, data) })
    if (count === 0) throw notFound()
  }
  await writeRelated(transaction, subject, row, { input, mode: 'set' })
  await runHooksAfter(transaction, subject, ['updated', 'saved'], { row, event })
}

/** Removes a row, if it is still what policies and rules judged. */
export async function deleteRow(transaction: RequestTransaction, subject: Subject, row: Row): Promise<void> {
  await checkUnchanged(transaction, subject, row)
  await removeRow(transaction, subject, row)
}

/** A change of a to-many relation by itself. */
export interface ToManyChange {
  readonly action: 'attach' | 'detach'
  readonly relation: ToMany
  readonly linkage: readonly Identifier[]
  /** What it makes of links that are kept in other rows. */
  readonly links: readonly LinkChange[]
}

/** Adds to a to-many relation, or takes away from it, with the hooks of the row whose relation it is. */
export async function changeToMany(
  transaction: RequestTransaction,
  subject: Subject,
  row: Row,
  change: ToManyChange,
): Promise<void> {
  const { ctx, schema } = subject
  const { action, relation, linkage, links } = change
  const model = schema.model.name
  await checkUnchanged(transaction, subject, row)
  const event = writeEvent(ctx, transaction, { action, row, relation: relation.name, identifiers: linkage })
  const isAttach = action === 'attach'
  await runHooks(ctx, model, [isAttach ? 'attaching' : 'detaching'], { row, event })
  const isChanged = schema.version !== null && (await changesMembers(transaction, subject, row, change))
  if (relation.kind === 'manyToMany')
    await writeJoins(transaction, subject, row, { relation, linkage, mode: isAttach ? 'add' : 'remove' })
  await writeLinks(transaction, subject, row, links)
  if (isChanged) {
    const where = idWhere(schema, row)
    await transaction.writer.update({ model: schema.model, where, data: nextVersion(schema, row) })
  }
  await runHooks(ctx, model, [isAttach ? 'attached' : 'detached'], { row, event })
}

/**
 * Policies and rules looked at the row before the transaction began. Inside of it, it must still be the same.
 * @throws {JsonApiError} 404 when it has gone, or is hidden, by now.
 * @throws {StaleRow}
 */
export async function checkUnchanged(transaction: RequestTransaction, subject: Writing, row: Row): Promise<void> {
  const { schema } = subject
  const [now] = await transaction.rows.read('named', planRow(schema, allColumns(schema), idWhere(schema, row)))
  // Deleted by another request is gone: a DELETE that began anew would find it trashed, and remove it for good.
  if (!now || (isTrashed(schema, now) && !isTrashed(schema, row))) throw notFound()
  if (!isSameRow(now, row)) throw new StaleRow(`A row of ${schema.type} changed meanwhile.`)
}

const references = (schema: ResourceSchema): readonly string[] =>
  [...schema.relations.values()].flatMap((relation) =>
    relation.kind === 'hasOne' || relation.kind === 'hasMany' ? relation.references : [],
  )

/**
 * Whether a target to be added is not in the relation, or one to be removed is. True where the caller may not see the
 * relation, because the version would reveal its members.
 */
async function changesMembers(
  { rows }: RequestTransaction,
  { ctx, schema, related }: Subject,
  row: Row,
  { action, relation, linkage }: Pick<ToManyChange, 'action' | 'relation' | 'linkage'>,
): Promise<boolean> {
  const targets = (await related.find(linkage)).filter((target) => target !== null)
  if (targets.length === 0) return false
  if (ctx.seen(schema.model.name)?.fields.has(relation.name)) return true
  const members = membersOf(ctx, relation, { schema, row })
  const target = schemaOf(ctx.server.schemas, relation.model)
  let count = 0
  for (const some of chunked(targets, target.id.columns.length))
    count += await rows.unscoped.read({
      kind: 'count',
      model: relation.model,
      where: all(members, idsWhere(target, some)),
    })
  return action === 'attach' ? count < targets.length : count > 0
}
