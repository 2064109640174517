import { parseResource } from '@prismapi/jsonapi/document/parse-document'
import type { Query } from '@prismapi/jsonapi/query/query'
import type { CollectionOperation } from '@prismapi/jsonapi/request/operation'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { authorize } from '../auth/authorize.ts'
import { relatedRows } from '../read/related-rows.ts'
import { resourceDocument } from '../serialize/documents.ts'
import { resourceUrl } from '../serialize/links.ts'
import { makeRequest } from '../validation/request/make-request.ts'
import { checkUnasked, validateCreate } from '../validation/run/validate.ts'
import type { WriteInput } from '../write/input.ts'
import { withPreparedColumns } from '../write/preparing.ts'
import { filledOutside, insertInOneStatement, statementFor, type WrittenRow } from '../write/single-statement.ts'
import { insertRow } from '../write/write.ts'
import type { Subject } from '../write/write-context.ts'
import { checkCreated } from './check-fields.ts'
import type { ActionResult, RequestContext } from './context.ts'
import { checkIdIsFree, permitDocumentLinks, shapeOf } from './document-checks.ts'
import { beforeStatement, type Judged, onBroken, writeJudged } from './judged.ts'
import { namedRows, withWholeId } from './new-document.ts'
import { readWritten, shownOfWritten, shownVersion } from './read-written.ts'
import { queryOf } from './reading.ts'

/** POST of a resource. */
export const create = (ctx: RequestContext, op: CollectionOperation): Promise<ActionResult> =>
  insert(ctx, op, (within, inserted) => answer(within, op.schema, inserted))

export interface Inserted extends WrittenRow {
  /** How the client wants to see it. */
  readonly query: Query
}

/** What becomes of a new row. A transaction is still open then: what it throws undoes the write. */
type Then<T> = (within: RequestContext, inserted: Inserted) => Promise<T>

/** All of it but showing what was created. */
export async function insert<T>(ctx: RequestContext, op: CollectionOperation, then: Then<T>): Promise<T> {
  const judged = await judgeCreate(ctx, op)
  const { subject, query } = judged
  const shown = shownOfWritten(ctx, op.schema, query)
  const writer = statementFor(subject, null, { input: judged.input, shown })
  const input = writer ? await beforeStatement(judged, () => filledOutside(subject, null, judged.input)) : judged.input
  const written = writer && (await insertInOneStatement(writer, subject, { input, shown }))
  if (written) return then(ctx, { ...written, query })
  return writeJudged(
    ctx,
    { ...judged, input },
    {
      judge: (within) => judgeCreate(within, op),
      async write(transaction, within, { subject, input, query }) {
        const key = await insertRow(transaction, subject, input)
        return then(within, { key, shown: null, query })
      },
    },
  )
}

interface NewResource extends Judged {
  readonly subject: Subject
  readonly input: WriteInput
  readonly query: Query
}

/** What the client wants created, if it may, and its document is valid. */
export async function judgeCreate(ctx: RequestContext, op: CollectionOperation): Promise<NewResource> {
  const { schema } = op
  const request = makeRequest(ctx, op)
  await authorize(ctx, op, { request, row: null, value: null })
  const query = await queryOf(ctx, op)
  const sent = parseResource(ctx.body, shapeOf(ctx, schema, null))
  checkCreated(ctx, schema, sent)
  const related = relatedRows(ctx)
  const document = await withWholeId(ctx, schema, { document: sent, related })
  await checkIdIsFree(ctx, schema, document.id)
  const named = await namedRows(ctx, schema, { request, document, related })
  const permitLinks = permitDocumentLinks(ctx, document, { schema, row: null, related })
  const validated = await named.validating(() => validateCreate(ctx, op, { request, document, related, permitLinks }))
  const subject = { ctx, schema, related }
  return {
    subject,
    query,
    input: await withPreparedColumns(subject, null, validated),
    onBroken: onBroken(subject, validated, document.id),
    async checkLeft() {
      await named.checkLeft()
      await checkUnasked(ctx, validated)
    },
  }
}

async function answer(
  ctx: RequestContext,
  schema: ResourceSchema,
  { key, shown, query }: Inserted,
): Promise<ActionResult> {
  // Shown even where a scope hides it from its creator: what was created is no secret to who sent it.
  const resource = await readWritten(ctx, schema, { key, query, shown, isScoped: false })
  const url = resourceUrl(ctx, resource ?? { schema, id: schema.id.format(key) })
  const document = await resourceDocument(ctx, resource, { query, url })
  const version = resource && shownVersion(ctx, resource)
  return { status: 201, document, headers: { Location: url }, version }
}
