import { isEverything, relationOf } from '../condition/build.ts'
import { scopeOf } from '../condition/scopes.ts'
import { rowKey } from '../database/keys.ts'
import type { Transaction } from '../database/store.ts'
import type { Identifier } from '../document/types.ts'
import type { Row } from '../model/where.ts'
import { readNamedRows } from '../read/chunks.ts'
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
  const { joinRows } = transaction
  const { schema } = subject
  const of = { model: schema.model, relation: relationOf(schema.model, relation.field), row }
  const targets = (await subject.related.find(linkage)).filter((target) => target !== null)
  if (mode === 'add') return joinRows.link(of, targets)
  if (mode === 'remove') return joinRows.unlink(of, targets)
  const { id } = schemaOf(subject.ctx.server.schemas, relation.model)
  const keyOf = (target: Row) => rowKey(target, id.columns)
  const linked = await joinRows.linked(of)
  const [wanted, known] = [new Set(targets.map(keyOf)), new Set(linked.map(keyOf))]
  const unwanted = linked.filter((target) => !wanted.has(keyOf(target)))
  await joinRows.unlink(of, await seenOf(transaction, subject, relation, unwanted))
  await joinRows.link(
    of,
    targets.filter((target) => !known.has(keyOf(target))),
  )
}

async function seenOf(
  { reader }: Transaction,
  { ctx }: Subject,
  { model }: ManyToMany,
  rows: readonly Row[],
): Promise<readonly Row[]> {
  const schema = schemaOf(ctx.server.schemas, model)
  const where = scopeOf(ctx.served.scopes, model)
  if (isEverything(where)) return rows
  return readNamedRows(reader, schema, { keys: rows, columns: schema.id.columns, where })
}
