import { isDeepStrictEqual } from 'node:util'
import { withoutGenerated } from '../database/prisma/generated-columns.ts'
import { updateRows } from '../database/prisma/write-rows.ts'
import type { Transaction } from '../database/store.ts'
import { notFound } from '../document/errors.ts'
import type { Identifier } from '../document/types.ts'
import type { Row } from '../model/where.ts'
import { allColumns } from '../read/columns.ts'
import { planRow } from '../read/plan.ts'
import { pick } from '../read/resource.ts'
import { idWhere } from '../read/row-conditions.ts'
import type { ToMany } from '../schema/relation-kinds.ts'
import type { ResourceSchema } from '../schema/resource-schema.ts'
import { changesMembers } from './changes-members.ts'
import { fill, fillHooksOf, runHooks, writeEvent } from './hooks.ts'
import { identifiersOf } from './input/foreign-keys.ts'
import { aboutRelation, inputOf, newColumns, ownColumns, relationsOf, type WriteInput } from './input/write-input.ts'
import { writeJoins } from './joins.ts'
import type { LinkChange } from './links/link-change.ts'
import { writeLinks } from './links/write-links.ts'
import { nextVersion } from './version.ts'
import type { Subject } from './write-context.ts'
import { createRow, isTrashed, removeRow, runHooksAfter, visible, type Writing } from './write-row.ts'

/** Creates a row with its relations; answers with its key. */
export async function insertRow(transaction: Transaction, subject: Subject, input: WriteInput): Promise<Row> {
  const { schema } = subject
  const created = await createRow(transaction, subject, {
    columns: await newColumns(subject, input),
    input: inputOf(input),
    select: references(schema),
    also: (row) => writeRelated(transaction, subject, row, { input, mode: 'add' }),
  })
  return pick(created, schema.id.columns)
}

async function writeRelated(
  transaction: Transaction,
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
  transaction: Transaction,
  subject: Subject,
  row: Row,
  input: WriteInput,
): Promise<void> {
  const { ctx, schema } = subject
  const model = schema.model.name
  await checkUnchanged(transaction, subject, row)
  const own = await ownColumns(subject, row, input)
  const event = writeEvent(ctx, transaction, {
    action: 'update',
    row,
    input: inputOf(input),
    ...aboutRelation(input),
  })
  const filled = await fill(ctx, model, fillHooksOf.update, { data: own, event })
  const at = { model: schema.model, provider: ctx.server.resources.provider }
  const data = await withoutGenerated(transaction.client, at, filled)
  const isChanged = Object.keys(data).length > 0 || (schema.version !== null && input.relationships.size > 0)
  if (isChanged) {
    const changed = nextVersion(schema, row, data)
    const count = await updateRows(transaction.client, schema.model, visible(subject, row), changed)
    if (count === 0) throw notFound()
  }
  await writeRelated(transaction, subject, row, { input, mode: 'set' })
  await runHooksAfter(transaction, subject, ['updated', 'saved'], { row, event })
}

/** Removes a row, if it is still what policies and rules judged. */
export async function deleteRow(transaction: Transaction, subject: Subject, row: Row): Promise<void> {
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
  transaction: Transaction,
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
  if (isChanged) await updateRows(transaction.client, schema.model, idWhere(schema, row), nextVersion(schema, row))
  await runHooks(ctx, model, [isAttach ? 'attached' : 'detached'], { row, event })
}

/** The row is not any more what policies and rules judged: the operation has to begin anew. */
export class StaleRow extends Error {}

/**
 * Policies and rules looked at the row before the transaction began. Inside of it, it must still be the same.
 * @throws {JsonApiError} 404 when it has gone, or is hidden, by now.
 * @throws {StaleRow}
 */
export async function checkUnchanged(transaction: Transaction, subject: Writing, row: Row): Promise<void> {
  const { schema } = subject
  const [now] = await transaction.reader.read(planRow(schema, allColumns(schema), visible(subject, row)))
  // Deleted by another request is gone: a DELETE that began anew would find it trashed, and remove it for good.
  if (!now || (isTrashed(schema, now) && !isTrashed(schema, row))) throw notFound()
  if (!isDeepStrictEqual({ ...now }, { ...row })) throw new StaleRow(`A row of ${schema.type} changed meanwhile.`)
}

const references = (schema: ResourceSchema): readonly string[] =>
  [...schema.relations.values()].flatMap((relation) =>
    relation.kind === 'hasOne' || relation.kind === 'hasMany' ? relation.references : [],
  )
