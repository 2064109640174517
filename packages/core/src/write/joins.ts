import { relationOf } from '@prismapi/jsonapi/condition/build'
import type { Identifier } from '@prismapi/jsonapi/document/types'
import type { Row } from '@prismapi/jsonapi/model/where'
import { pointsOfLink } from '@prismapi/jsonapi/request/write-state'
import type { ManyToMany } from '@prismapi/jsonapi/schema/relation-kinds'
import { schemaOf } from '@prismapi/jsonapi/schema/resource-schema'
import { rowKey } from '../database/reader.ts'
import { readNamedRows } from '../read/find.ts'
import type { RequestTransaction } from '../read/rows.ts'
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
  transaction: RequestTransaction,
  subject: Subject,
  row: Row,
  { relation, linkage, mode }: JoinChange,
): Promise<void> {
  const { joinRows } = transaction
  const { schema } = subject
  const of = { model: schema.model, relation: relationOf(schema.model, relation.field), row }
  const { id } = schemaOf(subject.ctx.server.schemas, relation.model)
  const keyOf = (target: Row) => rowKey(target, id.columns)
  const named = (await subject.related.find(linkage)).filter((target) => target !== null)
  // One may be named in several spellings.
  const targets = [...new Map(named.map((target) => [keyOf(target), target])).values()]
  if (mode === 'add') return joinRows.link(of, targets)
  if (mode === 'remove') return joinRows.unlink(of, targets)
  const linked = await joinRows.linked(of, (links) => subject.ctx.spent.add(links * pointsOfLink))
  const [wanted, known] = [new Set(targets.map(keyOf)), new Set(linked.map(keyOf))]
  const unwanted = linked.filter((target) => !wanted.has(keyOf(target)))
  await joinRows.unlink(of, await readSeen(transaction, subject, relation, unwanted))
  await joinRows.link(
    of,
    targets.filter((target) => !known.has(keyOf(target))),
  )
}

async function readSeen(
  { rows }: RequestTransaction,
  { ctx }: Subject,
  { model }: ManyToMany,
  keys: readonly Row[],
): Promise<readonly Row[]> {
  const schema = schemaOf(ctx.server.schemas, model)
  if (!rows.hides('related', model)) return keys
  return readNamedRows(rows.reading('related'), schema, { keys, columns: schema.id.columns })
}
