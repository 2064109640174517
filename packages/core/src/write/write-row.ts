import { isDeepStrictEqual } from 'node:util'
import { all, columnOf, compare, equals, everything } from '@prismapi/jsonapi/condition/build'
import type { Condition } from '@prismapi/jsonapi/condition/condition'
import type { JsonApiError } from '@prismapi/jsonapi/document/error'
import { constraintBroken, forbidden, invalidField, notFound } from '@prismapi/jsonapi/document/errors'
import { say } from '@prismapi/jsonapi/document/text'
import type { ModelMeta } from '@prismapi/jsonapi/model/meta'
import { Decimal } from '@prismapi/jsonapi/model/prisma-values'
import type { Row } from '@prismapi/jsonapi/model/where'
import type { Prepared, ShownToHooks } from '@prismapi/jsonapi/request/write-state'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { preparedOutside, Unprepared } from '../database/attempts.ts'
import { withoutGenerated } from '../database/prisma/client.ts'
import type { RowsChange } from '../database/store.ts'
import { allColumns, idWhere, planRow } from '../read/plan.ts'
import type { ReadContext } from '../read/read-context.ts'
import type { RequestTransaction } from '../read/rows.ts'
import {
  fill,
  fillHooksOf,
  hasHooks,
  hasPrepareHooks,
  prepareEvent,
  type RowHookName,
  runHooks,
  runPrepareHooks,
  type WriteEvent,
  writeEvent,
} from './hooks.ts'
import { inputOf, newColumns, ownColumns, type WriteInput } from './input.ts'
import type { Subject, WriteContext } from './write-context.ts'

interface NewRow {
  readonly columns: Row
  /** Whether hooks have filled them already; left out, they have not. */
  readonly isFilled?: boolean
  /** What the client sent, for hooks. */
  readonly input: Row
  /** The columns of the created row that are wanted back, beside its key. */
  readonly select: readonly string[]
  /** What belongs to it, written before a hook is told of the row. */
  readonly also?: (created: Row) => Promise<void>
}

export type Writing = Pick<Subject, 'ctx' | 'schema'>

/** Creates a row, with its hooks. */
export async function createRow(transaction: RequestTransaction, { ctx, schema }: Writing, row: NewRow): Promise<Row> {
  const model = schema.model.name
  const event = writeEvent(ctx, transaction, { action: 'create', row: null, input: row.input })
  const columns = { ...firstVersion(schema), ...row.columns }
  const filled = row.isFilled ? columns : await fill(ctx, model, fillHooksOf.create, { data: columns, event })
  const at = { model: schema.model, provider: ctx.server.resources.provider }
  const data = withEmptyLists(schema.model, await withoutGenerated(transaction.ask, at, filled))
  checkRequired({ ctx, schema }, data)
  const returning = [...new Set([...schema.id.columns, ...row.select])]
  const created = await transaction.writer.insert({ model: schema.model, data, returning })
  await row.also?.(created)
  await runHooksAfter(transaction, { ctx, schema }, ['created', 'saved'], { row: created, event })
  return created
}

/** A list without a value would be NULL in the database, where it is shown as an empty one. */
function withEmptyLists({ columns }: ModelMeta, data: Row): Row {
  const left = Object.values(columns).filter(
    ({ name, isList, default: made }) => isList && made === null && data[name] == null,
  )
  return left.length === 0 ? data : { ...data, ...Object.fromEntries(left.map(({ name }) => [name, []])) }
}

/** Removes a row, with its hooks; or marks it as deleted where the schema says so, unless it is marked already. */
export async function removeRow(transaction: RequestTransaction, { ctx, schema }: Writing, row: Row): Promise<void> {
  const model = schema.model.name
  const event = writeEvent(ctx, transaction, { action: 'delete', row })
  await runHooks(ctx, model, ['deleting'], { row, event })
  const where = visible({ ctx, schema }, row)
  const { writer } = transaction
  const { deletedAt, model: of } = schema
  const mark = markOfDeleted(schema, row)
  const count =
    deletedAt && mark
      ? await writer.update({ model: of, where: all(where, equals(of, deletedAt, null)), data: mark })
      : await writer.remove({ model: of, where })
  if (count === 0) await checkRemoved(transaction, { ctx, schema }, row)
  await runHooks(ctx, model, ['deleted'], { row, event })
}

/**
 * A trigger may take a row in the place of the database: what it has marked, or moved, is removed.
 *
 * @throws {JsonApiError} 409 where the row is as it was; 404 where it was gone before
 */
async function checkRemoved(transaction: RequestTransaction, { schema }: Writing, row: Row): Promise<void> {
  const [left] = await transaction.rows.unscoped.read(planRow(schema, Object.keys(row), idWhere(schema, row)))
  if (!left || (schema.deletedAt !== null && isTrashed(schema, left))) throw notFound()
  const isSeen = await transaction.rows.read('named', planRow(schema, schema.id.columns, idWhere(schema, row)))
  if (isSeen.length > 0 && isSameRow(left, row)) throw constraintBroken(say`The database refuses the change.`)
}

/** What is set of a row in the place of its removal; null where it goes for good. */
export const markOfDeleted = (schema: ResourceSchema, row: Row): Row | null =>
  schema.deletedAt && !isTrashed(schema, row) ? nextVersion(schema, row, { [schema.deletedAt]: new Date() }) : null

/** Was the row deleted softly. */
export const isTrashed = ({ deletedAt }: ResourceSchema, row: Row): boolean =>
  deletedAt !== null && row[deletedAt] != null

/** The condition of a statement that changes a row, if the caller sees it. */
export const visible = ({ ctx, schema }: Writing, row: Row): Condition =>
  all(idWhere(schema, row), ctx.rows.visible('named', schema.model.name))

/** Runs hooks with a row as it is after the write, which is read again only where there are any. */
export async function runHooksAfter(
  transaction: RequestTransaction,
  { ctx, schema }: Writing,
  names: readonly RowHookName[],
  { row, event }: { readonly row: Row; readonly event: WriteEvent },
): Promise<void> {
  if (!hasHooks(ctx, schema.model.name, names)) return
  const [written] = await transaction.rows.unscoped.read(planRow(schema, allColumns(schema), idWhere(schema, row)))
  if (written) await runHooks(ctx, schema.model.name, names, { row: written, event })
}

// What has no rule may be filled by a hook, so only here is it known to be missing.
function checkRequired(writing: Writing, data: Row): void {
  for (const column of Object.values(writing.schema.model.columns)) {
    const { name, isNullable, isList, isUpdatedAt } = column
    if (isNullable || isList || isUpdatedAt || column.default !== null || data[name] != null) continue
    throw missing(writing, name)
  }
}

function missing({ ctx, schema }: Writing, column: string): JsonApiError {
  const relations = [...schema.relations.values()].filter((each) => each.kind === 'belongsTo')
  const field =
    relations.find((each) => each.isRequired && each.columns.includes(column)) ??
    [...schema.attributes.values()].find((each) => each.column?.name === column)
  if (field && !field.readOnly)
    return invalidField({
      detail: say`The ${field.name} field is required.`,
      pointer: '/data',
      code: 'required',
      meta: { field: field.name },
    })
  const refused = say`Resources of type ${schema.type} cannot be created.`
  const cure = `${schema.model.name}.${column} is required, and clients cannot send it. Fill it in a creating hook, write /// @writeOnly above it, or let a schema class show it.`
  return forbidden(ctx.server.production ? refused : `${refused} ${cure}`)
}

/**
 * Whether rows have the same values, whoever read them: each copy of Prisma's package has its own class for decimals,
 * and readers differ about dates that JavaScript lacks.
 */
export const isSameRow = (one: Row, other: Row): boolean =>
  isDeepStrictEqual(Object.keys(one).sort(), Object.keys(other).sort()) &&
  Object.keys(one).every((name) => isSameValue(one[name], other[name]))

/** The same of one column. */
export const isSameValue = (one: unknown, other: unknown): boolean => isDeepStrictEqual(toldOf(one), toldOf(other))

function toldOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toldOf)
  if (Decimal.isDecimal(value)) return { decimal: String(value) }
  return value instanceof Date && !isCommon(value) ? { instant: null } : value
}

// NaN is no year.
const isCommon = (instant: Date): boolean => instant.getUTCFullYear() >= 1 && instant.getUTCFullYear() <= 9999

/**
 * What fills the row, with what `preparing` hooks say.
 *
 * @param row as it is now; null on create.
 */
export async function withPreparedColumns(subject: Subject, row: Row | null, input: WriteInput): Promise<WriteInput> {
  const { ctx, schema } = subject
  const model = schema.model.name
  if (!hasPrepareHooks(ctx, model)) return input
  const data = await (row ? ownColumns(subject, row, input) : newColumns(subject, input))
  const [columns = {}] = await preparedColumns([{ ctx, model, shown: { row, data, input: inputOf(input) } }])
  return { ...input, columns }
}

interface ToPrepare {
  readonly ctx: WriteContext
  readonly model: string
  readonly shown: ShownToHooks
}

/**
 * The columns that `preparing` hooks set for each row. The hooks run before the transaction begins, once for each
 * resource, however often the write is tried, and again only if something that they read has changed.
 */
export async function preparedColumns(rows: readonly ToPrepare[]): Promise<readonly Row[]> {
  const missing = rows.filter(
    ({ ctx, model, shown }) => hasPrepareHooks(ctx, model) && !ctx.preparation.prepared?.isFor(shown),
  )
  const run = async () => {
    for (const { ctx, model, shown } of missing) {
      ctx.preparation.runs++
      ctx.preparation.prepared = await prepare(ctx, model, shown)
    }
  }
  if (missing.some(({ ctx }) => ctx.store.isWithin && ctx.preparation.runs < preparedOutside)) throw new Unprepared(run)
  await run()
  return rows.map(({ ctx }) => ctx.preparation.prepared?.columns ?? {})
}

async function prepare(ctx: WriteContext, model: string, { row, data, input }: ShownToHooks): Promise<Prepared> {
  const reads = { row: new Reads(), data: new Reads(), input: new Reads() }
  const event = prepareEvent(ctx, {
    action: row ? 'update' : 'create',
    row: row && reads.row.watched(row),
    input: reads.input.watched(input),
  })
  const columns = await runPrepareHooks(ctx, model, (set) => reads.data.watched({ ...data, ...set }), event)
  return {
    columns,
    isFor(now) {
      const isSameRow = row && now.row ? reads.row.areSame(row, now.row) : row === now.row
      return isSameRow && reads.data.areSame(data, now.data) && reads.input.areSame(input, now.input)
    },
  }
}

/** Which members of an object a hook reads. */
class Reads {
  readonly #members = new Set<PropertyKey>()
  #isAll = false

  /** The object, as the hook is given it. */
  watched<T extends Row>(object: T): T {
    return new Proxy(object, {
      get: (target, member) => {
        this.#members.add(member)
        return Reflect.get(target, member)
      },
      has: (target, member) => {
        this.#members.add(member)
        return Reflect.has(target, member)
      },
      ownKeys: (target) => {
        this.#isAll = true
        return Reflect.ownKeys(target)
      },
    })
  }

  /** Have both what was read, and the same of it. */
  areSame(one: Row, other: Row): boolean {
    if (this.#isAll) return isSameRow(one, other)
    return [...(this.#members as Set<string>)].every(
      (member) => member in one === member in other && isSameValue(one[member], other[member]),
    )
  }
}

/** Which state of its resource a row is, as text; null for a type without versions. */
export function versionOf({ version }: ResourceSchema, row: Row): string | null {
  if (!version) return null
  const value = row[version.column]
  return value instanceof Date ? value.toISOString() : String(value)
}

/**
 * The version of a row for its entity tag. Null where a rule hides the version's column from the caller, unless clients
 * have to name the version.
 */
export function toldVersion({ seen }: Pick<ReadContext, 'seen'>, schema: ResourceSchema, row: Row): string | null {
  const { version, requiresIfMatch, model } = schema
  const isHidden = version !== null && seen(model.name)?.stored.has(version.column)
  return isHidden && !requiresIfMatch ? null : versionOf(schema, row)
}

/** The columns, and the one of the version. */
export const withVersion = ({ version }: ResourceSchema, columns: readonly string[]): readonly string[] =>
  version && !columns.includes(version.column) ? [...columns, version.column] : columns

/** What a new row counts from, where its database does not say. */
export function firstVersion({ version, model }: ResourceSchema): Row {
  if (version?.kind !== 'counter' || model.columns[version.column]?.default !== null) return {}
  return { [version.column]: 1 }
}

/** What is set of a row that was read, with the version that it has from then on: never one that it had before. */
export function nextVersion({ version }: ResourceSchema, row: Row, data: Row = {}): Row {
  if (!version) return data
  const { column } = version
  if (version.kind === 'counter') return { ...data, [column]: Number(row[column]) + 1 }
  return { ...data, [column]: after(row[column], data[column]) }
}

interface UnreadVersion {
  readonly data: Row
  /** The column that counts one more; left out, none. */
  readonly increment?: string
  /** The rows that this is a new version of. */
  readonly where: Condition
}

/** The same of a row that was not read; null where the version that it had decides the next one. */
export function nextVersionUnread({ version, model }: ResourceSchema, data: Row): UnreadVersion | null {
  if (!version) return { data, where: everything }
  const { column } = version
  if (column in data) return null
  if (version.kind === 'counter') return { data, increment: column, where: everything }
  const now = new Date()
  return { data: { ...data, [column]: now }, where: compare(columnOf(model, column), 'lt', now) }
}

/** The next version of all rows that meet the condition: columns to set, or the one that counts. */
export async function nextVersions(
  { rows }: Pick<RequestTransaction, 'rows'>,
  { version, model }: ResourceSchema,
  where: Condition,
): Promise<Pick<RowsChange, 'increment'> & { readonly data?: Row }> {
  if (!version) return {}
  const { column } = version
  if (version.kind === 'counter') return { increment: column }
  const order = [{ path: [column], direction: 'desc' as const }]
  const level = { model: model.name, columns: [column], where, order }
  const [last] = await rows.unscoped.read({ kind: 'rows', ...level, skip: 0, take: 1 })
  return { data: { [column]: after(last?.[column]) } }
}

// Two changes may fall into one millisecond, and clocks may be put back.
function after(before: unknown, wanted?: unknown): Date {
  const instant = wanted instanceof Date ? wanted : new Date()
  if (!(before instanceof Date) || instant > before) return instant
  return new Date(before.getTime() + 1)
}
