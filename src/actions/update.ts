import { authorize } from '../auth/authorize.ts'
import { parseResource } from '../document/parse-resource.ts'
import type { Query } from '../query/query.ts'
import { findOrFail, findToChange } from '../read/find.ts'
import { relatedRows } from '../read/related-rows.ts'
import type { ResourceOperation } from '../request/operation.ts'
import type { ResourceSchema } from '../schema/resource-schema.ts'
import { resourceDocument } from '../serialize/documents.ts'
import { resourceUrl } from '../serialize/links.ts'
import { makeRequest } from '../validation/request/make-request.ts'
import { checkUnasked, validateUpdate } from '../validation/run/validate.ts'
import { withPreparedColumns } from '../write/preparing.ts'
import { updateInOneStatement, type WrittenRow } from '../write/single-statement.ts'
import { updateRow } from '../write/write.ts'
import { type ActionResult, noContent, ok } from './action-result.ts'
import { checkChanged } from './check-fields.ts'
import { checkPrecondition } from './check-precondition.ts'
import { contextWithin, type RequestContext } from './context.ts'
import { checkDocumentIdentifiers, checkKeyRelations, permitDocumentLinks, shapeOf } from './document-checks.ts'
import { onBroken } from './on-broken.ts'
import { queryOf } from './query-of.ts'
import { readWritten, shownOfWritten, shownVersion } from './read-written.ts'
import { asViewerOf } from './viewed.ts'

export async function update(ctx: RequestContext, op: ResourceOperation): Promise<ActionResult> {
  const { schema, id } = op
  const row = await findToChange(ctx, schema, id)
  const request = makeRequest(ctx, op, row)
  await authorize(ctx, op, { request, row, value: null })
  const query = await queryOf(ctx, op)
  await checkPrecondition(ctx, op, row)
  const viewer = await asViewerOf(ctx, schema, row)
  const sent = parseResource(ctx.body, shapeOf(ctx, schema, id))
  const related = relatedRows(ctx)
  const document = await checkChanged(viewer, schema, { document: sent, related, row })
  await checkDocumentIdentifiers(schema, { document, related })
  await checkKeyRelations(ctx, schema, { document, related, row })
  const permitted = permitDocumentLinks(ctx, { schema, row, related })
  const validated = await validateUpdate(viewer, op, { request, row, document, related, permitLinks: permitted })
  const subject = { ctx, schema, related }
  const input = await withPreparedColumns(subject, row, validated)
  const written = await updateInOneStatement(subject, row, { input, shown: shownOfWritten(ctx, schema, query) })
  if (written) return answer(ctx, schema, { ...written, query })
  // Most often another writer was faster, which is told sooner without a transaction.
  if (ctx.precondition) await checkPrecondition(ctx, op, await findOrFail(ctx, schema, id))
  await checkUnasked(ctx, validated)
  return ctx.store.write(
    async (transaction) => {
      await updateRow(transaction, subject, row, input)
      // Inside, so that a document that is refused undoes the write.
      return answer(contextWithin(ctx, transaction), schema, { key: row, shown: null, query })
    },
    onBroken(schema, validated, null),
  )
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
  return ok(resourceDocument(ctx, resource, { query, url: resourceUrl(ctx, resource) }), shownVersion(ctx, resource))
}
