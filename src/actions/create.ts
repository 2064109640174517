import { authorize } from '../auth/authorize.ts'
import { parseResource } from '../document/parse-resource.ts'
import type { Row } from '../model/where.ts'
import type { Query } from '../query/query.ts'
import type { RequestContext } from '../request/context.ts'
import type { CollectionOperation } from '../request/operation.ts'
import { resourceDocument } from '../serialize/documents.ts'
import { resourceUrl } from '../serialize/links.ts'
import { relatedRows } from '../store/filling/related-rows.ts'
import { versionOf } from '../store/version.ts'
import { insertRow } from '../store/writing/write.ts'
import { insertPlainly } from '../store/writing/write-plainly.ts'
import { makeRequest } from '../validation/classes/make-request.ts'
import { validateCreate } from '../validation/validate.ts'
import type { Answer } from './answer.ts'
import { checkDocumentIdentifiers, checkIdIsFree, shapeOf } from './document-checks.ts'
import { onUnique } from './on-unique.ts'
import { queryOf } from './query-of.ts'
import { readWritten } from './read-written.ts'

/** POST of a resource. */
export async function create(ctx: RequestContext, op: CollectionOperation): Promise<Answer> {
  const { schema } = op
  const { key, query } = await insert(ctx, op)
  // Shown even where a scope hides it from its creator: what was created is no secret to who sent it.
  const resource = await readWritten(ctx, schema, { key, query, scoped: false })
  const url = resourceUrl(ctx, resource ?? { schema, id: schema.id.format(key) })
  const document = resourceDocument(ctx, resource, { query, url })
  const version = resource && versionOf(schema, resource.row)
  return { status: 201, document, headers: { Location: url }, version }
}

export interface Inserted {
  readonly key: Row
  /** How the client wants to see it. */
  readonly query: Query
}

/** All of it but showing what was created. */
export async function insert(ctx: RequestContext, op: CollectionOperation): Promise<Inserted> {
  const { schema } = op
  const request = makeRequest(ctx, op)
  await authorize(ctx, op, { request, row: null, value: null })
  const query = queryOf(ctx, op)
  const document = parseResource(ctx.body, shapeOf(ctx, schema, null))
  const related = relatedRows(ctx)
  await checkIdIsFree(ctx, schema, document.id)
  await checkDocumentIdentifiers(ctx, schema, { document, related })
  const filling = await validateCreate(ctx, op, { request, document, related })
  const subject = { ctx, schema, related }
  const key =
    (await insertPlainly(subject, filling)) ??
    (await ctx.store.write(
      (transaction) => insertRow(transaction, subject, filling),
      onUnique(schema, request, document.id),
    ))
  return { key, query }
}
