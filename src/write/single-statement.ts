import { dependsOn } from '../condition/depends-on.ts'
import { scopeOf } from '../condition/scopes.ts'
import { transactionEnded } from '../database/prisma/while-open.ts'
import type { AfterCommit, SingleStatementWriter } from '../database/store.ts'
import { storedOf } from '../database/stored-rows.ts'
import type { Linkage } from '../document/types.ts'
import { memo } from '../model/memo.ts'
import type { ModelMeta } from '../model/meta.ts'
import type { Row } from '../model/where.ts'
import { pick } from '../read/resource.ts'
import { isToMany, type Relation } from '../schema/relation-kinds.ts'
import type { ResourceSchema } from '../schema/resource-schema.ts'
import { fill, fillHooksOf, type HookTransaction, hasHooks, writeEvent } from './hooks.ts'
import { identifiersOf } from './input/foreign-keys.ts'
import { aboutRelation, inputOf, newColumns, ownColumns, relationsOf, type WriteInput } from './input/write-input.ts'
import { firstVersion, nextVersion } from './version.ts'
import type { Subject } from './write-context.ts'
import { markOfDeleted, visible, type Writing } from './write-row.ts'

// A write that is one statement needs no transaction. What comes out as "not done" here goes the way of `write.ts`, from
// its beginning.

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
  /** Why to show it may fail, as where it shows other rows: an answer that says so must have written nothing. Null where it does not. */
  readonly mayFail: string | null
}

/** Creates a row whose relations are columns of its own; null where nothing was done. */
export async function insertInOneStatement(
  subject: Subject,
  input: WriteInput,
  { columns, mayFail }: ShownOfWritten,
): Promise<WrittenRow | null> {
  const { ctx, schema } = subject
  const writer = writerFor(subject, null, { input, mayFail })
  if (!writer) return null
  const model = schema.model.name
  const decline = (reason: string) => writer.decline(model, reason)
  const prepared = await prepare(decline, async (transaction) => {
    const event = writeEvent(ctx, transaction, { action: 'create', row: null, input: inputOf(input) })
    const data = { ...firstVersion(schema), ...(await newColumns(subject, input)) }
    return fill(ctx, model, fillHooksOf.create, { data, event })
  })
  if (!prepared) return null
  const shown = (await writer.returnsRows(model)) ? { shown: columns } : {}
  const row = await writer.insert({ model, data: prepared.data, returning: schema.id.columns, ...shown })
  if (!row) return null
  await writer.finish(prepared.late)
  return { key: pick(row, schema.id.columns), shown: wholeOf(row, columns) }
}

/** Fills a row that is still what policies and rules judged; null where nothing was done. */
export async function updateInOneStatement(
  subject: Subject,
  row: Row,
  { input, shown: { columns, mayFail } }: { readonly input: WriteInput; readonly shown: ShownOfWritten },
): Promise<WrittenRow | null> {
  const { ctx, schema } = subject
  const writer = writerFor(subject, row, { input, mayFail })
  if (!writer) return null
  const model = schema.model.name
  const decline = (reason: string) => writer.decline(model, reason)
  const prepared = await prepare(decline, async (transaction) => {
    const about = { row, input: inputOf(input), ...aboutRelation(input) }
    const event = writeEvent(ctx, transaction, { action: 'update', ...about })
    return fill(ctx, model, fillHooksOf.update, { data: await ownColumns(subject, row, input), event })
  })
  if (!prepared) return null
  const where = visible(subject, row)
  const data = Object.keys(prepared.data).length > 0 ? nextVersion(schema, row, prepared.data) : {}
  const returned = staysVisible(subject, data) && (await writer.returnsRows(model)) ? { shown: columns } : {}
  const still = { where, row: othersOf(schema, row), stored: storedOf(row) }
  const written = await writer.update({ model, data, ...still, ...returned })
  if (!written) return null
  await writer.finish(prepared.late)
  return { key: row, shown: wholeOf(written, columns) }
}

/** A row that may be seen still may when these columns have changed. */
function staysVisible({ ctx, schema: { model } }: Subject, data: Row): boolean {
  const changed = new Set([...Object.keys(data), ...updatedAtColumns(model)])
  return !dependsOn(scopeOf(ctx.served.scopesById, model.name), changed)
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
  if (!single) return false
  const model = schema.model.name
  const hook = (['deleting', 'deleted'] as const).find((each) => hasHooks(ctx, model, [each]))
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

interface Asked extends Pick<ShownOfWritten, 'mayFail'> {
  readonly input: WriteInput
}

/** Null where the write takes a transaction, or there is no connection for statements. */
function writerFor(subject: Subject, row: Row | null, asked: Asked): SingleStatementWriter | null {
  const { single } = subject.ctx.store
  if (!single) return null
  const reason = reasonForTransaction(subject, row, asked) ?? (row === null ? single.reasonAgainstInsert : null)
  if (reason === null) return single
  single.decline(subject.schema.model.name, reason)
  return null
}

/** The write is more than its own row, or what was written is looked at before it is committed. */
function reasonForTransaction({ ctx, schema }: Subject, row: Row | null, { input, mayFail }: Asked): string | null {
  const hook = ([row ? 'updated' : 'created', 'saved'] as const).find((each) =>
    hasHooks(ctx, schema.model.name, [each]),
  )
  if (hook !== undefined) return `the hook ${hook}`
  // A new row has no members that would have to go.
  const isEmpty = (relation: Relation, linkage: Linkage) =>
    row === null && isToMany(relation) && identifiersOf(linkage).length === 0
  const foreign = relationsOf(schema, input).find(
    ([relation, linkage]) =>
      relation.kind !== 'belongsTo' && relation.kind !== 'morphTo' && !isEmpty(relation, linkage),
  )
  if (foreign) return `the relation ${foreign[0].name}`
  return mayFail
}

interface Prepared {
  readonly data: Row
  readonly late: readonly AfterCommit[]
}

/** The columns as hooks fill them; null where one of them asks for the transaction, or something is wrong. */
async function prepare(
  decline: (reason: string) => void,
  fillColumns: (transaction: HookTransaction) => Promise<Row>,
): Promise<Prepared | null> {
  const transaction = new NoTransaction()
  try {
    const data = await fillColumns(transaction)
    // A hook may have caught what it was told.
    if (!transaction.isAsked) {
      transaction.hasEnded = true
      return { data, late: transaction.late }
    }
  } catch {
    // Whatever it is, the transaction comes upon it too, and translates it.
  }
  decline(transaction.isAsked ? 'a hook reads or writes rows' : 'a hook or a column failed')
  return null
}

// A class, as all that has a getter: CONTRIBUTING.md says why.
class NoTransaction implements HookTransaction {
  isAsked = false
  hasEnded = false
  readonly late: AfterCommit[] = []
  readonly afterCommit = (work: AfterCommit): void => void this.late.push(work)

  get client(): never {
    return this.#refuse()
  }

  get reader(): never {
    return this.#refuse()
  }

  #refuse(): never {
    if (this.hasEnded) throw new Error(transactionEnded)
    this.isAsked = true
    throw new Error('There is no transaction for this hook yet: it runs again inside of one.')
  }
}
