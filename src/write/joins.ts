import { all, related, relationOf } from '../condition/build.ts'
import { scopeOf } from '../condition/scopes.ts'
import { rowKey } from '../database/keys.ts'
import { delegateOf } from '../database/prisma/delegates.ts'
import type { Transaction } from '../database/store.ts'
import type { Identifier } from '../document/types.ts'
import type { Row } from '../model/where.ts'
import { chunked } from '../read/chunks.ts'
import { planLevel } from '../read/plan.ts'
import { pick } from '../read/resource.ts'
import { idWhere } from '../read/row-conditions.ts'
import type { ManyToMany } from '../schema/relation-kinds.ts'
import { schemaOf } from '../schema/resource-schema.ts'
import type { LinkMode } from './links/link-change.ts'
import type { Subject } from './write-context.ts'

// Links in an implicit join table are no part of any row.

/** A change of a relation: the identifiers were checked, so their rows exist and may be seen. */
export interface JoinChange {
  readonly relation: ManyToMany
  readonly linkage: readonly Identifier[]
  readonly mode: LinkMode
}

/** Makes and ends links in a join table. Links to targets that a scope hides stay. */
export async function writeJoins(
  transaction: Transaction,
  subject: Subject,
  row: Row,
  { relation, linkage, mode }: JoinChange,
): Promise<void> {
  const targets = (await subject.related.find(linkage)).filter((target) => target !== null)
  const unwanted =
    mode === 'set'
      ? await membersBeside(transaction, subject, row, { relation, targets })
      : mode === 'remove'
        ? targets
        : []
  await connect(transaction, subject, row, {
    relation,
    connect: mode === 'remove' ? [] : targets,
    disconnect: unwanted,
  })
}

async function membersBeside(
  { reader }: Transaction,
  { ctx, schema: own }: Subject,
  row: Row,
  { relation, targets }: { readonly relation: ManyToMany; readonly targets: readonly Row[] },
): Promise<readonly Row[]> {
  const schema = schemaOf(ctx.server.schemas, relation.model)
  const linked = related(relationOf(schema.model, relation.inverse), 'some', idWhere(own, row))
  const where = all(linked, scopeOf(ctx.served.scopes, relation.model))
  const wanted = new Set(targets.map((target) => rowKey(target, schema.id.columns)))
  const current = await reader.read(planLevel(schema, schema.id.columns, where))
  return current.filter((target) => !wanted.has(rowKey(target, schema.id.columns)))
}

interface Joins {
  readonly relation: ManyToMany
  readonly connect: readonly Row[]
  readonly disconnect: readonly Row[]
}

async function connect({ client }: Transaction, { schema, ctx }: Subject, row: Row, joins: Joins): Promise<void> {
  const target = schemaOf(ctx.server.schemas, joins.relation.model)
  const change = async (verb: 'connect' | 'disconnect', rows: readonly Row[]): Promise<void> => {
    // A link has two ends.
    for (const some of chunked(rows, 2))
      await delegateOf(client, schema.model.name).update({
        where: pick(row, schema.id.columns),
        data: { [joins.relation.field]: { [verb]: some.map((each) => pick(each, target.id.columns)) } },
        select: Object.fromEntries(schema.id.columns.map((column) => [column, true])),
      })
  }
  await change('disconnect', joins.disconnect)
  await change('connect', joins.connect)
}
