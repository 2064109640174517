import { authorize } from '../auth/authorize.ts'
import { parseResource } from '../document/parse-resource.ts'
import type { Query } from '../query/query.ts'
import { relatedRows } from '../read/related-rows.ts'
import type { CollectionOperation } from '../request/operation.ts'
import type { ResourceSchema } from '../schema/resource-schema.ts'
import { resourceDocument } from '../serialize/documents.ts'
import { resourceUrl } from '../serialize/links.ts'
import { makeRequest } from '../validation/request/make-request.ts'
import { checkUnasked, validateCreate } from '../validation/run/validate.ts'
import { withPreparedColumns } from '../write/preparing.ts'
import { insertInOneStatement, type WrittenRow } from '../write/single-statement.ts'
import { insertRow } from '../write/write.ts'
import type { ActionResult } from './action-result.ts'
import { checkCreated } from './check-fields.ts'
import { contextWithin, type RequestContext } from './context.ts'
import { checkDocumentIdentifiers, checkIdIsFree, permitDocumentLinks, shapeOf } from './document-checks.ts'
import { withWholeId } from './key-parts.ts'
import { leaveToForeignKeys } from './leave-to-foreign-keys.ts'
import { onBroken } from './on-broken.ts'
import { queryOf } from './query-of.ts'
import { readWritten, shownOfWritten, shownVersion } from './read-written.ts'

/** POST of a resource. */
export const create = (ctx: RequestContext, op: CollectionOperation): Promise<ActionResult> =>
  insert(ctx, op, (within, inserted) => answer(within, op.schema, inserted))

async function answer(
  ctx: RequestContext,
  schema: ResourceSchema,
  { key, shown, query }: Inserted,
): Promise<ActionResult> {
  // Shown even where a scope hides it from its creator: what was created is no secret to who sent it.
  const resource = await readWritten(ctx, schema, { key, query, shown, isScoped: false })
  const url = resourceUrl(ctx, resource ?? { schema, id: schema.id.format(key) })
  const document = resourceDocument(ctx, resource, { query, url })
  const version = resource && shownVersion(ctx, resource)
  return { status: 201, document, headers: { Location: url }, version }
}

export interface Inserted extends WrittenRow {
  /** How the client wants to see it. */
  readonly query: Query
}

/** What becomes of a new row. A transaction is still open then: what it throws undoes the write. */
type Then<T> = (within: RequestContext, inserted: Inserted) => Promise<T>

/** All of it but showing what was created. */
export async function insert<T>(ctx: RequestContext, op: CollectionOperation, then: Then<T>): Promise<T> {
  const { schema } = op
  const request = makeRequest(ctx, op)
  await authorize(ctx, op, { request, row: null, value: null })
  const query = await queryOf(ctx, op)
  const parsed = parseResource(ctx.body, shapeOf(ctx, schema, null))
  checkCreated(ctx, schema, parsed)
  const related = relatedRows(ctx)
  const document = await withWholeId(ctx, schema, { document: parsed, related })
  await checkIdIsFree(ctx, schema, document.id)
  const checkNamed = () => checkDocumentIdentifiers(schema, { document, related })
  const isLeft = await leaveToForeignKeys(ctx, schema, { request, document, related })
  if (!isLeft) await checkNamed()
  const checkLeft = async () => {
    if (isLeft) await checkNamed()
  }
  const permitted = permitDocumentLinks(ctx, { schema, row: null, related })
  const validated = await validateCreate(ctx, op, { request, document, related, permitLinks: permitted }).catch(
    async (error: unknown) => {
      await checkLeft()
      throw error
    },
  )
  // A client may name a row by a relation that no rule lets it write: the INSERT finds out nothing of that row.
  if ([...document.relationships.keys()].some((name) => !validated.relationships.has(name))) await checkLeft()
  const subject = { ctx, schema, related }
  const input = await withPreparedColumns(subject, null, validated)
  const written = await insertInOneStatement(subject, input, shownOfWritten(ctx, schema, query))
  if (written) return then(ctx, { ...written, query })
  await checkLeft()
  await checkUnasked(ctx, validated)
  return ctx.store.write(
    async (transaction) => {
      const key = await insertRow(transaction, subject, input)
      return then(contextWithin(ctx, transaction), { key, shown: null, query })
    },
    onBroken(schema, validated, document.id),
  )
}
