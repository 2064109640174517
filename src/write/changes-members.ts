import { all } from '../condition/build.ts'
import type { Transaction } from '../database/store.ts'
import type { Row } from '../model/where.ts'
import { chunked } from '../read/chunks.ts'
import { idsWhere, membersOf, seenBy } from '../read/row-conditions.ts'
import { schemaOf } from '../schema/resource-schema.ts'
import type { ToManyChange } from './write.ts'
import type { Subject } from './write-context.ts'

/**
 * Is any of the targets to be added that is not in the relation, or to be removed that is. Yes, where the caller may not see the
 * relation: the version would tell what is in it.
 */
export async function changesMembers(
  { reader }: Transaction,
  { ctx, schema, related }: Subject,
  row: Row,
  { action, relation, linkage }: Pick<ToManyChange, 'action' | 'relation' | 'linkage'>,
): Promise<boolean> {
  const targets = (await related.find(linkage)).filter((target) => target !== null)
  if (targets.length === 0) return false
  if (ctx.seen(schema.model.name)?.fields.has(relation.name)) return true
  const members = membersOf(relation, schema, row, seenBy(ctx))
  const target = schemaOf(ctx.server.schemas, relation.model)
  let count = 0
  for (const some of chunked(targets, target.id.columns.length))
    count += await reader.read({
      kind: 'count',
      model: relation.model,
      where: all(members, idsWhere(target, some)),
    })
  return action === 'attach' ? count < targets.length : count > 0
}
