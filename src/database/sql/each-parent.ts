import { all, among } from '../../condition/build.ts'
import type { Awaitable } from '../../model/awaitable.ts'
import type { Row } from '../../model/where.ts'
import { firstJoined, firstOfEach } from '../prisma/per-parent.ts'
import type { JoinedPlan, JoinedRow, PerParentPlan, RowsPlan } from '../reader.ts'

type Read<Plan, Answer> = (plan: Plan) => Awaitable<readonly Answer[]>

// Ranking the rows of each parent costs as much again as reading them. Where each may have many, one query for all parents
// ends at what they may have together; as a rule they have less, and it has found everything. Small pages are full as a
// rule: those are ranked at once, and a single parent's never.
const smallPage = 20

/** The first rows of each parent. */
export async function rowsOfEach(
  read: Read<RowsPlan, Row>,
  readRanked: Read<PerParentPlan, Row>,
  plan: PerParentPlan,
): Promise<readonly Row[]> {
  const { parents, take, most, ...level } = plan
  const { columns, keys } = parents
  if (keys.length > 1 && take <= smallPage) return readRanked(plan)
  const limit = limitOf(keys, take, most)
  const where = all(level.where, among(columns, keys))
  const found = await read({ ...level, kind: 'rows', where, skip: 0, take: limit })
  if (found.length <= take) return found
  return found.length === limit ? readRanked(plan) : firstOfEach(found, columns, take)
}

/** The first rows behind each parent's many-to-many. */
export async function joinedOfEach(
  read: Read<JoinedPlan, JoinedRow>,
  readRanked: Read<JoinedPlan, JoinedRow>,
  plan: JoinedPlan,
): Promise<readonly JoinedRow[]> {
  const { through, take, most } = plan
  const { parents } = through
  if (parents.length > 1 && take <= smallPage) return readRanked(plan)
  const limit = limitOf(parents, take, most)
  const found = await read({ ...plan, take: limit })
  if (found.length <= take) return found
  return found.length === limit ? readRanked(plan) : firstJoined(found, take)
}

const limitOf = (parents: readonly unknown[], take: number, most = 2 ** 31 - 1): number =>
  Math.min(parents.length * take, most)
