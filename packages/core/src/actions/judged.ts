import type { JsonApiError } from '@prismapi/jsonapi/document/error'
import {
  conflict,
  constraintBroken,
  invalidField,
  preconditionFailed,
  preconditionRequired,
  stillRelated,
} from '@prismapi/jsonapi/document/errors'
import { say } from '@prismapi/jsonapi/document/text'
import { pointer } from '@prismapi/jsonapi/document/types'
import type { ModelMeta } from '@prismapi/jsonapi/model/meta'
import type { Row } from '@prismapi/jsonapi/model/where'
import type { Versions } from '@prismapi/jsonapi/request/operation'
import type { Preparation } from '@prismapi/jsonapi/request/write-state'
import { areSameColumns, foreignKeyColumns } from '@prismapi/jsonapi/schema/relation-kinds'
import { type ResourceSchema, type SchemaRegistry, schemaOf } from '@prismapi/jsonapi/schema/resource-schema'
import { type BrokenConstraint, type OnBroken, translated } from '../database/prisma/database-errors.ts'
import type { Reader } from '../database/reader.ts'
import { wrap } from '../database/wrap.ts'
import type { RequestTransaction } from '../read/rows.ts'
import { failure } from '../validation/failures/failure.ts'
import { toErrors } from '../validation/failures/places.ts'
import type { Values } from '../validation/request/request-base.ts'
import { fieldOfColumn } from '../validation/rules/unique-rules.ts'
import type { Validated } from '../validation/run/validate.ts'
import { toldVersion } from '../write/write-row.ts'
import { contextWithin, type RequestContext, withRows } from './context.ts'
import { mayRead, type ToChange } from './reading.ts'

/** What policies and rules have let pass, ready to be written. */
export interface Judged {
  /** What a constraint means that the write breaks. */
  readonly onBroken: OnBroken
  /**
   * Runs the checks that were skipped because one statement would have made them. Call it when that statement did not
   * run.
   *
   * @throws {JsonApiError} what is wrong with it.
   */
  checkLeft?(): Promise<void>
}

/**
 * Prepares a single-statement write. If preparing fails, the skipped checks run first, so the client gets their error
 * rather than this one.
 *
 * @throws {JsonApiError}
 */
export async function beforeStatement<T>({ onBroken, checkLeft }: Judged, work: () => Promise<T>): Promise<T> {
  try {
    return await translated(work, onBroken)
  } catch (error) {
    await checkLeft?.()
    throw error
  }
}

/** How an operation is judged, and what is written then, by the transaction and the context inside of it. */
interface Recipe<J, T> {
  readonly judge: (ctx: RequestContext) => Promise<J>
  readonly write: (transaction: RequestTransaction, within: RequestContext, judged: J) => Promise<T>
}

/**
 * The context for judging a write before its transaction, so that no writer waits for a write that is denied. It notes
 * whether policies and rules counted rows other than the one that is written.
 */
export const contextForJudging = (ctx: RequestContext): RequestContext =>
  withRows(ctx, ctx.rows.over(notingCounts(ctx.rows.unscoped, ctx.preparation)), ctx.store)

const notingCounts = (reader: Reader, preparation: Preparation): Reader =>
  wrap(reader, (plan, read) => {
    if (plan.kind === 'count') preparation.hasReadOthers = true
    return read()
  })

/** Whether other requests may have changed what the write was judged by: then its transaction judges it once more. */
const isJudgedInside = ({ preparation, store }: Pick<RequestContext, 'preparation' | 'store'>): boolean =>
  preparation.hasReadOthers && !store.isWithin

/** Writes what was judged, in one transaction. */
export async function writeJudged<J extends Judged, T>(
  ctx: RequestContext,
  outside: J,
  { judge, write }: Recipe<J, T>,
): Promise<T> {
  const isInside = isJudgedInside(ctx)
  if (!isInside) await outside.checkLeft?.()
  return ctx.store.write(async (transaction) => {
    const within = contextWithin(ctx, transaction)
    if (!isInside) return write(transaction, within, outside)
    const judged = await judge(within)
    return translated(() => write(transaction, within, judged), judged.onBroken)
  }, outside.onBroken)
}

/**
 * Checks that the row has the version that the client expects. Every write compares the row again in its own
 * transaction or statement, so the result holds until then. If the caller may not read the row, no version matches: a
 * match would tell when the row was changed.
 *
 * @throws {JsonApiError} 412; or 428 where the schema demands a version and the client named none.
 */
export async function checkPrecondition(ctx: RequestContext, op: ToChange, row: Row): Promise<void> {
  const { precondition } = ctx
  const { schema } = op
  if (schema.requiresIfMatch && !precondition?.match) throw preconditionRequired(schema.type)
  if (!precondition) return
  const { match, noneMatch, pointer } = precondition
  const namesVersion = [match, noneMatch].some((versions) => versions && versions !== 'any')
  const version = namesVersion && (await mayRead(ctx, op, row)) ? toldVersion(ctx, schema, row) : null
  if (match && !includes(match, version))
    throw preconditionFailed(version === null ? unversioned(schema) : stale, pointer)
  if (noneMatch && includes(noneMatch, version)) throw preconditionFailed(existing, pointer)
}

const includes = (versions: Versions, version: string | null): boolean =>
  versions === 'any' || (version !== null && versions.includes(version))

const stale = say`The resource is not at the version that the request names: read it again before you change it.`
const existing = say`The resource is what If-None-Match rules out.`
const unversioned = ({ type }: ResourceSchema) =>
  say`Resources of type ${type} have no version that a request could name.`

/** The type that is written, and the server that serves it. */
interface WrittenType {
  readonly ctx: { readonly server: { readonly schemas: SchemaRegistry } }
  readonly schema: ResourceSchema
}

/**
 * The client's error for a broken constraint. A unique constraint broken in a race: the id or the field is taken. A
 * column that cannot be null, though no rule demanded it: the field of the column, or the rows that a delete leaves.
 */
export const constraintErrorOfWrite =
  ({ ctx, schema }: WrittenType, validated: Validated, id: string | null): OnBroken =>
  (broken) => {
    const columns = columnsOf(schema.model, broken)
    const explained = explainedConstraint(schema, broken, columns, inResource(schema))
    if (explained !== null) return explained
    if (broken.kind === 'missing') return leftBehind(ctx, broken, schema) ?? missing(schema, columns)
    if (broken.kind !== 'unique') return null
    const partner = takenPartner({ ctx, schema }, validated, broken)
    if (partner !== null) return taken(validated, partner)
    if (isOfOther(schema, broken)) return null
    return id !== null && columns.length > 0 && columns.every((column) => schema.id.columns.includes(column))
      ? conflict(say`Resource ${id} already exists.`, '/data/id')
      : takenByAnother(validated, columns)
  }

/** The client's error for a constraint that a DELETE breaks: the schema class's words, or the rows that need it. */
export const constraintErrorOfDelete =
  ({ ctx, schema }: WrittenType): OnBroken =>
  (broken) =>
    explainedConstraint(schema, broken, columnsOf(schema.model, broken), inResource(schema)) ?? leftBehind(ctx, broken)

/**
 * The client's error for a constraint that an action breaks: the schema class's words, at the input of that name if
 * there is one, or the rows that need a row which the action deleted.
 */
export const constraintErrorOfAction =
  ({ ctx, schema }: WrittenType, input: Values): OnBroken =>
  (broken) =>
    explainedConstraint(schema, broken, columnsOf(schema.model, broken), (field) =>
      field !== undefined && Object.hasOwn(input, field) ? pointer('/meta', field) : '/meta',
    ) ?? leftBehind(ctx, broken, schema)

/**
 * The rows whose foreign key the database would have set to null, after a row was deleted, if the column could be null.
 * Returns null where another constraint was broken, and where clients do not see the relation.
 *
 * @param written the type whose own missing columns come from the document, and not from the database
 */
function leftBehind(
  { server }: WrittenType['ctx'],
  { kind, table, columns: [column] }: BrokenConstraint,
  written?: ResourceSchema,
): JsonApiError | null {
  if (kind !== 'missing') return null
  for (const schema of server.schemas.byModel.values()) {
    const { model, type } = schema
    if (model.table !== table || schema === written) continue
    const isIts = (name: string) => model.columns[name]?.column === column
    const relations = [...schema.relations.values()].filter((relation) => foreignKeyColumns(relation).some(isIts))
    if (relations.length > 0)
      return stillRelated(
        type,
        relations.map(({ name }) => name),
      )
  }
  return null
}

/** The schema class's words for a broken constraint: by its name, its columns, or the database's code. */
function explainedConstraint(
  schema: ResourceSchema,
  broken: BrokenConstraint,
  columns: readonly string[],
  pointerTo: (field: string | undefined) => string,
): JsonApiError | null {
  const { constraints, model } = schema
  const { kind, constraint, code } = broken
  const isOfColumns = (name: string) =>
    !isOfOther(schema, broken) && columns.length > 0 && model.constraints[name]?.join() === columns.join()
  const [, said] =
    [...constraints].find(([name]) => name === constraint) ??
    [...constraints].find(([name]) => kind === 'unique' && isOfColumns(name)) ??
    [...constraints].find(([name]) => name === code) ??
    []
  if (!said) return null
  const { field, message } = said
  if (field === undefined)
    return kind === 'unique' || kind === 'excluded'
      ? conflict(message)
      : invalidField({ detail: message, pointer: pointerTo(field), code: 'constraint' })
  return invalidField({ detail: message, pointer: pointerTo(field), code: 'constraint', meta: { field } })
}

/** A hook or an action has written another model, whose columns may have the same names. */
const isOfOther = ({ model }: ResourceSchema, { model: written }: BrokenConstraint): boolean =>
  written !== null && written !== model.name

/** The place of a field in the document of a resource. */
const inResource =
  ({ attributes, relations }: ResourceSchema) =>
  (field = ''): string => {
    const member = attributes.has(field) ? 'attributes' : relations.has(field) ? 'relationships' : null
    return member === null ? '/data' : `/data/${member}/${field}`
  }

/** Prisma's names of the columns, of which the database says its own, or none but the name of the constraint. */
function columnsOf(model: ModelMeta, { constraint, columns }: BrokenConstraint): readonly string[] {
  const named = constraint === null ? undefined : model.constraints[constraint]
  if (named) return named
  if (constraint !== null && columns.length === 0) return []
  const all = Object.values(model.columns)
  return columns.map((stored) => all.find(({ column }) => column === stored)?.name ?? stored)
}

function missing(schema: ResourceSchema, [column = '']: readonly string[]): JsonApiError | null {
  const field = fieldOfColumn(schema, column)
  if (field === null) return null
  return invalidField({
    detail: say`The ${field} field is required.`,
    pointer: '/data',
    code: 'required',
    meta: { field },
  })
}

/**
 * The client's error for a broken unique constraint, when another request was faster: the 422 of the rule, or 409 where
 * no rule covers the columns.
 */
export function takenByAnother({ prepared, rules }: Validated, columns: readonly string[]): JsonApiError {
  const { operation, data } = prepared
  const named = columns.map((column) => fieldOfColumn(operation.schema, column)).filter((name) => name !== null)
  const covered = named.filter((name) => rules.fields.has(name))
  const sent = covered.filter((name) => data[name] !== undefined && data[name] !== null)
  // A name is taken within an organization, not the organization.
  const field = sent.find((name) => operation.schema.attributes.has(name)) ?? sent[0] ?? covered[0]
  if (field === undefined) return constraintBroken(say`The resource is in conflict with another one.`)
  return taken({ prepared }, field)
}

/**
 * The client's error where the document sets a one-to-one relation whose key is in the other row: the previous partner
 * cannot be without one, or a scope hides it. Null where something else was broken.
 */
function takenPartner({ ctx, schema }: WrittenType, { prepared }: Validated, broken: BrokenConstraint): string | null {
  for (const relation of schema.relations.values()) {
    if (relation.kind !== 'hasOne' || relation.model !== broken.model || prepared.data[relation.name] == null) continue
    const { model } = schemaOf(ctx.server.schemas, relation.model)
    if (areSameColumns(columnsOf(model, broken), relation.columns)) return relation.name
  }
  return null
}

/** 422, as the rule `unique()` gives it. */
function taken({ prepared: { request, placesOf } }: Pick<Validated, 'prepared'>, field: string): JsonApiError {
  const wording = { messages: request.messages(), attributes: request.attributes() }
  const [error] = toErrors([failure([field], 'unique')], placesOf(), wording)
  return error as JsonApiError
}
