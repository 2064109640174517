import { authorize } from '../auth/authorize.ts'
import { lazyRelation } from '../auth/lazy-relation.ts'
import { type LinkingSubject, permitLinks } from '../auth/permit-links.ts'
import type { Transaction } from '../database/store.ts'
import { parseRelationship } from '../document/parse-relationship.ts'
import type { Linkage } from '../document/types.ts'
import type { Row } from '../model/where.ts'
import type { Query } from '../query/query.ts'
import { find, findOrFail } from '../read/find.ts'
import { conceal, isShown } from '../read/loading/conceal.ts'
import { relatedRows } from '../read/related-rows.ts'
import { toResource } from '../read/resource.ts'
import type { RelationOperation } from '../request/operation.ts'
import { isToMany, type Relation } from '../schema/relation-kinds.ts'
import { makeRequest } from '../validation/request/make-request.ts'
import type { PermitLinks } from '../validation/run/prepare.ts'
import { validateRelationship } from '../validation/run/validate.ts'
import { identifiersOf } from '../write/input/foreign-keys.ts'
import type { LinkChange, LinkMode } from '../write/links/link-change.ts'
import { toldVersion } from '../write/version.ts'
import { changeToMany, updateRow } from '../write/write.ts'
import type { Subject } from '../write/write-context.ts'
import { type ActionResult, noContent, ok } from './action-result.ts'
import { checkRelationWritten } from './check-fields.ts'
import { checkPrecondition } from './check-precondition.ts'
import { contextWithin, type RequestContext } from './context.ts'
import { checkIdentifiers, pointerOf, relationShape } from './document-checks.ts'
import { onBroken } from './on-broken.ts'
import { queryOf } from './query-of.ts'
import { readRelationship } from './read-relationship.ts'
import { mayGet } from './viewed.ts'

interface Sent {
  readonly linkage: Linkage
  /** What it makes of links that are kept in other rows. */
  readonly links: readonly LinkChange[]
  readonly query: Query
}

type Write<T> = (transaction: Transaction, subject: Subject, row: Row, sent: Sent) => Promise<T>

/** PATCH of a relationship: what was sent is all of it afterwards. */
export const updateRelationship = (ctx: RequestContext, op: RelationOperation): Promise<ActionResult> =>
  change(ctx, op, 'set', async (transaction, subject, row, { linkage, links, query }) => {
    const relationships = new Map([[op.relation.name, linkage]])
    await updateRow(transaction, subject, row, { id: null, attributes: new Map(), relationships, links })
    // Inside, so that a document that is refused undoes the write.
    return answer(contextWithin(ctx, transaction), op, query)
  })

async function answer(ctx: RequestContext, op: RelationOperation, query: Query): Promise<ActionResult> {
  const row = await find(ctx, op.schema, op.id)
  if (!row) return noContent
  const parent = toResource(op.schema, row)
  await conceal(ctx, [parent])
  if (!isShown(parent, op.relation.name) || !(await mayGet(ctx, { ...op, kind: 'viewRelationship' }, row)))
    return noContent
  const document = await readRelationship(ctx, parent, { relation: op.relation, query })
  return ok(document, toldVersion(ctx, op.schema, row))
}

/** POST to a to-many relationship. */
export async function attachRelationship(ctx: RequestContext, op: RelationOperation): Promise<ActionResult> {
  const { relation } = op
  if (isToMany(relation))
    await change(ctx, op, 'add', (transaction, subject, row, { linkage, links }) =>
      changeToMany(transaction, subject, row, { action: 'attach', relation, linkage: identifiersOf(linkage), links }),
    )
  return noContent
}

/** DELETE on a to-many relationship. */
export async function detachRelationship(ctx: RequestContext, op: RelationOperation): Promise<ActionResult> {
  const { relation } = op
  if (isToMany(relation))
    await change(ctx, op, 'remove', (transaction, subject, row, { linkage, links }) =>
      changeToMany(transaction, subject, row, { action: 'detach', relation, linkage: identifiersOf(linkage), links }),
    )
  return noContent
}

async function change<T>(ctx: RequestContext, op: RelationOperation, mode: LinkMode, write: Write<T>): Promise<T> {
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
  const { links } = validated
  return ctx.store.write(
    (transaction) => write(transaction, { ctx, schema, related }, row, { linkage, links, query }),
    onBroken(schema, validated, null),
  )
}

const placeIn = (relation: Relation, place: number | null): string => pointerOf('/data', relation, place)
