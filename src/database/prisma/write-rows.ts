import type { Condition } from '../../condition/condition.ts'
import type { ModelMeta } from '../../model/meta.ts'
import type { Row } from '../../model/where.ts'
import type { Delegates } from '../store.ts'
import { delegateOf } from './delegates.ts'
import { askedWhere } from './prisma-condition.ts'

/** Sets columns of the rows that meet the condition, and says how many there were. Values may be Prisma's, as `{ increment: 1 }`. */
export async function updateRows(client: Delegates, model: ModelMeta, where: Condition, data: Row): Promise<number> {
  const { count } = await delegateOf(client, model.name).updateMany({ where: askedWhere(where, model), data })
  return count
}

/** Removes the rows that meet the condition, and says how many there were. */
export async function deleteRows(client: Delegates, model: ModelMeta, where: Condition): Promise<number> {
  const { count } = await delegateOf(client, model.name).deleteMany({ where: askedWhere(where, model) })
  return count
}
