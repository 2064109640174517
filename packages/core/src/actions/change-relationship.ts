import { parseRelationship } from '@prismapi/jsonapi/document/parse-document'
import type { Linkage } from '@prismapi/jsonapi/document/types'
import type { Row } from '@prismapi/jsonapi/model/where'
import type { Query } from '@prismapi/jsonapi/query/query'
import type { RelationOperation } from '@prismapi/jsonapi/request/operation'
import { isToMany, type Relation } from '@prismapi/jsonapi/schema/relation-kinds'
import { authorize } from '../auth/authorize.ts'
import { lazyRelation } from '../auth/lazy-relation.ts'
import { type LinkingSubject, permitLinks } from '../auth/permit-links.ts'
import { find, findOrFail, relatedRows } from '../read/find.ts'
import { isShown, markHiddenFields, toResource } from '../read/resource.ts'
import type { RequestTransaction } from '../read/rows.ts'
import { makeRequest } from '../validation/request/make-request.ts'
import type { PermitLinks } from '../validation/run/prepare.ts'
import { validateRelationship } from '../validation/run/validate.ts'
import { identifiersOf } from '../write/input.ts'
import type { LinkChange, LinkMode } from '../write/links/link-change.ts'
import { changeToMany, updateRow } from '../write/write.ts'
import type { Subject } from '../write/write-context.ts'
import { toldVersion } from '../write/write-row.ts'
import { checkRelationWritten } from './check-fields.ts'
import { type ActionResult, noContent, ok, type RequestContext } from './context.ts'
import { checkIdentifiers, pointerOf, relationShape } from './document-checks.ts'
import { readRelationship } from './fetch-related.ts'
import { checkPrecondition, constraintErrorOfWrite, type Judged, writeJudged } from './judged.ts'
import { mayGet, queryOf } from './reading.ts'

/** PATCH of a relationship: what was sent is all of it afterwards. */
export const updateRelationship = (ctx: RequestContext, op: RelationOperation): Promise<ActionResult> =>
  change(ctx, op, 'set', async (transaction, within, { subject, row, linkage, links, query }) => {
    const relationships = new Map([[op.relation.name, linkage]])
    await updateRow(transaction, subject, row, { id: null, attributes: new Map(), relationships, links })
    // Inside, so that a document that is refused undoes the write.
    return answer(within, op, query)
  })

/** POST to a to-many relationship. */
export async function attachRelationship(ctx: RequestContext, op: RelationOperation): Promise<ActionResult> {
  const { relation } = op
  if (isToMany(relation))
    await change(ctx, op, 'add', (transaction, _, { subject, row, linkage, links }) =>
      changeToMany(transaction, subject, row, { action: 'attach', relation, linkage: identifiersOf(linkage), links }),
    )
  return noContent
}

/** DELETE on a to-many relationship. */
export async function detachRelationship(ctx: RequestContext, op: RelationOperation): Promise<ActionResult> {
  const { relation } = op
  if (isToMany(relation))
    await change(ctx, op, 'remove', (transaction, _, { subject, row, linkage, links }) =>
      changeToMany(transaction, subject, row, { action: 'detach', relation, linkage: identifiersOf(linkage), links }),
    )
  return noContent
}

type Write<T> = (transaction: RequestTransaction, within: RequestContext, judged: ChangedRelationship) => Promise<T>

async function change<T>(ctx: RequestContext, op: RelationOperation, mode: LinkMode, write: Write<T>): Promise<T> {
  const judge = (within: RequestContext) => judgeChange(within, op, mode)
  return writeJudged(ctx, await judge(ctx), { judge, write })
}

interface ChangedRelationship extends Judged {
  readonly subject: Subject
  /** Whose relationship it is, as it was when it was judged. */
  readonly row: Row
  readonly linkage: Linkage
  /** What it makes of links that are kept in other rows. */
  readonly links: readonly LinkChange[]
  readonly query: Query
}

/** What the client wants linked, if it may, and its document is valid. */
async function judgeChange(ctx: RequestContext, op: RelationOperation, mode: LinkMode): Promise<ChangedRelationship> {
  const { schema, relation } = op
  const row = await findOrFail(ctx, schema, op.id)
  const request = makeRequest(ctx, op, row)
  const related = relatedRows(ctx)
  await authorize(ctx, op, { request, row, value: lazyRelation(ctx, relation, ctx.body, related) })
  const query = await queryOf(ctx, op)
  await checkPrecondition(ctx, op, row)
  await checkRelationWritten(ctx, schema, { row, relation })
  const linkage = parseRelationship(ctx.body, relationShape(ctx, relation))
  await checkIdentifiers(related, new Map([['/data', { linkage, relation }]]))
  const linking: LinkingSubject = { schema, row, related, mode, pointerOf: placeIn }
  const permitted: PermitLinks = (written) => permitLinks(ctx, linking, written)
  const validated = await validateRelationship(ctx, op, { request, row, linkage, related, permitLinks: permitted })
  const subject = { ctx, schema, related }
  return {
    subject,
    row,
    linkage,
    links: validated.links,
    query,
    onBroken: constraintErrorOfWrite(subject, validated, null),
  }
}

const placeIn = (relation: Relation, place: number | null): string => pointerOf('/data', relation, place)

async function answer(ctx: RequestContext, op: RelationOperation, query: Query): Promise<ActionResult> {
  const row = await find(ctx, op.schema, op.id)
  if (!row) return noContent
  const parent = toResource(op.schema, row)
  await markHiddenFields(ctx, [parent])
  if (!isShown(parent, op.relation.name) || !(await mayGet(ctx, { ...op, kind: 'viewRelationship' }, row)))
    return noContent
  const document = await readRelationship(ctx, parent, { relation: op.relation, query })
  return ok(document, toldVersion(ctx, op.schema, row))
}
