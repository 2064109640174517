import { all, equals, nothing } from '@prismapi/jsonapi/condition/build'
import type { Condition } from '@prismapi/jsonapi/condition/condition'
import { dependsOn } from '@prismapi/jsonapi/condition/memory'
import { type ParsedResource, parseResource } from '@prismapi/jsonapi/document/parse-document'
import type { Row } from '@prismapi/jsonapi/model/where'
import type { Query } from '@prismapi/jsonapi/query/query'
import type { ResourceOperation } from '@prismapi/jsonapi/request/operation'
import { attributeOf, isKeyAttribute, type ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { authorize } from '../auth/authorize.ts'
import { fieldsFor } from '../auth/viewable.ts'
import { findOrFail, findToChange, relatedRows } from '../read/find.ts'
import { idWhere, noColumns } from '../read/plan.ts'
import { resourceDocument } from '../serialize/documents.ts'
import { resourceUrl } from '../serialize/links.ts'
import { makeRequest } from '../validation/request/make-request.ts'
import { checkUnasked, validateUnread, validateUpdate } from '../validation/run/validate.ts'
import { hasHooks, hasHooksBefore } from '../write/hooks.ts'
import { ownColumns, type WriteInput } from '../write/input.ts'
import {
  filledOutside,
  type ShownOfWritten,
  statementFor,
  updateInOneStatement,
  updateUnreadRow,
  type WrittenRow,
} from '../write/single-statement.ts'
import { updateRow } from '../write/write.ts'
import type { Subject } from '../write/write-context.ts'
import { withPreparedColumns } from '../write/write-row.ts'
import { checkChanged } from './check-fields.ts'
import { type ActionResult, noContent, ok, type RequestContext } from './context.ts'
import {
  checkDocumentIdentifiers,
  checkKeyRelations,
  otherSpelling,
  permitDocumentLinks,
  shapeOf,
} from './document-checks.ts'
import { beforeStatement, checkPrecondition, constraintErrorOfWrite, type Judged, writeJudged } from './judged.ts'
import {
  asViewerOf,
  queryOf,
  readWritten,
  rowsAllowed,
  shownOfWritten,
  shownVersion,
  unpricedQueryOf,
  viewsAll,
} from './reading.ts'

/** PATCH of a resource. */
export async function update(ctx: RequestContext, op: ResourceOperation): Promise<ActionResult> {
  const { schema } = op
  const unread = await updateUnread(ctx, op)
  if (unread) return answer(ctx, schema, unread)
  const judged = await judgeUpdate(ctx, op)
  const { subject, row, query } = judged
  const shown = shownOfWritten(ctx, schema, query)
  const writer = statementFor(subject, row, { input: judged.input, shown })
  const input = writer ? await beforeStatement(judged, () => filledOutside(subject, row, judged.input)) : judged.input
  const written = writer && (await updateInOneStatement(writer, subject, row, { input, shown }))
  if (written) return answer(ctx, schema, { query, ...written })
  return writeJudged(
    ctx,
    { ...judged, input },
    {
      judge: (within) => judgeUpdate(within, op),
      async write(transaction, within, { subject, row, input, query }) {
        await updateRow(transaction, subject, row, input)
        // Inside, so that a document that is refused undoes the write.
        return answer(within, schema, { key: row, shown: null, query })
      },
    },
  )
}

interface ChangedResource extends Judged {
  readonly subject: Subject
  /** As it was when it was judged. */
  readonly row: Row
  readonly input: WriteInput
  readonly query: Query
}

/** What the client wants changed, if it may, and its document is valid. */
export async function judgeUpdate(ctx: RequestContext, op: ResourceOperation): Promise<ChangedResource> {
  const { schema, id } = op
  const row = await findToChange(ctx, schema, id)
  const request = makeRequest(ctx, op, row)
  await authorize(ctx, op, { request, row, value: null })
  const query = await queryOf(ctx, op)
  await checkPrecondition(ctx, op, row)
  const viewer = await asViewerOf(ctx, schema, row)
  const sent = parseResource(ctx.body, shapeOf(ctx, schema, schema.id.format(row), await otherSpelling(ctx, op, row)))
  const related = relatedRows(ctx)
  const document = await checkChanged(viewer, schema, { document: sent, related, row })
  await checkDocumentIdentifiers(schema, { document, related })
  await checkKeyRelations(ctx, schema, { document, related, row })
  const permitLinks = permitDocumentLinks(ctx, document, { schema, row, related })
  const validated = await validateUpdate(viewer, op, { request, row, document, related, permitLinks })
  const subject = { ctx, schema, related }
  return {
    subject,
    row,
    query,
    input: await withPreparedColumns(subject, row, validated),
    onBroken: constraintErrorOfWrite(subject, validated, null),
    async checkLeft() {
      // Most often another writer was faster, which is told sooner without a transaction.
      if (ctx.precondition && !ctx.store.isWithin) await checkPrecondition(ctx, op, await findOrFail(ctx, schema, id))
      await checkUnasked(ctx, validated)
    },
  }
}

interface Updated extends WrittenRow {
  readonly query: Query
}

async function answer(
  ctx: RequestContext,
  schema: ResourceSchema,
  { key, shown, query }: Updated,
): Promise<ActionResult> {
  const resource = await readWritten(ctx, schema, { key, query, shown, isScoped: true })
  if (!resource) return noContent
  return ok(
    await resourceDocument(ctx, resource, { query, url: resourceUrl(ctx, resource) }),
    shownVersion(ctx, resource),
  )
}

// A PATCH by one statement, which reads no row before. Only framework code runs for it, so it may give up silently: the
// way that reads the row first then reports what is wrong, in its order.

/**
 * Changes a row by a statement that checks by itself whether the row exists, may be seen, may be changed, and has the
 * version that the client names. Returns null if more than conditions decide that, if the document is not valid, or if
 * the statement found no row.
 */
async function updateUnread(ctx: RequestContext, op: ResourceOperation): Promise<Updated | null> {
  const { schema, id } = op
  const { single } = ctx.store
  const key = schema.id.parse(id)
  if (!single || !key || schema.id.format(key) !== id || isLookedAt(ctx, schema)) return null
  if (!(await single.returnsRows(schema.model.name))) return null
  const change = await planned(ctx, op).catch(() => null)
  if (!change) return null
  const { where, data, query, shown } = change
  const written = await updateUnreadRow(
    single,
    { ctx, schema },
    { key, where: all(idWhere(schema, key), where), data, shown },
  )
  return written && { query, ...written }
}

/** Does code of the application, or an observer, look at the row before it is changed, or afterwards. */
function isLookedAt(ctx: RequestContext, { id, model: { name } }: ResourceSchema): boolean {
  const { server, observer } = ctx
  return (
    id.columns.length > 1 ||
    server.requests.has(name) ||
    hasHooksBefore(ctx, name, 'update') ||
    hasHooks(ctx, name, ['updated', 'saved']) ||
    Boolean(observer?.authorized ?? observer?.fieldWritten)
  )
}

interface Change {
  /** Which rows may be changed. */
  readonly where: Condition
  readonly data: Row
  readonly query: Query
  readonly shown: ShownOfWritten
}

/** Null where the row has to be known. @throws {JsonApiError} for what is wrong with the request. */
async function planned(ctx: RequestContext, op: ResourceOperation): Promise<Change | null> {
  const { schema } = op
  const { name } = schema.model
  const allowed = rowsAllowed(ctx, schema, 'update')
  // What other rows decide is asked inside of a transaction.
  if (allowed === 'code' || allowed === nothing || dependsOn(allowed, noColumns)) return null
  const named = versionNamed(ctx, schema)
  if (!named) return null
  const query = unpricedQueryOf(ctx, op)
  const shown = shownOfWritten(ctx, schema, query)
  // Other rows are shown for a price, which the way that looks at the row first takes.
  if (shown.mayFail !== null) return null
  const document = parseResource(ctx.body, shapeOf(ctx, schema, op.id))
  if (!setsPlainColumns(ctx, schema, document)) return null
  const request = makeRequest(ctx, op)
  const related = relatedRows(ctx)
  const validated = await validateUnread(ctx, op, { request, document, related })
  if (!validated) return null
  const data = await ownColumns({ ctx, schema, related }, null, validated)
  if (Object.keys(data).length === 0) return null
  return { where: all(ctx.rows.visible('named', name), allowed, named), data, query, shown }
}

/** Are all of its fields columns of the row that no rule about fields is about, and no other column depends on. */
function setsPlainColumns(ctx: RequestContext, schema: ResourceSchema, document: ParsedResource): boolean {
  if (document.relationships.size > 0) return false
  const ruled = fieldsFor(ctx, schema.model.name, 'update')?.fields
  return [...document.attributes.keys()].every((name) => {
    const attribute = attributeOf(schema, name, ctx.served.trash)
    if (!attribute || ruled?.has(name) || name === schema.deletedAtAttribute) return false
    const { column, isConverted, readOnly } = attribute
    if (readOnly) return true
    return column !== null && !isConverted && !column.isForeignKey && !isKeyAttribute(schema, attribute)
  })
}

/**
 * The condition that the row has the version that the client names; null if one condition cannot express it; then the
 * row is read first.
 */
function versionNamed(ctx: RequestContext, schema: ResourceSchema): Condition | null {
  const { precondition } = ctx
  const { version, model, requiresIfMatch } = schema
  if (!precondition?.match) return requiresIfMatch || precondition?.noneMatch ? null : all()
  if (precondition.noneMatch) return null
  if (precondition.match === 'any') return all()
  const [text, ...others] = precondition.match
  // Of a row that the caller may not read, no version is the right one.
  if (text === undefined || others.length > 0 || !version || !viewsAll(ctx, schema)) return null
  if (ctx.seen(model.name)?.stored.has(version.column)) return null
  const value = version.kind === 'counter' ? counterIn(text) : instantIn(text)
  return value === null ? null : equals(model, version.column, value)
}

/** Versions are compared as texts: 007 is none. */
function counterIn(text: string): number | null {
  const count = Number(text)
  return Number.isSafeInteger(count) && String(count) === text ? count : null
}

function instantIn(text: string): Date | null {
  const instant = new Date(text)
  return !Number.isNaN(instant.getTime()) && instant.toISOString() === text ? instant : null
}
