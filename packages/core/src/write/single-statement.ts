import { all } from '@prismapi/jsonapi/condition/build'
import type { Condition } from '@prismapi/jsonapi/condition/condition'
import { dependsOn } from '@prismapi/jsonapi/condition/memory'
import type { Linkage } from '@prismapi/jsonapi/document/types'
import { memo } from '@prismapi/jsonapi/model/memo'
import type { ModelMeta } from '@prismapi/jsonapi/model/meta'
import type { Row } from '@prismapi/jsonapi/model/where'
import { isToMany, type Relation } from '@prismapi/jsonapi/schema/relation-kinds'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { storedOf } from '../database/reader.ts'
import type { SingleStatementWriter } from '../database/store.ts'
import { hooksOf } from '../read/hooks.ts'
import { pick } from '../read/resource.ts'
import { deleteHooks, fill, fillHooksOf, hasFillHooks, hasHooks, takesEvent, writeEvent } from './hooks.ts'
import {
  aboutRelation,
  identifiersOf,
  inputOf,
  laterToItself,
  newColumns,
  ownColumns,
  relationsOf,
  type WriteInput,
} from './input.ts'
import type { Subject } from './write-context.ts'
import { firstVersion, markOfDeleted, nextVersion, nextVersionUnread, visible, type Writing } from './write-row.ts'

// A write of one statement needs no transaction. Whether a write is one is decided before a hook of the application
// runs. If the statement comes back as "not done", `write.ts` carries the write out.

/** A row that was written. */
export interface WrittenRow {
  readonly key: Row
  /** With the columns that its document shows; null where they have to be read. */
  readonly shown: Row | null
}

/** What the answer to a write shows. */
export interface ShownOfWritten {
  /** Those of its row. */
  readonly columns: readonly string[]
  /**
   * Why showing the result may fail, such as when it shows other rows: then the write takes a transaction, which the
   * failure undoes. Null if it cannot fail.
   */
  readonly mayFail: string | null
}

interface Asked {
  readonly input: WriteInput
  readonly shown: ShownOfWritten
}

/**
 * The writer of the row by one statement; null where the write takes a transaction, or there is no such connection.
 *
 * @param row as it is now; null on create.
 */
export function statementFor(subject: Subject, row: Row | null, asked: Asked): SingleStatementWriter | null {
  const { store, preparation } = subject.ctx
  const { single } = store
  if (!single || preparation.hasReadOthers) return null
  const reason = reasonForTransaction(subject, row, asked) ?? (row === null ? single.reasonAgainstInsert : null)
  if (reason === null) return single
  single.decline(subject.schema.model.name, reason)
  return null
}

/** Why the write takes a transaction: it is more than its row, a hook gets the database, or its result is checked. */
function reasonForTransaction({ ctx, schema }: Subject, row: Row | null, { input, shown }: Asked): string | null {
  const model = schema.model.name
  const hook = ([row ? 'updated' : 'created', 'saved'] as const).find((each) => hasHooks(ctx, model, [each]))
  if (hook !== undefined) return `the hook ${hook}`
  const filling = fillHooksOf[row ? 'update' : 'create'].find((each) => hooksOf(ctx, model, each).some(takesEvent))
  if (filling !== undefined) return `the hook ${filling}, which takes the event`
  // A new row has no members that would have to go.
  const isEmpty = (relation: Relation, linkage: Linkage) =>
    row === null && isToMany(relation) && identifiersOf(linkage).length === 0
  const foreign = relationsOf(schema, input).find(
    ([relation, linkage]) =>
      relation.kind !== 'belongsTo' && relation.kind !== 'morphTo' && !isEmpty(relation, linkage),
  )
  if (foreign) return `the relation ${foreign[0].name}`
  const [later] = row === null ? laterToItself(schema, input) : []
  if (later !== undefined) return `the relation ${later}, which leads to the row itself`
  const taken = input.links.find(({ ended }) => ended.length > 0)
  if (taken) return `the relation ${taken.relation.name}, whose partner another row has`
  return shown.mayFail
}

/** The filled row, with the columns of hooks that take no event. They do not run again if a transaction is needed. */
export async function filledOutside(subject: Subject, row: Row | null, input: WriteInput): Promise<WriteInput> {
  const { ctx, schema } = subject
  const action = row ? 'update' : 'create'
  const event = writeEvent(ctx, null, { action, row, input: inputOf(input), ...(row && aboutRelation(input)) })
  const data = row
    ? await ownColumns(subject, row, input)
    : { ...firstVersion(schema), ...(await newColumns(subject, input)) }
  const { name } = schema.model
  const { outside } = ctx.store
  const fillIn = () => fill(ctx, name, fillHooksOf[action], { data, event })
  const isHooked = outside !== undefined && hasFillHooks(ctx, name, action)
  return { ...input, filled: await (isHooked ? outside(fillIn) : fillIn()) }
}

interface Filled {
  /** What `filledOutside` says. */
  readonly input: WriteInput
  readonly shown: ShownOfWritten
}

/** Creates a row whose relations are columns of its own; null where nothing was done. */
export async function insertInOneStatement(
  writer: SingleStatementWriter,
  { schema }: Subject,
  { input: { filled = {} }, shown: { columns } }: Filled,
): Promise<WrittenRow | null> {
  const model = schema.model.name
  const shown = (await writer.returnsRows(model)) ? { shown: columns } : {}
  const row = await writer.insert({ model, data: filled, returning: schema.id.columns, ...shown })
  return row && { key: pick(row, schema.id.columns), shown: wholeOf(row, columns) }
}

/** Fills a row that is still what policies and rules judged; null where nothing was done. */
export async function updateInOneStatement(
  writer: SingleStatementWriter,
  subject: Subject,
  row: Row,
  { input: { filled = {} }, shown: { columns } }: Filled,
): Promise<WrittenRow | null> {
  const { schema } = subject
  const model = schema.model.name
  const data = Object.keys(filled).length > 0 ? nextVersion(schema, row, filled) : {}
  const returned = staysVisible(subject, data) && (await writer.returnsRows(model)) ? { shown: columns } : {}
  const still = { where: visible(subject, row), row: othersOf(schema, row), stored: storedOf(row) }
  const written = await writer.update({ model, data, ...still, ...returned })
  return written && { key: row, shown: wholeOf(written, columns) }
}

interface UnreadChange {
  readonly key: Row
  /** Which row it is, if it may be changed. */
  readonly where: Condition
  readonly data: Row
  readonly shown: ShownOfWritten
}

/** Fills a row that meets a condition, with its next version; null where nothing was done. */
export async function updateUnreadRow(
  writer: SingleStatementWriter,
  { ctx, schema }: Writing,
  { key, where, data, shown: { columns } }: UnreadChange,
): Promise<WrittenRow | null> {
  const { model } = schema
  const next = nextVersionUnread(schema, data)
  if (!next) return null
  const changed = { ...next.data, ...(next.increment && { [next.increment]: 1 }) }
  const returned = staysVisible({ ctx, schema }, changed) ? { shown: columns } : {}
  const plan = { model: model.name, data: next.data, where: all(where, next.where), row: {}, ...returned }
  const written = await writer.update(next.increment ? { ...plan, increment: next.increment } : plan)
  return written && { key, shown: wholeOf(written, columns) }
}

/** A row that may be seen still may when these columns have changed. */
function staysVisible({ ctx, schema: { model } }: Writing, data: Row): boolean {
  const changed = new Set([...Object.keys(data), ...updatedAtColumns(model)])
  return !dependsOn(ctx.rows.visible('named', model.name), changed)
}

/** The columns that each update fills. */
const updatedAtColumns = memo(({ columns }: ModelMeta): readonly string[] =>
  Object.values(columns).flatMap(({ name, isUpdatedAt }) => (isUpdatedAt ? [name] : [])),
)

const wholeOf = (row: Row, columns: readonly string[]): Row | null =>
  columns.every((column) => column in row) ? row : null

/** Removes a row that is still what policies and rules judged, or marks it as deleted; false where nothing was done. */
export async function removeInOneStatement({ ctx, schema }: Writing, row: Row): Promise<boolean> {
  const { single } = ctx.store
  if (!single || ctx.preparation.hasReadOthers) return false
  const model = schema.model.name
  const hook = deleteHooks.find((each) => hasHooks(ctx, model, [each]))
  if (hook !== undefined) {
    single.decline(model, `the hook ${hook}`)
    return false
  }
  if (!(await single.returnsRows(model))) {
    single.decline(model, 'a trigger that may change the row')
    return false
  }
  const mark = markOfDeleted(schema, row)
  const still = { where: visible({ ctx, schema }, row), row: othersOf(schema, row), stored: storedOf(row) }
  return mark ? (await single.update({ model, data: mark, ...still })) !== null : single.remove({ model, ...still })
}

/** The columns that are not its key. */
const othersOf = ({ id }: ResourceSchema, row: Row): Row =>
  pick(
    row,
    Object.keys(row).filter((column) => !id.columns.includes(column)),
  )
