import type { Awaitable } from '../../model/awaitable.ts'
import { every, type Row } from '../../model/where.ts'
import { firstJoined, firstOfEach } from '../prisma/per-parent.ts'
import type { JoinedRow, JoinPlan, LevelPlan, PerParentPlan } from '../reader.ts'
import { keysWhere } from '../resource.ts'

type Read<Plan, Answer> = (plan: Plan) => Awaitable<readonly Answer[]>

// Ranking the rows of each parent costs as much again as reading them. Where each may have many, one query for all parents
// ends at what they may have together; as a rule they have less, and it has found everything. Small pages are full as a
// rule: those are ranked at once, and a single parent's never.
const smallPage = 20

/** The first rows of each parent. */
export async function rowsOfEach(read: Read<LevelPlan, Row>, plan: LevelPlan, each: PerParentPlan) {
  const { columns, parents, take } = each
  if (parents.length > 1 && take <= smallPage) return read(plan)
  const limit = limitOf(parents, take)
  const where = every(plan.where, keysWhere(columns, parents))
  const found = await read({ ...plan, where, take: limit, perParent: null })
  if (found.length <= take) return found
  return found.length === limit ? read(plan) : firstOfEach(found, columns, take)
}

type JoinedPlan = LevelPlan & { readonly through: JoinPlan }

/** The first rows behind each parent's many-to-many. */
export async function joinedOfEach(
  read: Read<JoinedPlan, JoinedRow>,
  readRanked: Read<JoinedPlan, JoinedRow>,
  plan: JoinedPlan,
): Promise<readonly JoinedRow[]> {
  const { parents, take } = plan.through
  if (parents.length > 1 && take <= smallPage) return readRanked(plan)
  const limit = limitOf(parents, take)
  const found = await read({ ...plan, through: { ...plan.through, take: limit } })
  if (found.length <= take) return found
  return found.length === limit ? readRanked(plan) : firstJoined(found, take)
}

const limitOf = (parents: readonly unknown[], take: number): number => Math.min(parents.length * take, 2 ** 31 - 1)
