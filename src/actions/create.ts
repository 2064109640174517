import { authorize } from '../auth/authorize.ts'
import { parseResource } from '../document/parse-resource.ts'
import type { Query } from '../query/query.ts'
import { relatedRows } from '../read/related-rows.ts'
import type { CollectionOperation } from '../request/operation.ts'
import { resourceDocument } from '../serialize/documents.ts'
import { resourceUrl } from '../serialize/links.ts'
import { makeRequest } from '../validation/request/make-request.ts'
import { checkUnasked, validateCreate } from '../validation/run/validate.ts'
import { withPreparedColumns } from '../write/preparing.ts'
import { insertInOneStatement, type WrittenRow } from '../write/single-statement.ts'
import { toldVersion } from '../write/version.ts'
import { insertRow } from '../write/write.ts'
import type { ActionResult } from './action-result.ts'
import { checkCreated } from './check-fields.ts'
import type { RequestContext } from './context.ts'
import { checkDocumentIdentifiers, checkIdIsFree, shapeOf } from './document-checks.ts'
import { leaveToForeignKeys } from './leave-to-foreign-keys.ts'
import { onBroken } from './on-broken.ts'
import { queryOf } from './query-of.ts'
import { columnsOfWritten, readWritten } from './read-written.ts'

/** POST of a resource. */
export async function create(ctx: RequestContext, op: CollectionOperation): Promise<ActionResult> {
  const { schema } = op
  const { key, shown, query } = await insert(ctx, op)
  // Shown even where a scope hides it from its creator: what was created is no secret to who sent it.
  const resource = await readWritten(ctx, schema, { key, query, shown, isScoped: false })
  const url = resourceUrl(ctx, resource ?? { schema, id: schema.id.format(key) })
  const document = resourceDocument(ctx, resource, { query, url })
  const version = resource && toldVersion(ctx, schema, resource.row)
  return { status: 201, document, headers: { Location: url }, version }
}

export interface Inserted extends WrittenRow {
  /** How the client wants to see it. */
  readonly query: Query
}

/** All of it but showing what was created. */
export async function insert(ctx: RequestContext, op: CollectionOperation): Promise<Inserted> {
  const { schema } = op
  const request = makeRequest(ctx, op)
  await authorize(ctx, op, { request, row: null, value: null })
  const query = await queryOf(ctx, op)
  const document = parseResource(ctx.body, shapeOf(ctx, schema, null))
  checkCreated(ctx, schema, document)
  const related = relatedRows(ctx)
  await checkIdIsFree(ctx, schema, document.id)
  const checkNamed = () => checkDocumentIdentifiers(schema, { document, related })
  const isLeft = await leaveToForeignKeys(ctx, schema, { request, document, related })
  if (!isLeft) await checkNamed()
  const checkLeft = async () => {
    if (isLeft) await checkNamed()
  }
  const validated = await validateCreate(ctx, op, { request, document, related }).catch(async (error: unknown) => {
    await checkLeft()
    throw error
  })
  // A client may name a row by a relation that no rule lets it write: the INSERT finds out nothing of that row.
  if ([...document.relationships.keys()].some((name) => !validated.relationships.has(name))) await checkLeft()
  const subject = { ctx, schema, related }
  const input = await withPreparedColumns(subject, null, validated)
  const written = await insertInOneStatement(subject, input, columnsOfWritten(schema, query))
  if (written) return { ...written, query }
  await checkLeft()
  await checkUnasked(ctx, validated)
  const key = await ctx.store.write(
    (transaction) => insertRow(transaction, subject, input),
    onBroken(schema, validated, document.id),
  )
  return { key, shown: null, query }
}
